#!/usr/bin/env python3
"""ONNX exports in a browser's runtime: web_tables.py PROGRAM ORT.mjs TABLE.csv[.gz]... -- FLAGS of train

ORT.mjs is the module of onnxruntime-web with its .wasm beside it, run by node. Each table (its target is the last column) is trained on, the
model exported with one input per column, and asked about every row. Prints the largest difference to `coppice predict`."""
from __future__ import annotations

import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tests/exports/onnx"))
from compare import Exported, difference, export, predicted, read_table

TYPES = {"f": "float32", "d": "float64", "l": "int64", "O": "string"}


def as_json(values: np.ndarray) -> dict:
    flat = ["NaN" if value != value else value for value in values.ravel().tolist()]
    return {"type": TYPES[values.dtype.char], "dims": list(values.shape), "data": flat}


def answers(script: str, model: pathlib.Path, exported: Exported, rows: dict[str, list[str]]) -> dict[str, np.ndarray]:
    feed = {name: as_json(values) for name, values in exported.feed(rows).items()}
    said = subprocess.run(["node", HERE / "web.mjs", script, model], input=json.dumps(feed), check=True, capture_output=True, text=True)
    return {name: np.array(one["data"], dtype=object if one["type"] == "string" else None).reshape(one["dims"])
            for name, one in json.loads(said.stdout).items()}


def main() -> None:
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    program, script, *tables = sys.argv[1:split]
    print("| table | rows | largest difference | other classes |\n|---|---|---|---|")
    for source in map(pathlib.Path, tables):
        with tempfile.TemporaryDirectory(prefix="coppice-web-") as place:
            folder, name = pathlib.Path(place), source.name.split(".")[0]
            data = folder / "data.csv"
            data.write_bytes(gzip.open(source).read() if source.suffix == ".gz" else source.read_bytes())
            rows = read_table(data)
            run = folder / "run"
            subprocess.run([program, "train", data, "--target", list(rows)[-1], "--quiet", "-o", run, *sys.argv[split + 1:]], check=True)
            expected = predicted(pathlib.Path(program), run / "model.coppice", data)
            exported = export(pathlib.Path(program), run / "model.coppice", folder / "model.onnx", "--onnx-inputs", "columns")
            far, others = difference(expected, answers(script, folder / "model.onnx", exported, rows))
            print(f"| {name} | {len(expected['prediction'])} | {far:.1e} | {others} |", flush=True)


if __name__ == "__main__":
    main()
