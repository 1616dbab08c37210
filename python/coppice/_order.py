"""Rows of arrays in an order of their own, so that the order in which they come does not matter."""

from __future__ import annotations

from dataclasses import dataclass

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


def _by_chance(cells: Array) -> bool:
    """Whether two of these rows, all different, could have been the same by chance: those of a few categories are now and
    then, those with numbers of many digits never."""
    count = len(cells)
    pairs = count * (count - 1) / 2  # that agree in the columns so far, were they independent
    for column in cells.T:
        if pairs < 1:
            return False
        often = np.unique(column, return_counts=True)[1].astype(np.float64)
        pairs *= float((often * (often - 1)).sum()) / (count * (count - 1))
    return pairs >= 1


def _groups(cells: Array, target: Array) -> Array | None:
    """Of rows in order: a number for each row and its repetitions. None if there are none, or if chance makes them."""
    fresh = np.ones(len(cells), np.bool_)
    fresh[1:] = (cells[1:].view(np.uint32) != cells[:-1].view(np.uint32)).any(axis=1) | (target[1:] != target[:-1])
    if bool(fresh.all()) or int(fresh.sum()) < 2 or _by_chance(cells[fresh]):
        return None
    return np.cumsum(fresh)


@dataclass(frozen=True)
class Ordered:
    """Rows as a training takes them. Rows of one group are to be on one side of a split."""

    rows: Rows
    target: Array
    weights: Array | None
    groups: Array | None = None


def in_order(row_order: str, rows: Rows, target: Array, weights: Array | None) -> Ordered:
    """Whole weights become repeated rows where rows are sorted."""
    if row_order not in ("auto", "given", "sorted"):
        raise ValueError(f"`row_order` {row_order!r}: must be auto, given or sorted")
    matrix = rows.matrix
    if row_order == "given" or matrix is None or rows.names is not None:
        if row_order == "sorted":
            raise ValueError("`row_order` sorted: only rows of arrays of numbers can be sorted; say given")
        return Ordered(rows, target, weights)
    repeats = _repeats(weights)
    count = len(target) if repeats is None else int(repeats.sum())
    if row_order == "auto" and max(count, len(target)) > most_rows:
        return Ordered(rows, target, weights)
    cells = _plain(matrix)
    order = _sorted(cells, target)
    if repeats is not None:
        order, weights = np.repeat(order, repeats[order]), None
    cells, target = cells[order], target[order]
    return Ordered(Rows.of_matrix(cells), target, None if weights is None else weights[order], _groups(cells, target))
