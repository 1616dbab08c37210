"""train, load, cv, reports, pictures, the program."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import coppice
from coppice import CoppiceClassifier, CoppiceRegressor


@pytest.fixture
def frame(ring: Any) -> Any:
    pd = pytest.importorskip("pandas")
    return pd.DataFrame(ring[0], columns=["x", "y"]).assign(where=ring[1])


def test_a_run_directory(frame: Any, tmp_path: Path, quick: dict[str, Any]) -> None:
    result = coppice.train(frame, "where", out=tmp_path / "run", **quick)
    model = coppice.load(tmp_path / "run")
    assert model.bytes() == result.model.bytes() == coppice.load(tmp_path / "run" / "model.coppice").bytes()
    assert len(result.history) == quick["max_epochs"] and result.history[-1].running is False
    told = model.predict(frame)
    assert set(told.labels) <= {"in", "out"}
    assert model.evaluate(frame)["error"] == pytest.approx(float((told.labels != frame["where"]).mean()))
    explained = model.explain(frame)
    assert explained.columns == ["x", "y"]
    assert explained.baselines + explained.contributions.sum(axis=1) == pytest.approx(explained.scores)
    with pytest.raises(ValueError, match="already holds a run"):
        coppice.train(frame, "where", out=tmp_path / "run", **quick)


def test_a_report(ring: Any, tmp_path: Path, quick: dict[str, Any]) -> None:
    fitted = CoppiceClassifier(**quick).fit(*ring, out=tmp_path / "run")
    assert fitted.report() == str(tmp_path / "run" / "report.html")
    assert fitted.report(tmp_path / "r.html") == str(tmp_path / "r.html")
    assert "<html" in (tmp_path / "r.html").read_text()
    with pytest.raises(ValueError, match="fit with out="):
        CoppiceClassifier(**quick).fit(*ring).report()
    assert fitted.model_.bytes() == CoppiceClassifier(**quick).fit(*ring).model_.bytes()


def test_cross_validation(frame: Any) -> None:
    found = coppice.cv(frame, "where", folds=3, lambda_=[0.03, 0.001], effort="quick")
    assert found.errors.shape == (2, 3) and found.lambdas == [0.03, 0.001]
    assert found.best == found.lambdas[int(found.mean.argmin())]
    assert found.standard_error.shape == (2,)
    # The error of a fold is that of a net which validated on its rows.
    folds = np.arange(len(frame)) % 3
    given = coppice.cv(frame, "where", folds=folds, lambda_=0.001, effort="quick")
    net = given.result.nets[0].predict(frame[folds == 0])
    assert given.errors[0, 0] == pytest.approx(float((net.labels != frame["where"][folds == 0]).mean()))
    with pytest.raises(ValueError, match="at least 2"):
        coppice.cv(frame, "where", folds=1)


def test_pictures(ring: Any) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    X, y = ring
    fitted = CoppiceClassifier(effort="quick", ensemble="off", lambda_=[0.03, 0.001]).fit(X, y)
    front = fitted.plot_front()
    assert front.get_xlabel() == "parameters" and sorted(front.lines[0].get_xdata()) == sorted(fitted.front_["parameters"])
    assert len(fitted.plot_growth().lines) == 2
    assert len(fitted.plot_importance().patches) == 2
    assert fitted.plot_calibration(X, y).get_ylabel() == "share that is right"
    axes = matplotlib.pyplot.subplots()[1]
    assert fitted.plot_front(ax=axes) is axes
    number = CoppiceRegressor(effort="quick", ensemble="off", lambda_=0.01, max_epochs=5).fit(X, X[:, 0])
    drawn = (number.plot_front(), number.plot_growth(), number.plot_importance())
    assert all(isinstance(one, matplotlib.axes.Axes) for one in drawn)
    with pytest.raises(TypeError, match="no probabilities to calibrate"):
        number.plot_calibration(X, X[:, 0])
    for plot in ("plot_front", "plot_growth", "plot_importance"):
        with pytest.raises(ValueError, match="not fitted"):
            getattr(CoppiceClassifier(), plot)()
    matplotlib.pyplot.close("all")


def test_notebooks_show_the_front(ring: Any, quick: dict[str, Any]) -> None:
    estimator = CoppiceClassifier(**quick)
    assert "CoppiceClassifier" in estimator._repr_html_()
    shown = estimator.fit(*ring)._repr_html_()
    assert "<table>" in shown and f"{estimator.validation_error_:.4g}" in shown
    assert str(estimator.front_[0]["parameters"]) in repr(estimator.front_)


def test_front_as_a_frame(ring: Any, quick: dict[str, Any]) -> None:
    pytest.importorskip("pandas")
    fitted = CoppiceClassifier(**quick).fit(*ring)
    frame = fitted.front_.to_pandas()
    assert list(frame.columns) == fitted.front_.columns and frame["picked"].tolist() == [True]


def test_a_bar(ring: Any, quick: dict[str, Any], capsys: Any) -> None:
    pytest.importorskip("tqdm")
    CoppiceClassifier(**quick).fit(*ring)
    assert capsys.readouterr() == ("", "")
    CoppiceClassifier(**quick, verbose=1).fit(*ring)
    assert f"{quick['max_epochs']}/{quick['max_epochs']}" in capsys.readouterr().err


def test_the_program(program: Path) -> None:
    said = subprocess.run([sys.executable, "-m", "coppice", "--version"], capture_output=True, text=True, check=True)
    assert coppice.__version__ in said.stdout
    wrong = subprocess.run([sys.executable, "-m", "coppice", "nonsense"], capture_output=True, text=True)
    assert wrong.returncode == subprocess.run([program, "nonsense"], capture_output=True).returncode != 0
