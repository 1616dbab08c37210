"""Failures of the library are Python's own kinds of errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import coppice
from coppice._errors import error_of


def test_files(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="none.coppice"):
        coppice.load(tmp_path / "none.coppice")
    (tmp_path / "bad.coppice").write_bytes(b"COPPICE\nnothing")
    with pytest.raises(ValueError, match="bad.coppice"):
        coppice.load(tmp_path / "bad.coppice")
    with pytest.raises(OSError):
        coppice.train(tmp_path / "none.csv", "y")
    assert not (tmp_path / "none.csv").exists()


def test_places() -> None:
    error = error_of(1, "the cell is `hidden-layers`", "", "name", 4)
    assert isinstance(error, ValueError)
    assert (error.option, error.column, error.row) == (None, "name", 4)  # type: ignore[attr-defined]
    assert str(error) == "the cell is `hidden_layers`"
    kinds = {2: ValueError, 3: OSError, 4: MemoryError, 5: NotImplementedError, 6: RuntimeError, 7: RuntimeError}
    for status, kind in kinds.items():
        assert isinstance(error_of(status, "x", "", "", -1), kind)


@pytest.mark.skipif(Path("/dev/nvidia0").exists(), reason="there is a GPU")
def test_no_gpu_is_said(ring: Any, quick: dict[str, Any]) -> None:
    with pytest.raises((ValueError, NotImplementedError), match="`device` cuda"):
        coppice.CoppiceClassifier(**quick, device="cuda").fit(*ring)


def test_warnings_have_a_category(quick: dict[str, Any]) -> None:
    X = np.random.default_rng(0).normal(size=(200, 2))
    X[:, 1] = 3
    with pytest.warns(coppice.CoppiceWarning, match="column2"):
        coppice.CoppiceClassifier(**quick).fit(X, X[:, 0] > 0)


def test_no_net_fits(ring: Any, quick: dict[str, Any]) -> None:
    estimator = coppice.CoppiceClassifier(**quick, max_bytes=1)
    with pytest.raises(ValueError, match="no net fits"):
        estimator.fit(*ring)
    with pytest.raises(ValueError, match="not fitted"):
        estimator.predict(ring[0])
