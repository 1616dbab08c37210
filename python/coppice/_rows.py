"""Any table that Python knows, as rows for the library."""

from __future__ import annotations

from typing import Any

from ._columns import Column, Rows
from ._from_arrow import is_arrow, rows_of_arrow
from ._from_numpy import object_column, rows_of_array
from ._from_pandas import column_of, is_pandas, rows_of_pandas


def rows_of(data: Any) -> Rows:
    """Rows of an array, a DataFrame, an Arrow stream, a sparse matrix or a list of lists."""
    if is_pandas(data):
        return rows_of_pandas(data)
    if is_arrow(data) and not hasattr(data, "__array_interface__"):
        return rows_of_arrow(data)
    return rows_of_array(data)


def named_column(name: str, values: Any) -> Column:
    """One column of a Series, or of anything that is a list."""
    if hasattr(values, "dtype") and hasattr(values, "iloc"):
        return column_of(name, values)
    return object_column(name, list(values))
