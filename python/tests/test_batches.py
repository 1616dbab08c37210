"""Arrow's streams go into the library batch by batch, and become what the whole table becomes."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")
pytestmark = pytest.mark.filterwarnings("ignore::coppice.CoppiceWarning")

import coppice
from coppice._library import library
from coppice._rows import rows_of, table_of
from coppice._settings import Options
from coppice._training import trained

rows = 3000
settings: dict[str, Any] = {"effort": "quick", "ensemble": "off", "lambda_": 0.01, "max_epochs": 3}


def dictionary(values: list[Any], categories: list[str]) -> Any:
    codes = [None if value is None else categories.index(value) for value in values]
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int8()), categories)


def batch(start: int, count: int, kind: int = 0) -> Any:
    """Rows of every type. What a column has only in late batches changes what it is."""
    random = np.random.default_rng(start + 1)
    numbers = random.normal(size=count)
    late = start >= 1000
    words = [["red", "green", None][i] for i in random.integers(0, 3, count)]
    order = [["red", "green"], ["green", "blue", "red"]][late]
    day = datetime.datetime(2024, 1, 1)
    hours = random.integers(0, 2000, count)
    moments = [day + datetime.timedelta(hours=int(hour) if late else int(hour) // 24 * 24) for hour in hours]
    absent = random.random(count) < 0.1
    columns = {
        "float": pa.array(numbers.astype(np.float32), mask=absent),
        "double": pa.array(numbers + (1e9 if late else 0), mask=absent),
        "few": pa.array(numbers if late else np.rint(numbers)),
        "count": pa.array(random.integers(0, 9, count).astype(np.int16), mask=absent),
        "large": pa.array(random.integers(2**50, 2**50 + 9000, count)),
        "flag": pa.array(numbers > 1, mask=absent),
        "word": pa.array(words),
        "colour": dictionary(words, order),
        "date": pa.array(moments).cast(pa.date32()),
        "moment": pa.array([None if gone else one for one, gone in zip(moments, absent.tolist(), strict=True)]),
        "nothing": pa.nulls(count),
        "answer": dictionary(["yes" if number > 0 else "no" for number in numbers], ["no", "yes"] if late else ["yes", "no"]),
    }
    return pa.record_batch(columns)


def batches(size: int = 400) -> list[Any]:
    return [batch(start, min(size, rows - start)) for start in range(0, rows, size)]


def reader(parts: list[Any]) -> Any:
    return pa.RecordBatchReader.from_batches(parts[0].schema, iter(parts))


def whole(parts: list[Any]) -> Any:
    """What it is without batches: every column at once."""
    return rows_of(pa.Table.from_batches(parts)).table()


def models_of(data: Any, **more: Any) -> list[bytes]:
    return [net.bytes() for net in coppice.train(data, "answer", **settings, **more).nets]


def models_of_whole(parts: list[Any], **more: Any) -> list[bytes]:
    options = Options.of({"target": "answer", **settings, **more})
    return [net.bytes() for net in trained(library().train, [whole(parts), options]).nets]


@pytest.fixture(scope="module")
def wanted() -> list[bytes]:
    return models_of_whole(batches())


@pytest.mark.parametrize("size", [400, 999, 7000])
def test_the_same_models(wanted: list[bytes], size: int) -> None:
    parts = pa.Table.from_batches(batches()).combine_chunks().to_batches(max_chunksize=size)
    assert models_of(reader(parts)) == wanted


def test_dictionaries_that_differ_from_batch_to_batch(wanted: list[bytes]) -> None:
    parts = batches()
    assert parts[0].column("colour").dictionary != parts[-1].column("colour").dictionary
    assert models_of(reader(parts)) == wanted
    assert models_of(reader([parts[0].slice(0, 0), *parts])) == wanted  # one that is empty


def test_slices_of_batches(wanted: list[bytes]) -> None:
    parts = [piece for part in batches() for piece in (part.slice(0, 130), part.slice(130))]
    assert models_of(reader(parts)) == wanted


def test_a_late_time_of_day_spells_all_moments() -> None:
    def moments(late: bool) -> Any:
        days = [datetime.datetime(2024, 1, 1 + i % 3, 6 if late and i % 2 else 0) for i in range(300)]
        answers = ["yes" if day.day == 2 or day.hour else "no" for day in days]
        return pa.record_batch({"moment": pa.array(days, pa.timestamp("ms")), "n": range(300), "answer": answers})

    parts = [moments(late=False), moments(late=True)]
    assert models_of(reader(parts), categorical=["moment"]) == models_of_whole(parts, categorical=["moment"])


def test_a_data_set_of_parquet_files(tmp_path: Path, wanted: list[bytes]) -> None:
    dataset = pytest.importorskip("pyarrow.dataset")
    parquet = pytest.importorskip("pyarrow.parquet")
    every = pa.Table.from_batches(batches())
    for i, start in enumerate(range(0, rows, 1500)):
        parquet.write_table(every.slice(start, 1500), tmp_path / f"{i}.parquet", row_group_size=200)
    files = dataset.dataset(tmp_path)
    assert models_of(files.scanner(batch_size=150).to_reader()) == wanted
    assert models_of(files.to_table()) == wanted


def test_predictions_of_batches() -> None:
    model = coppice.train(reader(batches()), "answer", **settings).model
    parts = batches()
    found = model.predict(reader(parts))
    every = model.predict_rows(whole(parts))
    assert np.array_equal(found.probabilities, every.probabilities) and len(found.labels) == rows
    assert model.evaluate(reader(parts)) == model.evaluate(pa.Table.from_batches(parts))


class Counted:
    """Makes batches, and looks how much of Arrow's memory there is whenever it is asked for one."""

    schema = pa.schema([("x", pa.float64()), ("word", pa.string()), ("n", pa.int64())])

    def __init__(self, count: int, size: int) -> None:
        self.count, self.size, self.most = count, size, 0
        self.before = pa.total_allocated_bytes()

    def __iter__(self) -> Iterator[Any]:
        for i in range(self.count):
            self.most = max(self.most, pa.total_allocated_bytes() - self.before)
            values = [float(i * self.size + k) for k in range(self.size)]
            words = ["same text, which is long" for _ in values]
            yield pa.record_batch([pa.array(values), pa.array(words), pa.array(list(range(self.size)))], self.schema)

    def reader(self) -> Any:
        return pa.RecordBatchReader.from_batches(self.schema, iter(self))


