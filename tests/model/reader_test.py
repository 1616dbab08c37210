#!/usr/bin/env python3
"""examples/read_model.py beside coppice predict: reader_test.py PROGRAM. Skipped (77) where no python3 has numpy."""
from __future__ import annotations

import csv
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

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


class Reader(unittest.TestCase):
    def read(self, *arguments: object) -> subprocess.CompletedProcess:
        return subprocess.run([sys.executable, ROOT / "examples/read_model.py", *map(str, arguments)], capture_output=True, text=True)

    def test_predicts_what_the_program_predicts(self) -> None:
        models = sorted(KEPT.glob("*.coppice"))
        self.assertEqual(len(models), 4)
        for model in models:
            with self.subTest(model=model.name):
                expected = lines(subprocess.run([PROGRAM, "predict", model, KEPT / "rows.csv"], check=True, capture_output=True, text=True).stdout)
                answered = lines(self.read(model, KEPT / "rows.csv").stdout)
                self.assertEqual(answered[0], expected[0])
                self.assertEqual(len(answered), len(expected))
                for one, other in zip(answered[1:], expected[1:]):
                    for cell, right in zip(one, other, strict=True):
                        if cell != right:
                            self.assertAlmostEqual(float(cell), float(right), delta=2e-6 * max(1, abs(float(right))))

    def test_refuses_what_is_damaged_or_newer(self) -> None:
        data = (KEPT / "version4.coppice").read_bytes()
        for place in (0, 8, len(data) - 1):
            with tempfile.NamedTemporaryFile(suffix=".coppice") as file:
                file.write(data[:place] + bytes([data[place] ^ 0x40]) + data[place + 1:])
                file.flush()
                self.assertIn("no intact model file", self.read(file.name, KEPT / "rows.csv").stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
