"""Answers in the container that the rows came in: a Series or a DataFrame of pandas or polars, an Array or a Table of pyarrow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._columns import Array
from ._from_arrow import is_arrow
from ._from_pandas import is_pandas


def require_output(output: str) -> None:
    if output not in ("numpy", "container"):
        raise ValueError(f"`output` {output!r}: must be numpy or container")


def _is_polars(X: Any) -> bool:
    return type(X).__module__.split(".")[0] == "polars"


def like(X: Any, values: Array, name: str) -> Any:
    """One answer per row."""
    if is_pandas(X):
        import pandas

        return pandas.Series(values, index=X.index, name=name)
    if _is_polars(X):
        import polars

        return polars.Series(name, values.tolist() if values.dtype == object else values)
    if is_arrow(X):
        import pyarrow

        return pyarrow.array(values)
    return values


def table_like(X: Any, values: Array, names: Sequence[Any]) -> Any:
    """Several answers per row. Where names have to be texts, they become texts."""
    if is_pandas(X):
        import pandas

        return pandas.DataFrame(values, index=X.index, columns=list(names))
    columns = {str(name): values[:, i] for i, name in enumerate(names)}
    if _is_polars(X):
        import polars

        return polars.DataFrame(columns)
    if is_arrow(X):
        import pyarrow

        return pyarrow.table(columns)
    return values
