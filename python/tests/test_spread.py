"""One fit over many workers: the same model, whoever trains its nets."""

from __future__ import annotations

import os
import sys
import threading
import time
from typing import Any

import numpy as np
import pytest

joblib = pytest.importorskip("joblib")

import coppice
from coppice import CoppiceClassifier, CoppiceRegressor, StopTraining
from coppice._spread import _sharers, _threads_for

# Lambdas, seeds, and folds that come in a round after them.
several: dict[str, Any] = {"effort": "quick", "lambda_": [0.01, 0.001], "ensemble": 3, "patience": 3}


def fitted(ring: Any, parallel: Any = None, **settings: Any) -> Any:
    return CoppiceClassifier(**{**several, **settings}).fit(*ring, parallel=parallel)


def epochs_of(one: Any) -> list[Any]:
    return sorted((report.net, report.epoch, report.validation_error, report.hidden_units) for report in one.history_)


@pytest.mark.parametrize("backend", ["threading", "loky", "sequential"])
def test_the_same_bytes_on_every_backend(ring: Any, backend: str) -> None:
    alone = fitted(ring)
    spread = fitted(ring, joblib.Parallel(n_jobs=1 if backend == "sequential" else 2, backend=backend))
    assert len(alone.nets_) > 4 and alone.front_["members"][-1]
    assert [net.bytes() for net in spread.nets_] == [net.bytes() for net in alone.nets_]
    assert spread.model_.bytes() == alone.model_.bytes()
    assert epochs_of(spread) == epochs_of(alone)
    drop = ("seconds", "threads", "options", "device")
    assert {k: v for k, v in spread._result.summary.items() if k not in drop} == {
        k: v for k, v in alone._result.summary.items() if k not in drop
    }
    assert not _sharers


def test_seeds_tables_weights_and_held_out_rows(ring: Any) -> None:
    pd = pytest.importorskip("pandas")
    X, y = ring
    frame = pd.DataFrame({"x": X[:, 0], "y": X[:, 1], "text": np.where(X[:, 0] > 0, "right", "left")})
    number = pd.Series(X[:, 0] * X[:, 1], name="product")
    settings: dict[str, Any] = {"effort": "quick", "ensemble": "off", "lambda_": 0.001, "seeds": 2, "max_epochs": 10}
    weights = np.linspace(0.5, 2, 200)
    held = (frame[200:], number[200:])
    models = {
        CoppiceRegressor(**settings).fit(frame[:200], number[:200], weights, eval_set=held, parallel=parallel).model_.bytes()
        for parallel in (None, joblib.Parallel(n_jobs=2, backend="loky"), joblib.Parallel(n_jobs=2, backend="threading"))
    }
    assert len(models) == 1
    table = frame.assign(product=number)
    by_train = coppice.train(table, "product", parallel=joblib.Parallel(n_jobs=2, backend="threading"), **settings)
    assert by_train.model.bytes() == coppice.train(table, "product", **settings).model.bytes()


def test_results_may_come_as_they_end(ring: Any) -> None:
    alone = fitted(ring)
    for way in ("generator", "generator_unordered"):
        parallel = joblib.Parallel(n_jobs=2, backend="threading", return_as=way)
        assert fitted(ring, parallel).model_.bytes() == alone.model_.bytes()


def test_dask(ring: Any) -> None:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.Client(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None),
        joblib.parallel_config(backend="dask"),
    ):
        spread = fitted(ring, joblib.Parallel())
    assert spread.model_.bytes() == fitted(ring).model_.bytes()


@pytest.mark.filterwarnings("ignore")
def test_ray(ring: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = pytest.importorskip("ray", reason="Ray is not installed; pip install ray")
    from ray.util.joblib import register_ray

    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    paths = os.pathsep.join(path for path in sys.path if path)
    passed = {name: os.environ[name] for name in ("COPPICE_LIBRARY", "COPPICE_PROGRAM") if name in os.environ}
    ray.init(num_cpus=2, include_dashboard=False, runtime_env={"env_vars": {"PYTHONPATH": paths, **passed}})
    try:
        register_ray()
        with joblib.parallel_config(backend="ray"):
            spread = fitted(ring, joblib.Parallel(n_jobs=2))
    finally:
        ray.shutdown()
    alone = fitted(ring)
    assert spread.model_.bytes() == alone.model_.bytes()
    assert [net.bytes() for net in spread.nets_] == [net.bytes() for net in alone.nets_]


def test_callbacks_hear_every_epoch_and_stop(ring: Any) -> None:
    heard: list[Any] = []
    parallel = joblib.Parallel(n_jobs=2, backend="threading")
    spread = CoppiceClassifier(**several).fit(*ring, callbacks=[heard.append], parallel=parallel)
    assert len(heard) == len(spread.history_)

    def enough(report: Any) -> None:
        raise StopTraining

    stopped = CoppiceClassifier(**several).fit(*ring, callbacks=[enough], parallel=parallel)
    assert stopped._result.summary["stopped"] and len(stopped.nets_) == 2  # the first round, with no folds

    def broken(report: Any) -> None:
        raise RuntimeError("broken callback")

    with pytest.raises(RuntimeError, match="broken callback"):
        CoppiceClassifier(**several).fit(*ring, callbacks=[broken], parallel=parallel)
    assert not _sharers


def test_what_fails_stops_the_others(ring: Any) -> None:
    """A backend that fails while nets train: their threads end, and the estimator stays as it was."""
    endless = {**several, "patience": 100000, "ensemble": "off"}
    threads: list[threading.Thread] = []

    def fails_soon(tasks: Any) -> Any:
        for function, args, _ in tasks:
            threads.append(threading.Thread(target=_swallowing, args=(function, args), daemon=True))
            threads[-1].start()
        time.sleep(0.3)
        raise KeyboardInterrupt

    unfitted = CoppiceClassifier(**endless)
    with pytest.raises(KeyboardInterrupt):
        unfitted.fit(*ring, parallel=fails_soon)
    for one in threads:
        one.join(timeout=10)
        assert not one.is_alive()
    assert len(threads) == 2 and not hasattr(unfitted, "model_") and not _sharers


def _swallowing(function: Any, args: Any) -> None:
    try:
        function(*args)
    except KeyboardInterrupt:
        pass
    except Exception:
        pass


def test_threads_share_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    assert _threads_for(joblib.Parallel(n_jobs=3), {"threads": None}) == 2
    assert _threads_for(joblib.Parallel(n_jobs=-1), {}) == 1
    assert _threads_for(joblib.Parallel(n_jobs=16), {}) == 1
    assert _threads_for(joblib.Parallel(n_jobs=2), {"threads": 5}) == 0


def test_what_cannot_be_spread(ring: Any, tmp_path: Any) -> None:
    parallel = joblib.Parallel(n_jobs=1)
    with pytest.raises(ValueError, match="run directory"):
        CoppiceClassifier(**several).fit(*ring, parallel=parallel, out=tmp_path / "run")
    with pytest.raises(ValueError, match="no run directory"):
        coppice.train("table.csv", "y", parallel=parallel)
    with pytest.raises(TypeError, match="cannot be called"):
        fitted(ring, parallel=2)
    with pytest.raises(ValueError, match="`time_limit`"):
        fitted(ring, parallel, time_limit=5)
    with pytest.raises(ValueError, match="processors"):
        fitted(ring, parallel, device="cuda")
