"""Rows from arrays, lists and sparse matrices, with the sentences that scikit-learn's checks know."""

from __future__ import annotations

import math
import numbers
from typing import Any

import numpy as np

from ._columns import Array, Column, Numbers, Rows, Texts

_largest = float(np.finfo(np.float32).max)


def is_sparse(data: Any) -> bool:
    """Of scipy, which is not needed to tell."""
    return type(data).__module__.startswith("scipy.sparse")


def require_shape(data: Any, shape: tuple[int, ...]) -> None:
    """Two dimensions, neither of them empty."""
    if len(shape) < 2:
        raise ValueError(
            f"Expected 2D array, got {'scalar' if not shape else '1D'} array instead: shape={shape}. Reshape your "
            "data either using array.reshape(-1, 1) if your data has a single feature or array.reshape(1, -1) if it "
            "contains a single sample."
        )
    if len(shape) > 2:
        raise ValueError(f"Found array with dim {len(shape)}, while dim <= 2 is required.")
    if shape[0] < 1:
        raise ValueError(f"Found array with 0 sample(s) (shape={shape}) while a minimum of 1 is required.")
    if shape[1] < 1:
        raise ValueError(f"Found array with 0 feature(s) (shape={shape}) while a minimum of 1 is required.")


def _as_float32(array: Array) -> Array:
    """Row by row; an array that is such already is not copied. Infinite numbers are refused."""
    if array.dtype != np.float32:
        with np.errstate(over="ignore"):
            array = array.astype(np.float32, order="C")
    elif array.strides[1] != 4 or array.strides[0] % 4 or array.strides[0] < 4 * array.shape[1]:
        array = np.ascontiguousarray(array)
    # The sum is finite unless a number is not: most arrays are looked at once.
    with np.errstate(over="ignore", invalid="ignore"):
        suspicious = not math.isfinite(float(np.add.reduce(array, axis=None)))
    if suspicious and bool(np.isinf(array).any()):
        raise ValueError("Input X contains infinity or a value too large for dtype('float32').")
    return array


def _large_columns(array: Array, rounded: Array) -> list[int]:
    """Those with numbers far from 0 of which float32 loses digits, as the library sees it (coppice/data/number_range.h)."""
    if array.dtype.itemsize < 4 or array.dtype == np.float32 or array.dtype.kind == "b":
        return []
    if not max(float(np.fmax.reduce(rounded, axis=None)), -float(np.fmin.reduce(rounded, axis=None))) >= 65536:
        return []
    lost = (np.abs(rounded) >= 65536) & (array != rounded)
    return [int(i) for i in np.flatnonzero(lost.any(axis=0))]


def _rows_of_numbers(array: Array) -> Rows:
    """One matrix of float32, or columns where that would lose what some of them tell."""
    rounded = _as_float32(array)
    large = _large_columns(array, rounded)
    if not large:
        return Rows.of_matrix(rounded)
    kind = np.int64 if array.dtype.kind in "iu" and array.dtype != np.uint64 else np.float64
    columns: list[Column] = []
    for i in range(array.shape[1]):
        values = array[:, i].astype(kind) if i in large else rounded[:, i]
        columns.append(Numbers(f"column{i + 1}", values))
    return Rows.of_columns(columns, len(array), named=False)


def object_column(name: str, values: Any) -> Column:
    """Python's own objects: numbers if all of them are, else texts. None and NaN are missing."""
    kept: list[str | None] = []
    all_numbers = True
    found: list[float] = []
    for value in values:
        if value is None or value is getattr(_pandas(), "NA", None) or value != value:
            kept.append(None)
            found.append(math.nan)
        elif isinstance(value, (str, bytes, bool, np.bool_)):
            all_numbers = False
            kept.append(value.decode() if isinstance(value, bytes) else str(value))
        elif isinstance(value, numbers.Real):
            kept.append(_spelled(value))
            found.append(float(value))
        elif hasattr(value, "isoformat"):
            all_numbers = False
            kept.append(str(value.isoformat()))
        else:
            raise TypeError(
                f"column {name!r}: argument must be a string or a real number, not {type(value).__name__!r}; convert such cells"
            )
    return Numbers(name, np.array(found, dtype=np.float64)) if all_numbers else Texts(name, kept)


def moments_column(name: str, values: Array) -> Column:
    """Dates as ISO 8601; with the time of day where a cell has one."""
    present = ~np.isnat(values)
    whole_days = bool((values[present] == values[present].astype("datetime64[D]")).all())
    spelled = np.datetime_as_string(values, unit="D" if whole_days else "s").tolist()
    return Texts(name, [text if there else None for text, there in zip(spelled, present.tolist(), strict=True)])


def _spelled(value: numbers.Real) -> str:
    number = float(value)
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


def _pandas() -> Any:
    import sys

    return sys.modules.get("pandas")


def rows_of_array(data: Any) -> Rows:
    """Anything that numpy makes an array of."""
    if is_sparse(data):
        require_shape(data, data.shape)
        if data.dtype.kind == "c":
            raise ValueError("Complex data not supported")
        return Rows.of_matrix(_as_float32(data.astype(np.float32).toarray(order="C")))
    array = np.asarray(data)
    if array.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{array}\n")
    require_shape(data, array.shape)
    if array.dtype.kind in "fiub":
        return _rows_of_numbers(array)
    if array.dtype.kind not in "OUST":
        raise TypeError(f"X: arrays of {array.dtype} cannot be taken; give numbers, texts or a DataFrame")
    columns = [object_column(f"column{i + 1}", array[:, i].tolist()) for i in range(array.shape[1])]
    if all(isinstance(column, Numbers) for column in columns):
        return _rows_of_numbers(np.stack([c.values for c in columns if isinstance(c, Numbers)], axis=1))
    return Rows.of_columns(columns, len(array), named=False)
