"""Tables of any kind: from memory and through a csv file they give the same model, or the same kind of complaint."""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

pd = pytest.importorskip("pandas")

import coppice

words = st.sampled_from(["red", "green", "blue", "low", "high", "a b", "ä", "x,y", 'say "no"', None])
makers = {
    "float64": (st.one_of(st.floats(-1e9, 1e9, allow_subnormal=False), st.none()), "float64"),
    "huge": (st.sampled_from([1e30, -3e38, 3e38, 1e-30, -1e-38, 1.5, 0.0, 4e38]), "float64"),
    "float32": (st.floats(-1e6, 1e6, width=32, allow_subnormal=False), "float32"),
    "int64": (st.integers(-(10**12), 10**12), "int64"),
    "uint8": (st.integers(0, 255), "uint8"),
    "Int64": (st.one_of(st.integers(-100, 100), st.none()), "Int64"),
    "Float64": (st.one_of(st.floats(-10, 10, allow_subnormal=False), st.none()), "Float64"),
    "boolean": (st.one_of(st.booleans(), st.none()), "boolean"),
    "bool": (st.booleans(), "bool"),
    "string": (words, "string"),
    "object": (words, "object"),
    "category": (words, "category"),
    "day": (
        st.one_of(st.dates(pd.Timestamp("1990-01-01").date(), pd.Timestamp("2050-01-01").date()), st.none()),
        "day",
    ),
}


@st.composite
def tables(draw: Any) -> Any:
    rows = draw(st.one_of(st.integers(8, 40), st.integers(0, 3)))
    columns = {}
    for i in range(draw(st.integers(0, 4))):
        cells, dtype = makers[draw(st.sampled_from(sorted(makers)))]
        values = draw(st.lists(cells, min_size=rows, max_size=rows))
        columns[f"c{i}"] = pd.to_datetime(pd.Series(values)) if dtype == "day" else pd.Series(values, dtype=dtype)
    frame = pd.DataFrame(columns, index=range(rows))
    one_class = draw(st.integers(0, 9)) == 0
    frame["answer"] = ["yes" if one_class or i % 3 else "no" for i in range(rows)]
    again = draw(st.lists(st.integers(0, rows - 1), max_size=5)) if rows else []  # rows that come twice
    return frame.iloc[[*range(rows), *again]].reset_index(drop=True)


def came_of(data: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = coppice.train(data, "answer", effort="quick", ensemble="off", lambda_=0.01, max_epochs=2)
        except (ValueError, OSError):  # a file without rows is a bad file
            return "refused"
    return result.model.bytes()


@settings(max_examples=100, deadline=None)
@given(frame=tables())
def test_a_frame_is_its_csv_file(frame: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        frame.to_csv(path, index=False)
        assert came_of(frame) == came_of(path)


numbers = st.one_of(
    st.floats(-1e6, 1e6, width=32, allow_subnormal=False), st.sampled_from([np.nan, 0.0, -0.0, 1e-30, -3e38, 3e38, 7.0])
)
layouts = ["C", "Fortran", "rows apart", "columns apart", "backwards", "read-only", "memmap", "big-endian", "float64", "object"]


def laid_out(X: Any, layout: str, folder: str) -> Any:
    """The same numbers, in memory otherwise."""
    rows, columns = X.shape
    if layout == "rows apart":
        return np.repeat(X, 2, axis=0)[::2]
    if layout == "columns apart":
        wide = np.full((rows, columns + 3), 5, X.dtype)
        wide[:, 2 : 2 + columns] = X
        return wide[:, 2 : 2 + columns]
    if layout == "backwards":
        return X[::-1, ::-1].copy()[::-1, ::-1]
    if layout == "memmap":
        X.tofile(f"{folder}/x")
        return np.memmap(f"{folder}/x", X.dtype, "r", shape=X.shape)
    if layout == "read-only":
        X = X.copy()
        X.flags.writeable = False
    as_type = {"big-endian": ">f4", "float64": "f8", "object": "O"}
    return np.asarray(X, as_type.get(layout, "f4"), order="F" if layout == "Fortran" else "C")


@settings(max_examples=60, deadline=None)
@given(
    X=arrays.arrays(np.float32, st.tuples(st.integers(8, 30), st.integers(1, 4)), elements=numbers),
    layout=st.sampled_from(layouts),
)
def test_an_array_is_its_csv_file(X: Any, layout: str) -> None:
    answers = np.where(np.arange(len(X)) % 3, "yes", "no")
    quick: dict[str, Any] = {"effort": "quick", "ensemble": "off", "lambda_": 0.01, "max_epochs": 2}
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        names = [f"column{i + 1}" for i in range(X.shape[1])]
        path = Path(folder) / "table.csv"
        pd.DataFrame(X, columns=names).assign(target=answers).to_csv(path, index=False)
        came: list[Any] = []
        for train in (
            lambda: coppice.train(path, "target", task="classification", **quick).model,
            lambda: coppice.CoppiceClassifier(row_order="given", **quick).fit(laid_out(X, layout, folder), answers).model_,
        ):
            try:
                came.append(train().bytes())
            except ValueError:
                came.append("refused")
        assert came[0] == came[1]


def test_one_row_no_column_one_class() -> None:
    frame = pd.DataFrame({"x": [1.0], "answer": ["yes"]})
    with pytest.raises(ValueError):
        coppice.train(frame, "answer")
    with pytest.raises(ValueError):
        coppice.train(frame[["answer"]], "answer")
    with pytest.raises(ValueError):
        coppice.train(pd.DataFrame({"x": np.arange(50.0), "answer": "yes"}), "answer")
    with pytest.raises(ValueError, match="two columns 'x'"):
        coppice.train(pd.DataFrame([[1, 2]], columns=["x", "x"]), "x")