def test_no_batch_is_kept() -> None:
    size = 2000
    one = sum(column.nbytes for column in next(iter(Counted(1, size))).columns)
    kept, streamed = Counted(60, size), Counted(60, size)
    whole = kept.reader().read_all()
    assert kept.most > 50 * one  # what the count says of who keeps them
    del whole
    table_of(streamed.reader())
    assert streamed.most < one  # not even the last one is there when the next one is asked for


def test_cells_beyond_the_memory_lie_in_a_scratch_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", "/there/is/none")
    with pytest.raises(OSError, match="/there/is/none"):
        coppice.train(Counted(60, 2000).reader(), "n", memory=1_000_000)


def test_what_is_refused() -> None:
    def streamed(*parts: Any) -> Any:
        return reader(list(parts))

    good = pa.record_batch({"a": [1.0, 2.0], "b": ["x", "y"]})
    with pytest.raises(ValueError, match="infinite") as told:
        table_of(streamed(good, pa.record_batch({"a": [1.0, float("inf")], "b": ["x", "y"]})))
    assert told.value.column == "a" and told.value.row == 3  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="0 sample"):
        table_of(streamed(good.slice(0, 0)))
    with pytest.raises(ValueError, match='there is a column "a" already'):
        table_of(streamed(pa.record_batch([pa.array([1]), pa.array([2])], names=["a", "a"])))
    with pytest.raises(TypeError, match="'c': list"):
        table_of(pa.table({"c": [[1, 2], [3]]}))

    def failing() -> Iterator[Any]:
        yield good
        raise RuntimeError("the disk is gone")

    with pytest.raises(Exception, match="the disk is gone"):
        table_of(pa.RecordBatchReader.from_batches(good.schema, failing()))
