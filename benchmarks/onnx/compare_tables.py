#!/usr/bin/env python3
"""ONNX exports beside coppice itself: compare_tables.py PROGRAM LIBRARY TABLE.csv[.gz]... -- FLAGS of train

Each table (its target is the last column unless --target says otherwise) is trained on, the model exported, and both asked about every row.
Prints the largest difference, and microseconds per row of onnxruntime and of the library, from arrays in memory, on one thread."""
from __future__ import annotations

import argparse
import ctypes
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests/exports/onnx"))
from compare import Exported, cells, difference, export, predicted, read_table


class PredictOptions(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("threads", ctypes.c_size_t), ("cuda", ctypes.c_int), ("threshold", ctypes.c_double),
                ("positive", ctypes.c_char_p)]


class Library:
    """A model in libcoppice, by its C interface."""

    def __init__(self, path: pathlib.Path, model: pathlib.Path) -> None:
        self.c = ctypes.CDLL(str(path))
        self.model = ctypes.c_void_p()
        self.call("coppice_model_load", str(model).encode(), ctypes.byref(self.model))

    def call(self, name: str, *arguments: object) -> None:
        if getattr(self.c, name)(*arguments) != 0:
            sys.exit(f"{name} failed")

    def table(self, columns: list[dict], rows: dict[str, list[str]]) -> ctypes.c_void_p:
        table = ctypes.c_void_p()
        self.call("coppice_table_new", ctypes.byref(table))
        for column in columns:
            name, texts = column["name"].encode(), rows[column["name"]]
            if column["kind"] == "number":
                values = cells("number", texts)
                self.call("coppice_table_add_f32", table, name, values.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(len(texts)), None)
            else:
                self.call("coppice_table_add_texts", table, name, (ctypes.c_char_p * len(texts))(*(text.encode() for text in texts)),
                          ctypes.c_size_t(len(texts)))
        return table

    def predict(self, table: ctypes.c_void_p) -> None:
        prediction = ctypes.c_void_p()
        options = PredictOptions(ctypes.sizeof(PredictOptions), 1, 0, 0, None)
        self.call("coppice_model_predict", self.model, table, ctypes.byref(options), ctypes.byref(prediction))
        self.c.coppice_prediction_free(prediction)


def seconds_of(action: object, least: float = 0.3) -> float:
    """The least of repeated calls that take so long together: what else runs on a machine only adds."""
    action()
    times: list[float] = []
    while sum(times) < least or len(times) < 5:
        since = time.perf_counter()
        action()
        times.append(time.perf_counter() - since)
    return min(times)


def compare(arguments: argparse.Namespace, source: pathlib.Path, folder: pathlib.Path) -> None:
    name = source.name.split(".")[0]
    data = folder / f"{name}.csv"
    data.write_bytes(gzip.open(source).read() if source.suffix == ".gz" else source.read_bytes())
    rows = read_table(data)
    target = arguments.target or list(rows)[-1]
    run = folder / name
    subprocess.run([arguments.program, "train", data, "--target", target, "--quiet", "-o", run, *arguments.flags], check=True)
    model = run / "model.coppice"
    expected = predicted(arguments.program, model, data)
    export(arguments.program, model, folder / f"{name}.onnx", "--onnx-inputs", "matrix")
    exported = Exported(folder / f"{name}.onnx", threads=1)
    far, others = difference(expected, exported.answers(rows))
    columns = json.loads(exported.told["columns"])
    names, counts = [output.name for output in exported.session.get_outputs()], (1, min(1000, len(expected["prediction"])))
    some = [{column: texts[:count] for column, texts in rows.items()} for count in counts]
    feeds = [exported.feed(table) for table in some]
    theirs = [seconds_of(lambda: exported.session.run(names, feed)) for feed in feeds]
    # The library comes last: what one leaves in memory is not to slow down the other.
    library = Library(arguments.library, model)
    tables = [library.table(columns, table) for table in some]
    ours = [seconds_of(lambda: library.predict(table)) for table in tables]
    costs = [1e6 / count * seconds for count, *both in zip(counts, theirs, ours) for seconds in both]
    nets = len(json.loads(subprocess.run([arguments.program, "export", model, "--to", "json"], check=True, capture_output=True).stdout)["nets"])
    print(f"| {name} | {len(expected['prediction'])} | {nets} | {(folder / f'{name}.onnx').stat().st_size / 1000:.0f} | {far:.1e} | {others} | "
          + " | ".join(f"{cost:.3g}" for cost in costs) + " |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("library", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("tables", nargs="+", type=pathlib.Path)
    parser.add_argument("--target")
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    arguments = parser.parse_args(sys.argv[1:split])
    arguments.flags = sys.argv[split + 1:]
    print("| table | rows | nets | kB | largest difference | other classes | one row: onnxruntime | ours | of 1000: onnxruntime | ours |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for source in arguments.tables:
        with tempfile.TemporaryDirectory(prefix="coppice-onnx-") as folder:
            compare(arguments, source, pathlib.Path(folder))


if __name__ == "__main__":
    main()
