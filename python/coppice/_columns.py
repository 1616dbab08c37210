"""Rows on their way into the library: a matrix, or columns of numbers, texts and codes."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ._library import Handle, library, texts

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Numbers:
    """float32, float64 or int64; NaN, or what the mask marks, is missing."""

    name: str
    values: Array
    missing: Array | None = None

    def take(self, rows: Array) -> Numbers:
        return replace(self, values=self.values[rows], missing=None if self.missing is None else self.missing[rows])

    def add_to(self, table: Table | GrowingTable) -> None:
        values = np.ascontiguousarray(self.values)
        missing = None if self.missing is None else np.ascontiguousarray(self.missing, dtype=np.uint8)
        table.adding({"f4": "f32", "f8": "f64", "i8": "i64"}[values.dtype.str[1:]])(
            table,
            self.name.encode(),
            values.ctypes.data,
            len(values),
            None if missing is None else missing.ctypes.data,
        )


@dataclass(frozen=True)
class Texts:
    """None is missing, and what a csv file calls missing too."""

    name: str
    values: Sequence[str | None]

    def take(self, rows: Array) -> Texts:
        return replace(self, values=[self.values[row] for row in rows])

    def add_to(self, table: Table | GrowingTable) -> None:
        encoded = [None if text is None else text.encode() for text in self.values]
        array = (ctypes.c_char_p * len(encoded))(*encoded)
        table.adding("texts")(table, self.name.encode(), array, len(encoded))


@dataclass(frozen=True)
class Codes:
    """Indices into categories; a negative one is missing."""

    name: str
    codes: Array
    categories: list[str]

    def take(self, rows: Array) -> Codes:
        return replace(self, codes=self.codes[rows])

    def add_to(self, table: Table | GrowingTable) -> None:
        codes = np.ascontiguousarray(self.codes, dtype=np.int32)
        table.adding("codes")(
            table,
            self.name.encode(),
            codes.ctypes.data,
            len(codes),
            texts(self.categories),
            len(self.categories),
        )


Column = Numbers | Texts | Codes


@dataclass(slots=True)
class Rows:
    """Rows with or without names of their columns; of a matrix (float32, row by row) or of columns."""

    count: int
    width: int
    names: list[str] | None  # None: they have none of their own
    matrix: Array | None = None
    columns: tuple[Column, ...] = ()

    @staticmethod
    def of_matrix(values: Array, names: list[str] | None = None) -> Rows:
        return Rows(count=len(values), width=values.shape[1], names=names, matrix=values)

    @staticmethod
    def of_columns(columns: Sequence[Column], count: int, named: bool = True) -> Rows:
        names = [column.name for column in columns] if named else None
        return Rows(count=count, width=len(columns), names=names, columns=tuple(columns))

    def take(self, rows: Array) -> Rows:
        return replace(
            self,
            count=len(rows),
            matrix=None if self.matrix is None else self.matrix[rows],
            columns=tuple(column.take(rows) for column in self.columns),
        )

    def repeated(self, count: int) -> Rows:
        """So many rows: these, over and over."""
        if self.matrix is not None and not self.columns:
            return Rows(count, self.width, self.names, np.resize(self.matrix, (count, self.width)))
        return self.take(np.arange(count) % self.count)

    def renamed(self, names: list[str] | None) -> Rows:
        """The same under other names."""
        given = names if names is not None else [f"column{i + 1}" for i in range(self.width)]
        columns = tuple(replace(column, name=name) for column, name in zip(self.columns, given, strict=False))
        return replace(self, names=names, columns=columns)

    def table(self) -> Table:
        """As the library's; a matrix is not copied, and lives as long as the table."""
        if self.matrix is None:
            return Table.of(self.columns)
        table = Table.matrix(self.matrix, self.names)
        for column in self.columns:
            column.add_to(table)
        return table

    def with_column(self, column: Column) -> Rows:
        """One more at the end, such as the target."""
        return replace(self, columns=(*self.columns, column))


class Adding(Handle):
    """What columns are added to."""

    def adding(self, what: str) -> Any:
        """The library's function that adds such a column, or more cells of one."""
        return getattr(library(), f"{self.kind}_add_{what}")


class Table(Adding):
    """Rows as the library has them."""

    kind = "table"
    borrowed: Array | None = None

    @classmethod
    def of(cls, columns: Sequence[Column]) -> Table:
        table: Table = cls.made_by(library().table_new)
        for column in columns:
            column.add_to(table)
        return table

    @classmethod
    def matrix(cls, values: Array, names: list[str] | None) -> Table:
        rows, width = values.shape
        stride = values.strides[0] // 4 if rows > 1 else width
        named = None if names is None else texts(names)
        table: Table = cls.made_by(library().table_matrix, values.ctypes.data, rows, width, stride, named)
        table.borrowed = values
        return table

    @classmethod
    def read(cls, path: str) -> Table:
        table: Table = cls.made_by(library().table_read, path.encode(), None, 0)
        return table


class GrowingTable(Adding):
    """Rows that come in batches: a column that is added goes to the end of the one of its name."""

    kind = "growing_table"

    @classmethod
    def within(cls, options: Handle) -> GrowingTable:
        """Cells beyond a quarter of the `memory` of these options lie in a scratch file."""
        table: GrowingTable = cls.made_by(library().growing_table_new, options)
        return table

    def finish(self) -> Table:
        table: Table = Table.made_by(library().growing_table_finish, self)
        return table
