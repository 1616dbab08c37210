#!/usr/bin/env python3
"""examples/read_model.py beside coppice predict: reader_test.py PROGRAM. Skipped (77) where no python3 has numpy."""
from __future__ import annotations

import array
import csv
import importlib.util
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
VENV_PYTHON = ROOT / "build/onnx-venv/bin/python"  # ./run test makes it

if not importlib.util.find_spec("numpy"):
    if not VENV_PYTHON.exists() or pathlib.Path(sys.prefix) == VENV_PYTHON.parents[1]:
        print("skipped: python3 has no numpy; apt-get install python3-numpy, or ./run test where PyPI can be reached")
        sys.exit(77)
    os.execv(VENV_PYTHON, [str(VENV_PYTHON), *sys.argv])

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
KEPT = ROOT / "tests/model/kept"


def lines(text: str) -> list[list[str]]:
    return list(csv.reader(text.splitlines()))


def with_a_plain_net(data: bytes) -> bytes:
    """A model file whose second net has lost its weights of bins."""
    (size,) = struct.unpack_from("<Q", data, 16)
    header, floats = json.loads(data[24:24 + size]), array.array("f", data[24 + size:])
    plain: list[bool] = []
    for column in header["encoding"]["columns"]:
        others = len(column["categories"]) + 1 if column["kind"] == "text" else 1 + column["indicator"]
        plain += [True] * others + [False] * max(len(column.get("edges", [])) - 1, 0)
    outputs = header["layers"][-1]["units"] if header["prior_offset"] else 0
    begin = 2 * len(plain) + sum(layer["units"] * (layer["fan_in"] + 2) for layer in header["layers"]) + outputs
    second = header["others"][0]
    end = begin + second["layers"][0]["units"] * len(plain)
    assert second["layers"][0]["fan_in"] == len(plain) > sum(plain)
    kept = array.array("f", (x for i, x in enumerate(floats[begin:end]) if plain[i % len(plain)]))
    second["plain"], second["layers"][0]["fan_in"] = True, sum(plain)
    text = json.dumps(header).encode()
    text += b" " * (-(len(text) + 24) % 64)
    body = struct.pack("<Q", len(text)) + text + (floats[:begin] + kept + floats[end:]).tobytes()
    return data[:12] + struct.pack("<I", zlib.crc32(body)) + body


class Reader(unittest.TestCase):
    def read(self, *arguments: object) -> subprocess.CompletedProcess:
        return subprocess.run([sys.executable, ROOT / "examples/read_model.py", *map(str, arguments)], capture_output=True, text=True)

    def compare(self, model: pathlib.Path, rows: pathlib.Path) -> None:
        expected = lines(subprocess.run([PROGRAM, "predict", model, rows], check=True, capture_output=True, text=True).stdout)
        read = self.read(model, rows)
        self.assertEqual(read.stderr, "")
        answered = lines(read.stdout)
        self.assertEqual(answered[0], expected[0])
        self.assertEqual(len(answered), len(expected))
        for one, other in zip(answered[1:], expected[1:]):
            for cell, right in zip(one, other, strict=True):
                if cell != right:
                    self.assertAlmostEqual(float(cell), float(right), delta=2e-6 * max(1, abs(float(right))))

    def test_predicts_what_the_program_predicts(self) -> None:
        models = sorted(KEPT.glob("*.coppice"))
        self.assertEqual(len(models), 5)
        for model in models:
            with self.subTest(model=model.name):
                self.compare(model, KEPT / "rows.csv")

    def test_predicts_with_models_of_this_version(self) -> None:
        """Classes with odd names and numbers, one net and several, with bins and without, one scale for all as of images."""
        kinds = [
            ("kind", "--ensemble", "3", "--encode", "bins"),
            ("kind", "--ensemble", "off", "--scale", "global", "--activation", "abs"),
            ("price", "--ensemble", "3"),
            ("price", "--ensemble", "off", "--scale", "none", "--ignore", "day,moment"),
        ]
        header, *rows = (KEPT / "rows.csv").read_text(encoding="utf-8").splitlines(keepends=True)
        for target, *flags in kinds:
            with self.subTest(target=target, flags=flags), tempfile.TemporaryDirectory() as folder:
                table = pathlib.Path(folder) / "table.csv"
                table.write_text(header + "".join(rows[:14] * 10), encoding="utf-8")  # the others are not of this world
                train = [PROGRAM, "train", table, "--target", target, "-o", f"{folder}/run", "--effort", "quick",
                         "--max-epochs", "5", "--device", "cpu", *flags]
                subprocess.run(train, check=True, capture_output=True)
                self.compare(pathlib.Path(folder) / "run/model.coppice", KEPT / "rows.csv")

    def test_reads_a_net_that_takes_no_bins_beside_others(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "mixed.coppice"
            path.write_bytes(with_a_plain_net((KEPT / "version7.coppice").read_bytes()))
            self.compare(path, KEPT / "rows.csv")

    def test_reads_dates_however_they_are_written(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            rows = lines((KEPT / "rows.csv").read_text(encoding="utf-8"))[:7]
            for row, moment, clock in zip(
                rows[1:],
                ("2024-02-29T23:59:59.5Z", "1969-12-31 23:30-02:00", "2024-01-01", "2024-03-10T00:10+0530", "?", "2000-02-29 12:00:00z"),
                ("24:00", "00:00:30.25", "12:30Z", "12:30+02:00", "na", "23:59:59"),
                strict=True,
            ):
                row[rows[0].index("moment")], row[rows[0].index("clock")] = moment, clock
            path = pathlib.Path(folder) / "rows.csv"
            with path.open("w", newline="", encoding="utf-8") as file:
                csv.writer(file).writerows(rows)
            for version in (4, 7):
                self.compare(KEPT / f"version{version}.coppice", path)

    def test_is_as_short_as_the_page_says(self) -> None:
        text = (ROOT / "examples/read_model.py").read_text(encoding="utf-8").splitlines()
        self.assertLessEqual(len(text), 60)
        self.assertLessEqual(max(map(len, text)), 120)

    def test_refuses_what_is_damaged_or_newer(self) -> None:
        data = (KEPT / "version4.coppice").read_bytes()
        for place in (0, 8, len(data) - 1):
            with tempfile.NamedTemporaryFile(suffix=".coppice") as file:
                file.write(data[:place] + bytes([data[place] ^ 0x40]) + data[place + 1:])
                file.flush()
                self.assertIn("no intact model file", self.read(file.name, KEPT / "rows.csv").stderr)
        with tempfile.NamedTemporaryFile(suffix=".coppice") as file:
            self.assertIn("no intact model file", self.read(file.name, KEPT / "rows.csv").stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
