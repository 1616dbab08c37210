#!/usr/bin/env python3
"""ONNX files beside coppice predict: onnx_test.py PROGRAM. Skipped (77) where no python3 has onnx and onnxruntime."""
from __future__ import annotations

import importlib.util
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
VENV_PYTHON = ROOT / "build/onnx-venv/bin/python"  # ./run test makes it

if not all(importlib.util.find_spec(name) for name in ("numpy", "onnx", "onnxruntime")):
    if not VENV_PYTHON.exists() or pathlib.Path(sys.prefix) == VENV_PYTHON.parents[1]:
        print("skipped: python3 has no onnx and onnxruntime; pip install them, or ./run test where PyPI can be reached")
        sys.exit(77)
    os.execv(VENV_PYTHON, [str(VENV_PYTHON), *sys.argv])

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
from compare import Exported, difference, export, predicted, read_table, write_table

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
TOLERANCE = 1e-5


def made_up(rows: int, seed: int = 1) -> dict[str, list[str]]:
    """Numbers with gaps and one that is far out, categories, words that have an order, dates, moments, times of day; and a
    target of each kind."""
    draw = random.Random(seed)
    table: dict[str, list[str]] = {name: [] for name in ("age", "income", "city", "size", "day", "moment", "clock", "kind", "digit", "price")}
    for i in range(rows):
        age, income = draw.gauss(40, 12), draw.lognormvariate(0, 2)
        city, size = draw.choice(["Ulm", "Bonn", "Kiel", "K\u00f6ln"]), draw.choice(["small", "Medium", "LARGE"])
        hour, day, month, year = draw.randrange(24), draw.randint(1, 28), draw.randint(1, 12), draw.randint(1960, 2040)
        table["age"].append("NA" if draw.random() < 0.1 else f"{age:.2f}")
        table["income"].append(f"{income:.6g}")
        table["city"].append("" if draw.random() < 0.1 else city)
        table["size"].append(size)
        table["day"].append(f"{year}-{month:02}-{day:02}")
        table["moment"].append("?" if draw.random() < 0.1 else f"{year}-{month:02}-{day:02}T{hour:02}:{i % 60:02}:30" + draw.choice(["Z", "+02:00", ""]))
        table["clock"].append(f"{hour:02}:{i % 60:02}")
        score = (age - 40) / 12 + (city == "Ulm") - 0.1 * abs(month - 6) + hour / 12 + 0.1 * draw.gauss(0, 1)
        table["kind"].append("low, \"L\"" if score < 0.3 else "h\u00f6h" if score < 1.2 else "top")
        table["digit"].append(str(int(score > 0.7)))
        table["price"].append(f"{np.exp(score):.5g}")
    return table


def odd(table: dict[str, list[str]]) -> dict[str, list[str]]:
    """Rows such as training never saw: gaps everywhere, other texts, numbers far out, days at the ends of months."""
    strange = {"age": ["", "-1e30", "1e30", "0", "nan", "40"], "income": ["?", "1e37", "-5", "0", "N/A", "1"],
               "city": ["NULL", "Rome", "ulm", "", "nA", "Ulm"], "size": ["", "huge", "large", "SMALL", "medium", "Large"],
               "day": ["1900-03-01", "2000-02-29", "1969-12-31", "2100-02-28", "", "2024-12-31"],
               "moment": ["1969-12-31T23:59:59Z", "2024-03-01T00:30:00+02:00", "", "2000-02-29T12:00:00", "1600-01-01T00:00:00", "9999-12-31T23:59:00"],
               "clock": ["24:00", "00:00", "", "12:30", "23:59", "06:15"]}
    return {name: strange.get(name, cells[:6]) for name, cells in table.items()}


