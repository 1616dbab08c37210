"""Answers come as arrays, or in the container that the rows came in."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from coppice import CoppiceClassifier, CoppiceRegressor


@pytest.fixture
def columns(ring: Any) -> dict[str, Any]:
    return {"x": ring[0][:, 0], "y": ring[0][:, 1]}


def test_pandas(columns: Any, ring: Any, quick: dict[str, Any]) -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(columns, index=[f"row {i}" for i in range(len(ring[1]))])
    where = pd.Series(ring[1], index=frame.index, name="where")
    plain = CoppiceClassifier(**quick).fit(frame, where)
    fitted = CoppiceClassifier(**quick, output="container").fit(frame, where)
    assert isinstance(plain.predict(frame), np.ndarray)
    some = frame[5:50]
    labels, probabilities = fitted.predict(some), fitted.predict_proba(some)
    assert isinstance(labels, pd.Series) and labels.name == "where" and labels.index.equals(some.index)
    assert (labels.to_numpy() == plain.predict(some)).all()
    assert probabilities.columns.tolist() == ["in", "out"] and probabilities.index.equals(some.index)
    assert (probabilities.to_numpy() == plain.predict_proba(some)).all()
    assert (fitted.predict_log_proba(some).to_numpy() == plain.predict_log_proba(some)).all()
    assert fitted.predict_set(some).dtypes.tolist() == [bool, bool]
    assert fitted.score(frame, where) == plain.score(frame, where)
    with pytest.warns(UserWarning, match="valid feature names"):
        assert isinstance(fitted.predict(some.to_numpy()), np.ndarray)
    number = CoppiceRegressor(**quick, output="container").fit(frame, frame["x"] * 2)
    lower, upper = number.predict_interval(some)
    assert (lower <= upper).all() and lower.index.equals(some.index) and number.predict(some).name == "x_"
    assert number.score(frame, frame["x"] * 2) > 0.5


def test_polars(columns: Any, ring: Any, quick: dict[str, Any]) -> None:
    pl = pytest.importorskip("polars")
    pytest.importorskip("pyarrow")
    frame = pl.DataFrame(columns)
    fitted = CoppiceClassifier(**quick, output="container").fit(frame, pl.Series("where", ring[1]))
    labels, probabilities = fitted.predict(frame), fitted.predict_proba(frame)
    assert isinstance(labels, pl.Series) and labels.name == "where" and labels.dtype == pl.String
    assert isinstance(probabilities, pl.DataFrame) and probabilities.columns == ["in", "out"]
    fitted.set_params(output="numpy")
    assert labels.to_list() == fitted.predict(frame).tolist()
    assert (probabilities.to_numpy() == fitted.predict_proba(frame)).all()
    number = CoppiceRegressor(**quick, output="container").fit(frame, columns["x"])
    assert number.predict(frame).dtype == pl.Float64 and number.score(frame, columns["x"]) > 0.5


def test_pyarrow(columns: Any, ring: Any, quick: dict[str, Any]) -> None:
    pa = pytest.importorskip("pyarrow")
    table = pa.table(columns)
    fitted = CoppiceClassifier(**quick, output="container").fit(table, ring[1])
    labels, probabilities = fitted.predict(table), fitted.predict_proba(table)
    assert isinstance(labels, pa.Array) and pa.types.is_string(labels.type)
    assert isinstance(probabilities, pa.Table) and probabilities.column_names == ["in", "out"]
    fitted.set_params(output="numpy")
    assert labels.to_pylist() == fitted.predict(table).tolist()
    assert (np.column_stack([c.to_numpy() for c in probabilities.columns]) == fitted.predict_proba(table)).all()
    assert fitted.set_params(output="container").score(table, ring[1]) > 0.5


def test_arrays_stay_arrays(ring: Any, quick: dict[str, Any]) -> None:
    fitted = CoppiceClassifier(**quick, output="container").fit(*ring)
    assert type(fitted.predict(ring[0])) is np.ndarray and type(fitted.predict_proba(ring[0])) is np.ndarray
    with pytest.raises(ValueError, match="`output` 'pandas'"):
        CoppiceClassifier(**quick, output="pandas").fit(*ring)
    with pytest.raises(ValueError, match="numpy or container"):
        fitted.set_params(output="series").predict(ring[0])
