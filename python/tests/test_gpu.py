"""On a GPU: an estimator with device="cuda" is the program with --device cuda. Skipped, and said, where there is none."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pd = pytest.importorskip("pandas")

from coppice import CoppiceClassifier, CoppiceRegressor

several: dict[str, Any] = {"effort": "quick", "lambda_": [0.01, 0.001], "max_epochs": 20}


@pytest.fixture(scope="module", autouse=True)
def gpu() -> None:
    try:
        CoppiceClassifier(effort="quick", ensemble="off", max_epochs=1, lambda_=0.01, device="cuda").fit(
            np.eye(40), np.arange(40) % 2
        )
    except (NotImplementedError, ValueError) as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("ensemble", ["off", 3])
@pytest.mark.parametrize("kind", [CoppiceClassifier, CoppiceRegressor])
def test_a_fit_is_that_of_the_program(program: Path, tmp_path: Path, ring: Any, kind: Any, ensemble: Any) -> None:
    frame = pd.DataFrame(ring[0], columns=["x", "y"]).assign(text=np.where(ring[0][:, 0] > 0.3, "right", "left"))
    answers = pd.Series(ring[1] if kind is CoppiceClassifier else ring[0][:, 0] * ring[0][:, 1], name="answer")
    fitted = kind(**several, ensemble=ensemble, device="cuda").fit(frame, answers)
    assert fitted.settings_["device"] == "cuda"
    table, run = tmp_path / "table.csv", tmp_path / "run"
    pd.concat([frame, answers], axis=1).to_csv(table, index=False)
    flags = ["--effort", "quick", "--lambda", "0.01,0.001", "--max-epochs", "20", "--ensemble", str(ensemble)]
    command = [program, "train", table, "--target", "answer", "--task", kind.task, "-o", run, "--device", "cuda", *flags]
    subprocess.run(command, check=True, capture_output=True)
    assert fitted.model_.bytes() == (run / "model.coppice").read_bytes()
    assert kind(**several, ensemble=ensemble, device="cuda").fit(frame, answers).model_.bytes() == fitted.model_.bytes()


def test_answers_of_both(ring: Any) -> None:
    fitted = CoppiceClassifier(**several, ensemble="off", device="cuda").fit(*ring)
    there = fitted.predict_proba(ring[0])
    here = fitted.set_params(device="cpu").predict_proba(ring[0])
    assert np.abs(there - here).max() < 1e-5 and fitted.score(*ring) > 0.6


def test_a_gpu_cannot_be_spread(ring: Any) -> None:
    joblib = pytest.importorskip("joblib")
    with pytest.raises(ValueError, match="processors"):
        CoppiceClassifier(**several, device="cuda").fit(*ring, parallel=joblib.Parallel(n_jobs=1))
