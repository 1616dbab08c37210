"""Tables from csv.gz files with a column `target__`, and their splits into rows to train and rows to test."""
from __future__ import annotations

import csv
import gzip
import hashlib
import pathlib
from dataclasses import dataclass

import numpy as np

TARGET = "target__"
MISSING = frozenset(("", "na", "n/a", "nan", "null", "?"))  # in any case, as the program takes them
TEST_SHARE = 0.3
CLASSES_AT_MOST = 20  # a target of numbers with more distinct values than this is a number to predict


@dataclass(frozen=True)
class Column:
    """A column as it stands in the file, and its numbers if every cell that is not missing is one."""

    name: str
    cells: np.ndarray  # of str; "" where missing
    numbers: np.ndarray | None  # nan where missing

    def rows(self, chosen: np.ndarray) -> Column:
        return Column(self.name, self.cells[chosen], None if self.numbers is None else self.numbers[chosen])


@dataclass(frozen=True)
class Table:
    name: str
    columns: tuple[Column, ...]
    target_cells: np.ndarray  # of str, as in the file
    target: np.ndarray  # codes of the classes, or numbers
    labels: tuple[str, ...]  # names of the classes, sorted; none for numbers
    digest: str  # of the file

    @property
    def classes(self) -> bool:
        return bool(self.labels)

    def __len__(self) -> int:
        return len(self.target)

    def rows(self, chosen: np.ndarray) -> Table:
        columns = tuple(column.rows(chosen) for column in self.columns)
        return Table(self.name, columns, self.target_cells[chosen], self.target[chosen], self.labels, self.digest)


def as_numbers(cells: np.ndarray) -> np.ndarray | None:
    try:
        numbers = np.array([float(cell) if cell else np.nan for cell in cells])
    except ValueError:
        return None
    return None if np.isnan(numbers).all() else numbers


def make(name: str, header: list[str], rows: list[list[str]], digest: str = "") -> Table:
    for number, row in enumerate(rows, 2):
        if len(row) != len(header):
            raise ValueError(f"{name}: row {number} has {len(row)} cells, the header {len(header)}")
    cells = np.array([["" if cell.lower() in MISSING else cell for cell in row] for row in rows], dtype=object)
    columns = [Column(title, cells[:, i], as_numbers(cells[:, i])) for i, title in enumerate(header)]
    if TARGET not in header:
        raise ValueError(f"{name}: there is no column {TARGET}")
    goal = columns.pop(header.index(TARGET))
    if any(cell == "" for cell in goal.cells):
        raise ValueError(f"{name}: cells of {TARGET} are missing")
    if goal.numbers is not None and len(np.unique(goal.numbers)) > CLASSES_AT_MOST:
        return Table(name, tuple(columns), goal.cells, goal.numbers, (), digest)
    labels = sorted(set(goal.cells))
    codes = np.array([labels.index(cell) for cell in goal.cells])
    return Table(name, tuple(columns), goal.cells, codes, tuple(labels), digest)


def digest_of(file: pathlib.Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:12]


def load(file: pathlib.Path) -> Table:
    with gzip.open(file, "rt", newline="", encoding="utf-8") as text:
        header, *rows = csv.reader(text)
    return make(file.name.removesuffix(".csv.gz"), header, rows, digest_of(file))


def find(folder: pathlib.Path) -> dict[str, pathlib.Path]:
    """The tables of a folder by name."""
    return {file.name.removesuffix(".csv.gz"): file for file in sorted(folder.glob("*.csv.gz"))}


def split(table: Table, number: int) -> tuple[Table, Table]:
    """Rows to train and to test. RandomState's numbers are the same in every release of numpy.

    Of each class the same share is tested, and at least one row trains, so that no class is new to a method.
    """
    random = np.random.RandomState(number)
    groups = [np.flatnonzero(table.target == code) for code in range(len(table.labels))] or [np.arange(len(table))]
    train, test = [], []
    for group in groups:
        shuffled = random.permutation(group)
        tested = min(round(TEST_SHARE * len(group)), len(group) - 1)
        test.append(shuffled[:tested])
        train.append(shuffled[tested:])
    return (table.rows(random.permutation(np.concatenate(train))), table.rows(random.permutation(np.concatenate(test))))
