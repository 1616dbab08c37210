"""Optuna and MLflow themselves, as docs/python.md uses them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from coppice import CoppiceClassifier


def test_optuna_searches(ring: Any) -> None:
    optuna = pytest.importorskip("optuna")
    optuna.logging.set_verbosity(optuna.logging.WARNING)

    def objective(trial: Any) -> float:
        settings = {
            "hidden_layers": trial.suggest_int("hidden_layers", 1, 3),
            "lambda_": trial.suggest_float("lambda_", 1e-4, 1e-1, log=True),
        }
        fitted = CoppiceClassifier(effort="quick", ensemble="off", max_epochs=5, **settings).fit(*ring)
        return float(fitted.validation_error_)

    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=0))
    study.optimize(objective, n_trials=4)
    assert len(study.trials) == 4 and study.best_value == min(trial.value for trial in study.trials)
    again = CoppiceClassifier(effort="quick", ensemble="off", max_epochs=5, **study.best_params).fit(*ring)
    assert again.validation_error_ == study.best_value


@pytest.mark.filterwarnings("ignore")
def test_optuna_prunes(ring: Any) -> None:
    optuna = pytest.importorskip("optuna")
    optuna.logging.set_verbosity(optuna.logging.WARNING)

    def objective(trial: Any) -> float:
        def watch(report: Any) -> None:
            trial.report(report.validation_error, report.epoch)
            if trial.should_prune():
                raise optuna.TrialPruned

        CoppiceClassifier(effort="quick", ensemble="off", lambda_=0.01).fit(*ring, callbacks=[watch])
        raise AssertionError("it was not pruned")

    study = optuna.create_study(pruner=optuna.pruners.ThresholdPruner(upper=-1.0, n_warmup_steps=1))
    study.optimize(objective, n_trials=1)
    assert study.trials[0].state == optuna.trial.TrialState.PRUNED


@pytest.mark.filterwarnings("ignore")
def test_mlflow_logs(ring: Any, quick: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mlflow = pytest.importorskip("mlflow")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    before = mlflow.get_tracking_uri()
    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
    try:
        with mlflow.start_run() as run:

            def log(report: Any) -> None:
                mlflow.log_metric(f"error of net {report.net}", report.validation_error, step=report.epoch)

            fitted = CoppiceClassifier(**quick).fit(*ring, callbacks=[log])
            mlflow.log_params({key: value for key, value in fitted.get_params().items() if value is not None})
        logged = mlflow.MlflowClient().get_metric_history(run.info.run_id, "error of net 0")
        assert [one.value for one in logged] == [report.validation_error for report in fitted.history_]
        assert mlflow.get_run(run.info.run_id).data.params["lambda_"] == "0.01"
    finally:
        mlflow.set_tracking_uri(before)