class Onnx(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.place = tempfile.TemporaryDirectory(prefix="coppice-onnx-")
        cls.folder = pathlib.Path(cls.place.name)
        cls.table = made_up(400)
        write_table(cls.folder / "rows.csv", cls.table)
        write_table(cls.folder / "odd.csv", odd(cls.table))

    @classmethod
    def tearDownClass(cls) -> None:
        cls.place.cleanup()

    def train(self, target: str, *flags: str) -> pathlib.Path:
        run = self.folder / ("run-" + target + "".join(flags).replace("/", ""))
        others = [name for name in ("kind", "digit", "price") if name != target]
        if not run.exists():
            subprocess.run([PROGRAM, "train", self.folder / "rows.csv", "--target", target, "--ignore", ",".join(others), "--effort", "quick",
                            "--quiet", "--device", "cpu", *flags, "-o", run], check=True, capture_output=True)
        return run

    def same(self, model: pathlib.Path, data: pathlib.Path, *flags: str) -> dict[str, np.ndarray]:
        """The answers, which are those of predict."""
        exported = export(PROGRAM, model, self.folder / "model.onnx", *flags)
        answers = exported.answers(read_table(data))
        expected = predicted(PROGRAM, model, data)
        self.assertEqual(len(next(iter(answers.values()))), len(expected["prediction"]))
        far, others = difference(expected, answers)
        self.assertLessEqual(far, TOLERANCE)
        self.assertEqual(others, 0)
        return answers

    def every_way(self, model: pathlib.Path) -> None:
        for data in ("rows.csv", "odd.csv"):
            for inputs in ("columns", "matrix"):
                for texts in ("strings", "codes"):
                    with self.subTest(data=data, inputs=inputs, texts=texts):
                        self.same(model, self.folder / data, "--onnx-inputs", inputs, "--onnx-texts", texts)

    def test_classes_of_several_nets_with_bins(self) -> None:
        self.every_way(self.train("kind", "--ensemble", "3", "--encode", "bins"))

    def test_classes_that_are_numbers_are_answered_as_such(self) -> None:
        answers = self.same(self.train("digit", "--lambda", "0.001"), self.folder / "rows.csv")
        self.assertEqual(answers["label"].dtype, np.int64)

    def test_numbers_by_their_logarithms(self) -> None:
        self.every_way(self.train("price", "--lambda", "0.001", "--target-transform", "log"))

    def test_numbers(self) -> None:
        self.every_way(self.train("price", "--lambda", "0.001", "--target-transform", "none", "--scale", "standard", "--activation", "tanh"))

    def test_other_activations_and_norms(self) -> None:
        for activation in ("leaky-relu", "abs", "identity"):
            with self.subTest(activation=activation):
                self.same(self.train("kind", "--lambda", "0.001", "--activation", activation), self.folder / "odd.csv")
        self.same(self.train("kind", "--fixed-size", "5", "--norm", "batchnorm-affine", "--optimizer", "adam"), self.folder / "odd.csv")

    def test_a_net_that_learned_nothing(self) -> None:
        self.same(self.train("digit", "--lambda", "1000"), self.folder / "odd.csv")

    def test_texts_alone(self) -> None:
        self.same(self.train("kind", "--lambda", "0.001", "--ignore", "price,digit,age,income,size,day,moment,clock"), self.folder / "odd.csv")

    def test_codes_need_no_operator_of_another_domain(self) -> None:
        exported = export(PROGRAM, self.train("kind", "--lambda", "0.001"), self.folder / "model.onnx", "--onnx-texts", "codes")
        self.assertEqual({one.domain: one.version for one in exported.model.opset_import}, {"": 13})
        types = {one.type for one in [*exported.session.get_inputs(), *exported.session.get_outputs()]}
        self.assertEqual(types, {"tensor(float)", "tensor(int64)", "tensor(double)"})

    def of_other_runtimes(self, *more: str) -> list[pathlib.Path]:
        """Numbers, texts, dates; classes and a value: without strings."""
        files = []
        for target, flags in (("kind", ("--ensemble", "3", "--encode", "bins")), ("price", ("--lambda", "0.001", "--target-transform", "log"))):
            files.append(self.folder / f"{target}.onnx")
            export(PROGRAM, self.train(target, *flags, *more), files[-1], "--onnx-texts", "codes")
        return files

    @unittest.skipUnless(importlib.util.find_spec("tract"), "tract is not installed")
    def test_tract_answers_the_same(self) -> None:
        import tract
        for file in self.of_other_runtimes():
            exported = Exported(file)
            feed, names = exported.feed(self.table), [output.name for output in exported.session.get_outputs()]
            right = exported.session.run(names, feed)[-1]
            answers = tract.onnx().load(str(file)).into_model().into_runnable().run([feed[one.name] for one in exported.session.get_inputs()])
            np.testing.assert_allclose(answers[-1].to_numpy(), right, rtol=1e-5, atol=1e-6)

    @unittest.skipUnless(importlib.util.find_spec("openvino"), "openvino is not installed")
    def test_openvino_runs_them(self) -> None:
        import openvino
        for file in self.of_other_runtimes("--ignore", "day,moment,clock"):  # it has no float64 for seconds since 1970
            exported = Exported(file)
            feed = exported.feed(self.table)
            right = exported.session.run(None, feed)[-1]
            # Its own choice is bfloat16 where the processor has it, which is no precision to compare in.
            compiled = openvino.Core().compile_model(file, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
            answers = list(compiled(feed).values())
            np.testing.assert_allclose(answers[-1], right, rtol=1e-5, atol=1e-6)

    def test_columns_are_found_by_their_names(self) -> None:
        shuffled = self.folder / "shuffled.csv"
        table = {"new": ["x"] * 400, **{name: self.table[name] for name in sorted(self.table, reverse=True)}}
        write_table(shuffled, table)
        model = self.train("kind", "--ensemble", "3", "--encode", "bins")
        np.testing.assert_array_equal(self.same(model, shuffled)["probabilities"],
                                      self.same(model, self.folder / "rows.csv")["probabilities"])

    def test_an_infinite_number_is_refused_in_its_row_alone(self) -> None:
        """Where predict refuses: no probability, no value, and a label that is no class."""
        table = {name: cells[:3] for name, cells in self.table.items()}
        table["income"] = [table["income"][0], "-inf", table["income"][2]]
        write_table(self.folder / "infinite.csv", table)
        for target, flags, none in (("kind", (), ""), ("kind", ("--onnx-texts", "codes"), -1), ("digit", (), -1)):
            for inputs in ("columns", "matrix"):
                with self.subTest(target=target, flags=flags, inputs=inputs):
                    model = self.train(target, "--lambda", "0.001")
                    refused = subprocess.run([PROGRAM, "predict", model, self.folder / "infinite.csv"], capture_output=True, text=True)
                    self.assertEqual(refused.returncode, 2)
                    self.assertIn("income", refused.stderr)
                    exported = export(PROGRAM, model, self.folder / "model.onnx", "--onnx-inputs", inputs, *flags)
                    label, chances = exported.session.run(["label", "probabilities"], exported.feed(table))
                    self.assertEqual(label.shape, (3,))
                    self.assertEqual(json.loads(exported.told["refused_label"]), none)
                    np.testing.assert_array_equal(label == none, [False, True, False])
                    np.testing.assert_array_equal(np.isnan(chances), np.repeat([[False], [True], [False]], chances.shape[1], axis=1))
        value = export(PROGRAM, self.train("price", "--lambda", "0.001", "--target-transform", "log"), self.folder / "model.onnx")
        np.testing.assert_array_equal(np.isnan(value.answers(table)["variable"][:, 0]), [False, True, False])

    def test_a_refused_row_is_none_of_classes_below_0(self) -> None:
        signs = {name: self.table[name] for name in ("age", "income")}
        signs["sign"] = ["-1" if digit == "0" else "1" for digit in self.table["digit"]]
        write_table(self.folder / "signs.csv", signs)
        run = self.folder / "signs"
        subprocess.run([PROGRAM, "train", self.folder / "signs.csv", "--target", "sign", "--task", "classification", "--effort", "quick", "--quiet",
                        "--device", "cpu", "--lambda", "0.001", "-o", run], check=True, capture_output=True)
        exported = export(PROGRAM, run, self.folder / "signs.onnx")
        rows = {"age": np.array([[40], [np.inf]], np.float32), "income": np.array([[1], [1]], np.float32)}
        first, second = exported.session.run(["label"], rows)[0]
        self.assertIn(first, (-1, 1))
        self.assertEqual(second, -2)
        self.assertEqual(exported.told["refused_label"], "-2")

    def test_opsets_differ_in_their_number_alone(self) -> None:
        model = self.train("kind", "--ensemble", "3", "--encode", "bins")
        right = export(PROGRAM, model, self.folder / "model.onnx").answers(self.table)["probabilities"]
        for opset in range(13, 18):
            exported = export(PROGRAM, model, self.folder / "model.onnx", "--onnx-opset", str(opset))
            self.assertIn(opset, {one.version for one in exported.model.opset_import})
            np.testing.assert_array_equal(exported.answers(self.table)["probabilities"], right)

    def test_what_the_file_says_of_itself(self) -> None:
        exported = export(PROGRAM, self.train("kind", "--lambda", "0.001"), self.folder / "model.onnx")
        told = exported.told
        self.assertEqual(json.loads(told["classes"]), ["h\u00f6h", "low, \"L\"", "top"])
        self.assertEqual((told["task"], told["target"]), ("classification", "kind"))
        self.assertGreater(float(told["validation_error"]), 0)
        kinds = {column["name"]: column["kind"] for column in json.loads(told["columns"])}
        self.assertEqual(kinds, {"age": "number", "income": "number", "city": "text", "size": "text", "day": "time", "moment": "time", "clock": "time"})
        self.assertEqual({one.domain: one.version for one in exported.model.opset_import}, {"": 13, "ai.onnx.ml": 2})
        self.assertEqual([output.name for output in exported.session.get_outputs()], ["label", "probabilities"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
