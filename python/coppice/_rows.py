"""Any table that Python knows, as rows for the library."""

from __future__ import annotations

from typing import Any

from ._columns import Column, Rows, Table
from ._from_arrow import is_arrow, rows_of_arrow, table_of_arrow
from ._from_numpy import object_column, rows_of_array
from ._from_pandas import column_of, is_pandas, rows_of_pandas
from ._settings import Options


def rows_of(data: Any) -> Rows:
    """Rows of an array, a DataFrame, an Arrow stream, a sparse matrix or a list of lists."""
    if is_pandas(data):
        return rows_of_pandas(data)
    if _comes_by_arrow(data):
        return rows_of_arrow(data)
    return rows_of_array(data)


def _comes_by_arrow(data: Any) -> bool:
    return is_arrow(data) and not is_pandas(data) and not hasattr(data, "__array_interface__")


def table_of(data: Any, options: Options | None = None) -> Table:
    """The same rows as the library's; an Arrow stream is never in memory as a whole."""
    if _comes_by_arrow(data):
        return table_of_arrow(data, options or Options.of({}))
    return rows_of(data).table()


def named_column(name: str, values: Any) -> Column:
    """One column of a Series, or of anything that is a list."""
    if hasattr(values, "dtype") and hasattr(values, "iloc"):
        return column_of(name, values)
    return object_column(name, list(values))
