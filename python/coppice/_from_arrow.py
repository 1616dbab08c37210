"""Rows from what speaks Arrow's stream (`__arrow_c_stream__`): polars, pyarrow, duckdb. pyarrow reads it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._columns import Array, Codes, Column, GrowingTable, Numbers, Rows, Table, Texts
from ._errors import error_of
from ._from_numpy import moments_column, require_shape
from ._settings import Options


def is_arrow(data: Any) -> bool:
    return hasattr(data, "__arrow_c_stream__")


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError("X speaks Arrow: install pyarrow to hand it in, or convert it to pandas") from error
    return pyarrow


def _column(name: str, values: Any) -> Column:
    pa = _pyarrow()
    kind = values.type
    missing = values.is_null().to_numpy(zero_copy_only=False)
    mask = missing if bool(missing.any()) else None
    if pa.types.is_dictionary(kind):
        return _codes(name, values)
    if pa.types.is_boolean(kind):
        codes = values.fill_null(False).to_numpy(zero_copy_only=False).astype(np.int32)
        codes[missing] = -1
        return Codes(name, codes, ["False", "True"])
    if pa.types.is_integer(kind) and not pa.types.is_uint64(kind):
        return Numbers(name, values.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False), mask)
    if pa.types.is_float32(kind):
        return Numbers(name, values.fill_null(0).to_numpy(zero_copy_only=False), mask)
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return Numbers(name, values.cast(pa.float64(), safe=False).fill_null(0).to_numpy(zero_copy_only=False), mask)
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        return moments_column(name, _moments(values))
    if pa.types.is_duration(kind):
        return Numbers(name, values.cast(pa.duration("ns")).cast(pa.int64()).cast(pa.float64()).to_numpy() / 1e9)
    if pa.types.is_time(kind):
        return Texts(name, [None if one is None else one.isoformat() for one in values.to_pylist()])
    if pa.types.is_null(kind):
        return Texts(name, [None] * len(values))
    try:
        return Texts(name, values.cast(pa.large_string()).to_pylist())
    except pa.ArrowException as error:
        raise TypeError(f"column {name!r}: {kind} cannot be taken; give numbers, texts or dates") from error


def _moments(values: Any) -> Array:
    """Those with a time zone are kept as UTC."""
    moments: Array = values.cast(_pyarrow().timestamp("ns")).to_numpy(zero_copy_only=False)
    return moments.astype("datetime64[s]")


def _codes(name: str, values: Any) -> Column:
    """Categories keep their order, whatever the chunks say."""
    whole = values.unify_dictionaries().combine_chunks()
    chunk = whole.chunk(0) if hasattr(whole, "chunk") else whole
    codes = chunk.indices.cast(_pyarrow().int32()).fill_null(-1).to_numpy(zero_copy_only=False)
    return Codes(name, codes, [str(one) for one in chunk.dictionary.to_pylist()])


def rows_of_arrow(data: Any) -> Rows:
    table = _pyarrow().RecordBatchReader.from_stream(data).read_all()
    require_shape(data, table.shape)
    columns = [_column(name, table.column(i)) for i, name in enumerate(table.column_names)]
    return Rows.of_columns(columns, table.num_rows)


class _Moments:
    """Dates of all batches, 8 bytes each: one with a time of day changes how all the others are spelled."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.parts: list[Array] = []

    def column(self) -> Column:
        return moments_column(self.name, np.concatenate(self.parts))


def _add_batch(table: GrowingTable, batch: Any, moments: dict[int, _Moments]) -> None:
    cells = _pyarrow().Table.from_batches([batch])
    for i, name in enumerate(cells.column_names):
        values = cells.column(i)
        if i in moments:
            moments[i].parts.append(_moments(values))
            Texts(name, []).add_to(table)  # its place among the columns
        else:
            _column(name, values).add_to(table)


def table_of_arrow(data: Any, options: Options) -> Table:
    """The library's table of a stream, batch by batch: each is let go before the next one is asked for."""
    pa = _pyarrow()
    reader = pa.RecordBatchReader.from_stream(data)
    names = reader.schema.names
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise error_of(1, f'the table: there is a column "{twice}" already; rename one of them', "", twice, -1)
    moments = {
        i: _Moments(field.name)
        for i, field in enumerate(reader.schema)
        if pa.types.is_timestamp(field.type) or pa.types.is_date64(field.type)
    }
    table = GrowingTable.within(options)
    count = 0
    for batch in reader:
        count += batch.num_rows
        _add_batch(table, batch, moments)
        del batch  # or it would stay until the next one is there
    require_shape(data, (count, len(names)))
    for one in moments.values():
        one.column().add_to(table)
    return table.finish()
