"""What an ONNX file answers to the rows of a csv file, beside the answers of coppice predict."""
from __future__ import annotations

import csv
import datetime
import json
import pathlib
import subprocess

import numpy as np
import onnx
import onnxruntime

TYPES = {"number": np.float32, "text": object, "time": np.float64}
MISSING = {"", "?", "na", "n/a", "nan", "null"}


def seconds(cell: str) -> float:
    """Of a date since 1970, of a time of day since midnight."""
    if len(cell) > 4 and cell[4] == "-":
        moment = datetime.datetime.fromisoformat(cell.replace("Z", "+00:00"))
        moment = moment if moment.tzinfo else moment.replace(tzinfo=datetime.timezone.utc)
        return (moment - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)).total_seconds()
    hours, minutes, *rest = cell.split(":")
    return int(hours) * 3600 + int(minutes) * 60 + sum(map(float, rest))


def cells(kind: str, texts: list[str]) -> np.ndarray:
    """A column of a table as the graph takes it."""
    texts = [text.strip() for text in texts]
    if kind == "text":
        return np.array(texts, dtype=object)
    read = float if kind == "number" else seconds
    return np.array([np.nan if text.lower() in MISSING else read(text) for text in texts], dtype=TYPES[kind])


class Exported:
    """An ONNX file, checked, and what onnxruntime makes of it."""

    def __init__(self, path: pathlib.Path, threads: int = 0) -> None:
        self.model = onnx.load(path)
        onnx.checker.check_model(self.model, full_check=True)
        onnx.shape_inference.infer_shapes(self.model, check_type=True, strict_mode=True, data_prop=True)
        self.told = {entry.key: entry.value for entry in self.model.metadata_props}
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        self.session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    def column(self, column: dict, texts: list[str]) -> np.ndarray:
        made = cells(column["kind"], texts)
        if column["kind"] != "text" or "tensor(string)" in {one.type for one in self.session.get_inputs()}:
            return made
        codes = {text: code for code, text in enumerate(column["texts"])}
        known = ["" if text.lower() in MISSING else text for text in made]
        return np.array([codes.get(text, len(codes)) for text in known], dtype=np.int64)

    def feed(self, table: dict[str, list[str]]) -> dict[str, np.ndarray]:
        """Rows of texts, by column, as the graph's inputs: columns are found by their names."""
        feed: dict[str, list[np.ndarray]] = {}
        for column in json.loads(self.told["columns"]):
            feed.setdefault(column["input"], []).append(self.column(column, table[column["name"]]))
        return {name: np.stack(columns, axis=1) for name, columns in feed.items()}

    def answers(self, table: dict[str, list[str]]) -> dict[str, np.ndarray]:
        names = [output.name for output in self.session.get_outputs()]
        answers = dict(zip(names, self.session.run(names, self.feed(table))))
        classes = json.loads(self.told.get("classes", "[]"))
        if "label" in answers and answers["label"].dtype == np.int64 and not all(name.isdigit() for name in classes):
            answers["label"] = np.array(classes, dtype=object)[answers["label"]]
        return answers


def read_table(path: pathlib.Path) -> dict[str, list[str]]:
    with open(path, newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    return dict(zip(header, map(list, zip(*rows))))


def write_table(path: pathlib.Path, table: dict[str, list[str]]) -> None:
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(table)
        writer.writerows(zip(*table.values()))


def predicted(program: pathlib.Path, model: pathlib.Path, data: pathlib.Path) -> dict[str, list[str]]:
    out = data.with_suffix(".predicted.csv")
    subprocess.run([program, "predict", model, data, "-o", out], check=True, capture_output=True)
    return read_table(out)


def export(program: pathlib.Path, model: pathlib.Path, out: pathlib.Path, *flags: str) -> Exported:
    subprocess.run([program, "export", model, "--to", "onnx", "-o", out, *flags], check=True)
    return Exported(out)


def difference(expected: dict[str, list[str]], answers: dict[str, np.ndarray]) -> tuple[float, int]:
    """The largest difference of probabilities, or of values relative to themselves or, near 0, to their spread; and how
    many classes differ that are no ties."""
    if "variable" in answers:
        values = np.array(expected["prediction"], dtype=float)
        size = np.maximum(np.abs(values), values.std())
        return float(np.max(np.abs(answers["variable"][:, 0] - values) / size)), 0
    chances = np.array([column for name, column in expected.items() if name.startswith("probability_")], dtype=float).T
    top = np.sort(chances, axis=1)
    tie = top[:, -1] - top[:, -2] < 1e-5
    other = answers["label"].astype(str) != np.array(expected["prediction"])
    return float(np.max(np.abs(answers["probabilities"] - chances))), int(np.sum(other & ~tie))
