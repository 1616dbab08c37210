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
    for i in range(draw(st.integers(1, 4))):
        cells, dtype = makers[draw(st.sampled_from(sorted(makers)))]
        values = draw(st.lists(cells, min_size=rows, max_size=rows))
        columns[f"c{i}"] = pd.to_datetime(pd.Series(values)) if dtype == "day" else pd.Series(values, dtype=dtype)
    frame = pd.DataFrame(columns)
    frame["answer"] = ["yes" if i % 3 else "no" for i in range(rows)]
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
