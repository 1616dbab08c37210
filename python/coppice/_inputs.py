"""What fit and predict are given, checked; sentences as scikit-learn has them."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ._base import DataConversionWarning
from ._columns import Array, Rows
from ._from_numpy import is_sparse


def target_array(y: Any, estimator: str) -> Array:
    """One answer per row."""
    if y is None:
        raise ValueError(f"requires y to be passed, but the target y is None; {estimator} learns from answers")
    if is_sparse(y):
        raise TypeError("Sparse data was passed for y, but dense data is required; use y.toarray()")
    array = y.to_numpy() if hasattr(y, "to_numpy") else np.asarray(y)
    if array.ndim == 2 and array.shape[1] == 1:
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected. Please change the shape of y to "
            "(n_samples,), for example using ravel().",
            DataConversionWarning,
            stacklevel=5,
        )
        array = array.ravel()
    if array.ndim != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {array.shape} instead.")
    if array.dtype.kind == "c":
        raise ValueError("Complex data not supported: y")
    if array.dtype.kind == "f":
        if bool(np.isnan(array).any()):
            raise ValueError("Input y contains NaN.")
        if bool(np.isinf(array).any()):
            raise ValueError("Input y contains infinity or a value too large for dtype('float64').")
    elif array.dtype.kind == "O" and any(value is None or value != value for value in array):
        raise ValueError("Input y contains NaN.")
    return array


def weight_array(weights: Any, rows: int) -> Array | None:
    """One weight per row."""
    if weights is None:
        return None
    array = np.asarray(weights, dtype=np.float64)
    if array.ndim == 0:
        array = np.full(rows, float(array))
    if array.ndim != 1:
        raise ValueError(f"Sample weights must be 1D array or scalar, got {array.ndim}D array.")
    if len(array) != rows:
        raise ValueError(f"sample_weight.shape == {array.shape}, expected {(rows,)}!")
    if bool(np.isnan(array).any()):
        raise ValueError("Input sample_weight contains NaN.")
    if rows and not bool(array.any()):
        raise ValueError("Sample weights must contain at least one non-zero number.")
    return array


def require_rows(rows: Rows, y: Array) -> None:
    if rows.count != len(y):
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: [{rows.count}, {len(y)}]; X and y need as many"
        )
    if rows.count < 2:
        raise ValueError("Found array with 1 sample(s), n_samples=1, while a minimum of 2 is required; add rows")


def free_name(wanted: str, names: list[str] | None, width: int) -> str:
    """A name that no column has."""
    taken = set(names) if names is not None else {f"column{i + 1}" for i in range(width)}
    while wanted in taken:
        wanted += "_"
    return wanted
