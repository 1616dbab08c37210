"""Rows of arrays in an order of their own, so that the order in which they come does not matter."""

from __future__ import annotations

import numpy as np

from ._columns import Array, Rows

most_rows = 10_000  # where sorting and repeating cost nothing beside a training


def _repeats(weights: Array | None) -> Array | None:
    """How often each row counts, if that is a whole number of times."""
    if weights is None or not bool(np.isfinite(weights).all()) or bool((weights < 0).any()):
        return None
    whole = np.rint(weights)
    return whole.astype(np.int64) if bool((whole == weights).all()) and whole.sum() >= 1 else None


def _plain(matrix: Array) -> Array:
    """A copy in which the same numbers are the same bytes: -0 is 0, and there is one NaN."""
    cells = np.ascontiguousarray(matrix + np.float32(0))
    cells[np.isnan(cells)] = np.nan
    return cells


def _sorted(cells: Array, target: Array) -> Array:
    """Rows by the bytes of their cells, then by the target, then by the first column: a stable order of all of them."""
    order = np.argsort(cells.view([("row", np.void, cells.shape[1] * 4)])["row"].ravel(), kind="stable")
    order = order[np.argsort(target[order], kind="stable")]
    return order[np.argsort(cells[order, 0], kind="stable")]


def in_order(row_order: str, rows: Rows, target: Array, weights: Array | None) -> tuple[Rows, Array, Array | None]:
    """Rows, target and weights as a training takes them. Whole weights become repeated rows where rows are sorted."""
    if row_order not in ("auto", "given", "sorted"):
        raise ValueError(f"`row_order` {row_order!r}: must be auto, given or sorted")
    matrix = rows.matrix
    if row_order == "given" or matrix is None or rows.names is not None:
        if row_order == "sorted":
            raise ValueError("`row_order` sorted: only rows of arrays of numbers can be sorted; say given")
        return rows, target, weights
    repeats = _repeats(weights)
    count = len(target) if repeats is None else int(repeats.sum())
    if row_order == "auto" and max(count, len(target)) > most_rows:
        return rows, target, weights
    cells = _plain(matrix)
    order = _sorted(cells, target)
    if repeats is not None:
        order, weights = np.repeat(order, repeats[order]), None
    return Rows.of_matrix(cells[order]), target[order], None if weights is None else weights[order]
