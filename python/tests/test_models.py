"""Model files of earlier formats keep loading, and say what they said."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import coppice

kept = Path(__file__).parents[2] / "tests" / "model" / "kept"

rows: list[list[Any]] = [[0.024, 0.124, "red"], [0.901, -0.224, "blue"], [-0.712, 0.583, "blue"], [0.897, 0.21, "blue"]]
told = [0.9995750853525684, 0.9887124229806161, 0.9966053415125447, 0.9143195912247438]


def test_format_7() -> None:
    pd = pytest.importorskip("pandas")
    model = coppice.load(Path(__file__).parent / "models" / "format-7.coppice")
    prediction = model.predict(pd.DataFrame(rows, columns=["x", "y", "colour"]))
    assert prediction.class_names == ["in", "out"]
    assert prediction.probabilities is not None
    assert np.allclose(prediction.probabilities[:, 1], told, atol=1e-5)
    assert pickle.loads(pickle.dumps(model)).bytes() == model.bytes()
    assert coppice.Model.from_bytes(model.bytes()).hidden_units == model.hidden_units == [(30, 22, 16)]


@pytest.mark.parametrize("version", [1, 2, 4, 7])
def test_every_version_of_the_program(version: int) -> None:
    pd = pytest.importorskip("pandas")
    if not kept.exists():
        pytest.skip("the program's own tests are not here")
    model = coppice.load(kept / f"version{version}.coppice")
    again = pickle.loads(pickle.dumps(model))
    told_then = pd.read_csv(kept / f"version{version}.predictions.csv")
    told_now = again.predict(pd.read_csv(kept / "rows.csv"))
    if told_now.probabilities is None:
        assert np.allclose(told_now.labels, told_then["prediction"], rtol=1e-4)
        return
    assert told_now.labels.tolist() == told_then["prediction"].astype(str).tolist()
    for i, name in enumerate(told_now.class_names):
        assert np.allclose(told_now.probabilities[:, i], told_then[f"probability_{name}"], atol=1e-5)


def test_an_estimator_of_an_earlier_version() -> None:
    """That had neither `output` nor a name for its target."""
    pd = pytest.importorskip("pandas")
    pytest.importorskip("sklearn")
    fitted = pickle.loads((Path(__file__).parent / "models" / "classifier-1.pickle").read_bytes())
    table = pd.DataFrame(rows, columns=["x", "y", "colour"])
    assert np.allclose(fitted.predict_proba(table)[:, 1], [0.0006967, 0.9999608, 0.9453691, 0.9994187], atol=1e-5)
    assert fitted.front_["parameters"] == [116, 262] and fitted.get_params()["output"] == "numpy"
    assert fitted.feature_importances_.argmax() == 0
    assert fitted.set_params(output="container").predict(table).tolist() == ["in", "out", "out", "out"]
