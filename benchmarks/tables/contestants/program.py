"""Coppice as its users start it: csv files in, csv file out. Seconds are those of the whole program."""
from __future__ import annotations

import csv
import json
import pathlib
import subprocess
import tempfile

import numpy as np

from data import TARGET, Table

from .base import Contestant, Prediction, Size

FLAGS = ["--threads", "1", "--device", "cpu"]


def call(*command: str | pathlib.Path) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        said = done.stderr.strip().splitlines() or ["nothing said"]
        raise RuntimeError(f"coppice {command[1]} ended with {done.returncode}: {said[-1]}")
    return done.stdout


def has_flag(program: str | pathlib.Path, flag: str) -> bool:
    return flag in call(program, "train", "--help")


class Program(Contestant):
    def __init__(self, program: str, flags: list[str], classes: int, seed: int) -> None:
        super().__init__(classes, seed)
        self.program, self.flags = program, flags
        self.kept = tempfile.TemporaryDirectory(prefix="coppice-tables-")
        self.folder = pathlib.Path(self.kept.name)
        self.files = 0

    def take(self, rows: Table) -> pathlib.Path:
        """The first file has the target, those to predict have not."""
        self.labels = rows.labels
        file = self.folder / f"rows-{self.files}.csv"
        columns = {column.name: column.cells for column in rows.columns}
        if self.files == 0:
            columns[TARGET] = rows.target_cells
        self.files += 1
        with file.open("w", newline="", encoding="utf-8") as out:
            writer = csv.writer(out)
            writer.writerow(columns)
            writer.writerows(zip(*columns.values()))
        return file

    def fit(self, taken: pathlib.Path, rows: Table) -> None:
        call(self.program, "train", taken, "--target", TARGET, "--seed", str(self.seed), "--quiet", "-o",
             self.folder / "run", *FLAGS, *self.flags)

    def predict(self, taken: pathlib.Path) -> Prediction:
        answers = self.folder / "answers.csv"
        call(self.program, "predict", self.folder / "run", taken, "-o", answers, *FLAGS)
        with answers.open(newline="", encoding="utf-8") as file:
            found = list(csv.DictReader(file))
        if not self.classes:
            return Prediction(np.array([float(row["prediction"]) for row in found]))
        known = [f"probability_{label}" for label in self.labels]
        probabilities = np.array([[float(row.get(name, 0)) for name in known] for row in found])
        return Prediction(np.array([self.labels.index(row["prediction"]) for row in found]), probabilities)

    def size(self) -> Size:
        model = self.folder / "run" / "model.coppice"
        return Size(model.stat().st_size, int(json.loads(call(self.program, "inspect", model, "--json"))["parameters"]))

    def versions(self) -> str:
        return call(self.program, "--version").strip()


def make(name: str, classes: int, seed: int, program: str | None) -> Contestant:
    if not program:
        raise ValueError(f"{name} needs a program")
    return Program(program, ["--ensemble", "off"] if name == "coppice-single" else [], classes, seed)
