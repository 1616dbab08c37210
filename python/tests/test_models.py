"""Model files of earlier formats keep loading, and say what they said."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import coppice

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
