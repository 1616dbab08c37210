"""Estimators without this package, and where their targets lie."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coppice import CoppiceClassifier, CoppiceRegressor


@pytest.fixture(scope="module")
def classifier(ring: tuple[Any, Any]) -> CoppiceClassifier:
    return CoppiceClassifier(effort="quick", ensemble=3).fit(*ring)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")
@pytest.mark.parametrize("int8", [False, True])
def test_a_c_header_says_what_the_estimator_says(classifier: Any, ring: Any, tmp_path: Path, int8: bool) -> None:
    header = tmp_path / "net.h"
    assert classifier.to_c(header, name="net", int8=int8) == header.read_bytes()
    source = tmp_path / "net.c"
    source.write_text('#include "net.h"\nint ask(const float *row, float *out) { return net_predict(row, out); }\n')
    subprocess.run(["gcc", "-std=c99", "-shared", "-fPIC", "-o", tmp_path / "net.so", source, "-lm"], check=True)
    ask = ctypes.CDLL(str(tmp_path / "net.so")).ask
    rows = np.ascontiguousarray(ring[0][:50], np.float32)
    out = np.zeros((50, 2), np.float32)
    for row, answer in zip(rows, out, strict=True):
        assert ask(row.ctypes.data_as(ctypes.c_void_p), answer.ctypes.data_as(ctypes.c_void_p)) >= 0
    assert np.abs(out - classifier.predict_proba(rows)).max() < (0.1 if int8 else 1e-5)


def test_what_8_bits_cost_is_told(classifier: Any, ring: Any) -> None:
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame(ring[0], columns=["column1", "column2"]).assign(target=ring[1])
    kept, told = classifier.to_c(int8=True).decode(), classifier.to_c(int8=True, calibrate=table).decode()
    assert "256 rows" in kept and f"{len(table)} rows" in told
    assert "error there:" not in kept and "error there:" in told
    with pytest.raises(ValueError, match="`calibrate` is for `int8`"):
        classifier.to_c(calibrate=table)


def test_nothing_half_written_is_left(classifier: Any, tmp_path: Path) -> None:
    kept = tmp_path / "net.h"
    kept.write_text("as it was")
    with pytest.raises(ValueError, match="name"):
        classifier.to_c(kept, name="not a name")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError):
        classifier.to_c(tmp_path / "folder")
    assert kept.read_text() == "as it was" and sorted(path.name for path in tmp_path.iterdir()) == ["folder", "net.h"]


def test_onnx(classifier: Any, ring: Any, tmp_path: Path) -> None:
    data = classifier.to_onnx(tmp_path / "net.onnx")
    assert (tmp_path / "net.onnx").read_bytes() == data
    assert b"probabilities" in data
    assert classifier.to_onnx(inputs="matrix") != data
    with pytest.raises(ValueError, match="columns or matrix"):
        classifier.to_onnx(inputs="rows")
    assert classifier.to_onnx(opset=13) == data != classifier.to_onnx(opset=17)
    assert len(classifier.to_onnx(opset=17)) == len(data)
    with pytest.raises(ValueError, match="up to opset 17") as caught:
        classifier.to_onnx(opset=18)
    assert getattr(caught.value, "option", None) == "onnx_opset"
    for none in (0, -1):
        with pytest.raises(ValueError, match="no such opset"):
            classifier.to_onnx(opset=none)
    runtime = pytest.importorskip("onnxruntime")
    session = runtime.InferenceSession(classifier.to_onnx(inputs="matrix"))
    rows = ring[0][:50].astype(np.float32)
    found = session.run(["probabilities"], {session.get_inputs()[0].name: rows})[0]
    assert np.abs(found - classifier.predict_proba(rows)).max() < 1e-5


def test_sets_of_classes(classifier: Any, ring: Any) -> None:
    points, answers = ring
    sets = classifier.predict_set(points, 0.9)
    assert sets.shape == (len(points), 2) and sets.dtype == bool
    likeliest = classifier.predict_proba(points).argmax(axis=1)
    assert sets[np.arange(len(points)), likeliest].all()
    assert sets[np.arange(len(points)), np.searchsorted(classifier.classes_, answers)].mean() > 0.85
    assert (classifier.predict_set(points, 0.99) >= sets).all()
    assert classifier.predict_set(points[:3], 0.9).shape == (3, 2)
    with pytest.raises(ValueError, match="interval"):
        classifier.predict_set(points, 1.5)


def test_bounds_of_values() -> None:
    random = np.random.default_rng(0)
    x = random.normal(size=(900, 2))
    y = x[:, 0] ** 2 + random.normal(size=900)
    regressor = CoppiceRegressor(effort="quick", ensemble=3).fit(x[:600], y[:600])
    lower, upper = regressor.predict_interval(x[600:])
    values = regressor.predict(x[600:])
    assert (lower <= values).all() and (values <= upper).all()
    assert 0.84 < ((lower <= y[600:]) & (y[600:] <= upper)).mean() < 0.96
    narrow = regressor.predict_interval(x[600:], 0.5)
    assert (narrow[1] - narrow[0] < upper - lower).all()
