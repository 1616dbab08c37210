"""Every type of Arrow that a table may have."""

from __future__ import annotations

import datetime
import decimal
from typing import Any

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")

from coppice._columns import Codes, Numbers, Texts
from coppice._rows import rows_of

day = datetime.datetime(2024, 1, 2)
noon = datetime.datetime(2024, 1, 2, 12)
cases: list[tuple[Any, Any]] = [
    (pa.array([day.date(), None]), ["2024-01-02", None]),
    (pa.array([day, None]), ["2024-01-02", None]),
    (pa.array([noon, None], pa.timestamp("us", tz="Europe/Berlin")), ["2024-01-02T12:00:00", None]),
    (pa.array([datetime.time(3, 4), None]), ["03:04:00", None]),
    (pa.array([datetime.timedelta(seconds=5), None]), [5.0, None]),
    (pa.array([decimal.Decimal("1.25"), None]), [1.25, None]),
    (pa.array([2**63, None], pa.uint64()), [float(2**63), None]),
    (pa.array([7, None], pa.int8()), [7, None]),
    (pa.array([1.5, None], pa.float32()), [1.5, None]),
    (pa.array(["a", None]), ["a", None]),
    (pa.array(["a", None], pa.string_view()), ["a", None]),
    (pa.array([True, None]), ["True", None]),
    (pa.array(["b", None]).dictionary_encode(), ["b", None]),
    (pa.nulls(2), [None, None]),
]


def cells(column: Any) -> list[Any]:
    if isinstance(column, Texts):
        return list(column.values)
    if isinstance(column, Codes):
        return [column.categories[code] if code >= 0 else None for code in column.codes]
    missing = np.isnan(column.values) if column.missing is None else column.missing
    return [None if gone else value for value, gone in zip(column.values.tolist(), missing, strict=True)]


@pytest.mark.parametrize(("values", "wanted"), cases, ids=lambda one: str(getattr(one, "type", "")))
def test_cells(values: Any, wanted: list[Any]) -> None:
    rows = rows_of(pa.table({"c": values}))
    assert rows.names == ["c"] and rows.count == 2
    assert cells(rows.columns[0]) == wanted


def test_chunks_are_joined() -> None:
    chunks = pa.chunked_array([pa.array(["a", "b"]).dictionary_encode(), pa.array(["c", "b"]).dictionary_encode()])
    column = rows_of(pa.table({"c": chunks})).columns[0]
    assert isinstance(column, Codes) and cells(column) == ["a", "b", "c", "b"]
    numbers = rows_of(pa.table({"c": pa.chunked_array([[1.0], [2.0, None]])})).columns[0]
    assert isinstance(numbers, Numbers) and cells(numbers) == [1.0, 2.0, None]


def test_what_is_no_cell_is_refused() -> None:
    with pytest.raises(TypeError, match="'c': list"):
        rows_of(pa.table({"c": [[1, 2], [3]]}))
