"""Rows from a DataFrame of pandas: each column as a csv file of it would have it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._columns import Codes, Column, Numbers, Rows
from ._from_numpy import moments_column, object_column, require_shape, rows_of_array


def is_pandas(data: Any) -> bool:
    return type(data).__module__.split(".")[0] == "pandas" and hasattr(data, "columns")


def _numbers(name: str, series: Any) -> Column:
    """Numbers of numpy, or of pandas with a mask."""
    missing = None
    if not isinstance(series.dtype, np.dtype):
        missing = series.isna().to_numpy(dtype=bool)
        kind = "f8" if series.dtype.kind == "f" else "i8"
        values = series.to_numpy(dtype=kind, na_value=0)
    else:
        values = series.to_numpy()
    if values.dtype.kind == "f":
        wanted = values.dtype if values.dtype in (np.float32, np.float64) else np.dtype(np.float64)
        values = values.astype(wanted, copy=False)
        if bool(np.isinf(values).any()):
            raise ValueError(f"Input X contains infinity in column {name!r}; mark such cells as missing")
    elif values.dtype == np.uint64 and len(values) and int(values.max()) > np.iinfo(np.int64).max:
        values = values.astype(np.float64)
    else:
        values = values.astype(np.int64, copy=False)
    return Numbers(name, values, missing if missing is not None and bool(missing.any()) else None)


def _category(name: str, series: Any) -> Column:
    codes = series.cat.codes.to_numpy()
    return Codes(name, codes, [str(one) for one in series.cat.categories])


def _flags(name: str, series: Any) -> Column:
    missing = series.isna().to_numpy(dtype=bool)
    codes = series.fillna(False).to_numpy(dtype=bool).astype(np.int32)
    codes[missing] = -1
    return Codes(name, codes, ["False", "True"])


def _moments(name: str, series: Any) -> Column:
    """In time zones: as UTC."""
    if getattr(series.dt, "tz", None) is not None:
        series = series.dt.tz_convert("UTC").dt.tz_localize(None)
    return moments_column(name, series.to_numpy(dtype="datetime64[s]"))


def column_of(name: str, series: Any) -> Column:
    """What a Series is to the library."""
    kind = getattr(series.dtype, "kind", "O")
    if type(series.dtype).__name__ == "CategoricalDtype":
        return _category(name, series)
    if kind == "b":
        return _flags(name, series)
    if kind in "fiu":
        return _numbers(name, series)
    if kind == "M":
        return _moments(name, series)
    if kind == "m":
        seconds = series.dt.total_seconds().to_numpy(dtype=np.float64, na_value=np.nan)
        return Numbers(name, seconds)
    if kind == "c":
        raise ValueError(f"Complex data not supported: column {name!r}")
    return object_column(name, series.astype(object).tolist())


def names_of(labels: list[Any]) -> list[str] | None:
    """Names if all are texts, none if none is; a mixture is a mistake, as in scikit-learn."""
    kinds = sorted({type(label).__name__ for label in labels if not isinstance(label, str)})
    if not kinds:
        return labels
    if len(kinds) == len({type(label).__name__ for label in labels}):
        return None
    raise TypeError(
        "Feature names are only supported if all input features have string names, but your input has "
        f"{['str', *kinds]} as feature name / column name types. If you want feature names to be stored and "
        "validated, you must convert them all to strings, by using X.columns = X.columns.astype(str) for example."
    )


def rows_of_pandas(frame: Any) -> Rows:
    require_shape(frame, frame.shape)
    names = names_of(list(frame.columns))
    if names is not None and len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"X: there are two columns {twice!r}; rename one of them")
    given = names if names is not None else [f"column{i + 1}" for i in range(frame.shape[1])]
    columns = [column_of(name, frame.iloc[:, i]) for i, name in enumerate(given)]
    if names is None and all(isinstance(column, Numbers) and column.missing is None for column in columns):
        return rows_of_array(frame.to_numpy())  # nothing but a matrix: it has no names
    return Rows.of_columns(columns, len(frame), named=names is not None)
