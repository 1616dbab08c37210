#!/usr/bin/env python3
"""benchmarks/tables with generated tables: tables_test.py PROGRAM. Skipped (77) where no python3 has numpy."""
from __future__ import annotations

import gzip
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Those that have numpy, where the comparison was made or the Python package is tested.
PYTHONS = [ROOT / f"build/{name}-venv/bin/python" for name in ("tables", "python")]

if not importlib.util.find_spec("numpy"):
    found = [python for python in PYTHONS if python.exists() and pathlib.Path(sys.prefix) != python.parents[1]]
    if not found:
        print("skipped: python3 has no numpy; apt-get install python3-numpy, or ./run test, which makes one that has it")
        sys.exit(77)
    os.execv(found[0], [str(found[0]), *sys.argv])

import numpy as np

sys.path.insert(0, str(ROOT / "benchmarks/tables"))
sys.dont_write_bytecode = True
import data
import metrics
import pictures
import progress
import ranks
import report
import summary
from results import Results

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else None


def generated(rows: int, classes: bool) -> list[list[str]]:
    """A number, a text with gaps, a number with gaps, the target."""
    random = np.random.RandomState(1)
    x, gaps = random.randn(rows, 2), random.rand(rows, 2) < 0.1
    texts = random.choice(["red", "green", "blue"], rows)
    score = x[:, 0] + (texts == "red") + 0.1 * random.randn(rows)
    target = np.where(score > 0.3, "yes", "no") if classes else [f"{value:.4f}" for value in score]
    lines = [[f"{x[i, 0]:.4f}", "" if gaps[i, 0] else texts[i], "NA" if gaps[i, 1] else f"{x[i, 1]:.4f}", target[i]]
             for i in range(rows)]
    return [["a", "colour", "b", data.TARGET], *lines]


def write(folder: pathlib.Path, name: str, lines: list[list[str]]) -> None:
    with gzip.open(folder / f"{name}.csv.gz", "wt") as out:
        out.write("".join(",".join(line) + "\n" for line in lines))


def fit(method: str, table: str, split: int, error: float, **more: object) -> dict:
    return {"method": method, "table": table, "split": split, "error": error, "busy": False, "data": "d", "rows": 9, "inputs": 2,
            "classes": 2, "log_loss": error, "auc": 0.5, "parameters": 10, "bytes": 100, "train_seconds": 1.0,
            "predict_seconds": 0.1, "wall": 1.0, "versions": "v", "processor": "p", **more}


class Data(unittest.TestCase):
    def table(self, rows: int = 100, classes: bool = True) -> data.Table:
        header, *lines = generated(rows, classes)
        return data.make("t", header, lines)

    def test_columns_are_numbers_or_texts(self) -> None:
        table = self.table()
        self.assertEqual([column.numbers is None for column in table.columns], [False, True, False])
        self.assertTrue(np.isnan(table.columns[2].numbers).any())
        self.assertTrue((table.columns[1].cells == "").any())
        self.assertEqual(table.labels, ("no", "yes"))
        self.assertEqual(self.table(classes=False).labels, ())

    def test_splits_share_no_row_and_keep_shares(self) -> None:
        table = self.table()
        train, test = data.split(table, 3)
        self.assertEqual(len(train) + len(test), 100)
        names = [set(part.columns[0].cells) for part in (train, test)]
        self.assertFalse(names[0] & names[1])
        self.assertAlmostEqual(train.target.mean(), test.target.mean(), delta=0.03)
        self.assertEqual(len(data.split(self.table(classes=False), 0)[1]), 30)

    def test_splits_stay_the_same(self) -> None:
        table = self.table()
        first = [list(data.split(table, number)[1].columns[0].cells) for number in (0, 0, 1)]
        self.assertEqual(first[0], first[1])
        self.assertNotEqual(first[0], first[2])
        self.assertEqual(first[0][:3], KNOWN)

    def test_a_class_of_one_row_trains(self) -> None:
        lines = [[str(i), "rare" if i == 7 else "often"] for i in range(20)]
        train, test = data.split(data.make("t", ["x", data.TARGET], lines), 0)
        self.assertEqual(sum(train.target_cells == "rare"), 1)
        self.assertEqual(len(test), 6)

    def test_bad_tables_are_refused(self) -> None:
        for header, row in ((["x"], ["1"]), (["x", data.TARGET], ["1"]), (["x", data.TARGET], ["1", ""])):
            with self.assertRaises(ValueError):
                data.make("t", header, [row])


class Metrics(unittest.TestCase):
    def test_classes(self) -> None:
        target, scores = np.array([0, 0, 1, 1]), np.array([0.1, 0.4, 0.4, 0.8])
        both = np.column_stack([1 - scores, scores])
        found = metrics.of_classes(target, both.argmax(axis=1), both)
        self.assertAlmostEqual(found["error"], 0.25)
        self.assertAlmostEqual(found["auc"], 3.5 / 4)
        self.assertAlmostEqual(found["log_loss"], -np.log([0.9, 0.6, 0.4, 0.8]).mean())

    def test_certain_and_wrong_is_bounded(self) -> None:
        self.assertAlmostEqual(metrics.log_loss(np.array([0]), np.array([[0.0, 1.0]])), np.log(1e6))

    def test_several_classes_and_one_that_is_not_tested(self) -> None:
        probabilities = np.array([[0.8, 0.1, 0.1], [0.2, 0.7, 0.1]])
        self.assertEqual(metrics.auc(np.array([0, 1]), probabilities), 1.0)

    def test_numbers(self) -> None:
        target = np.array([1.0, 2.0, 3.0])
        self.assertEqual(metrics.of_numbers(target, target)["error"], 0)
        self.assertAlmostEqual(metrics.of_numbers(target, np.full(3, 2.0))["error"], 1)


class RanksTest(unittest.TestCase):
    def test_friedman_and_critical_difference(self) -> None:
        found = ranks.rank({"c": [3.0] * 4, "a": [1.0] * 4, "b": [2.0] * 4})
        self.assertEqual((found.methods, found.means), (["a", "b", "c"], [1, 2, 3]))
        self.assertAlmostEqual(found.chi_square, 8)
        self.assertAlmostEqual(found.difference, 2.344 * 0.5**0.5)
        self.assertEqual(found.groups(), [(0, 1), (1, 2)])

    def test_ties_and_failures(self) -> None:
        found = ranks.rank({"a": [1.0, 2.0], "b": [1.0, float("inf")]})
        self.assertEqual(dict(zip(found.methods, found.means)), {"a": 1.25, "b": 1.75})


class WithResults(unittest.TestCase):
    def setUp(self) -> None:
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = pathlib.Path(kept.name)

    def results(self, fits: list[dict]) -> Results:
        results = Results(self.folder / "results.jsonl")
        for one in fits:
            results.add(one)
        return results


class Kept(WithResults):
    def test_half_a_line_is_left_out_and_the_later_line_counts(self) -> None:
        self.results([fit("linear", "t", 0, 0.5), fit("linear", "t", 0, 0.4)])
        with (self.folder / "results.jsonl").open("a") as file:
            file.write('{"method": "lin')
        again = self.results([fit("mlp", "t", 0, 0.1)])
        self.assertEqual(again.fits["linear", "t", 0]["error"], 0.4)
        self.assertEqual(len(Results(self.folder / "results.jsonl").fits), 2)

    def test_shipped_results_count_for_the_same_tables_only(self) -> None:
        shipped = self.folder / "shipped.jsonl"
        shipped.write_text("".join(json.dumps(fit("coppice-before", name, 0, 0.3)) + "\n" for name in ("t", "u")))
        results = Results(self.folder / "r.jsonl", [shipped])
        self.assertFalse(results.fits)
        results.add(fit("linear", "t", 0, 0.2))
        results.add(fit("linear", "u", 0, 0.2, data="another file"))
        self.assertIn(("coppice-before", "t", 0), results.fits)
        self.assertNotIn(("coppice-before", "u", 0), results.fits)


class Figures(WithResults):
    def setUp(self) -> None:
        super().setUp()
        for name in ("TABLES", "SPLITS"):
            changed = unittest.mock.patch.object(summary, name, 1)
            changed.start()
            self.addCleanup(changed.stop)

    def test_few_tables_decide_nothing(self) -> None:
        with unittest.mock.patch.object(summary, "TABLES", 2):
            figures = self.verdicts([fit("coppice", "t", 0, 0.08), fit("coppice-before", "t", 0, 0.1)])
        self.assertEqual((figures[0].verdict, figures[0].note), ("undecided", "needs 2 tables and 1 splits"))

    def verdicts(self, fits: list[dict]) -> list[summary.Figure]:
        return summary.figures(summary.Summary(self.results(fits), 1, None))

    def test_verdicts(self) -> None:
        figures = self.verdicts([fit("coppice", "t", 0, 0.08), fit("coppice-before", "t", 0, 0.1), fit("realmlp", "t", 0, 0.08),
                                 fit("catboost", "t", 0, 0.1, failed="no")])
        self.assertEqual([figure.verdict for figure in figures],
                         ["holds", "undecided", "does not hold", "undecided", "does not hold", "does not hold", "elsewhere"])
        self.assertAlmostEqual(figures[0].value, 0.8)

    def test_small_errors_count_as_the_floor(self) -> None:
        self.assertAlmostEqual(self.verdicts([fit("coppice", "t", 0, 0.0), fit("coppice-before", "t", 0, 0.01)])[0].value, 0.5)

    def test_busy_times_decide_nothing(self) -> None:
        figures = self.verdicts([fit("coppice", "t", 0, 0.1, busy=True), fit("realmlp", "t", 0, 0.1)])
        self.assertEqual(figures[4].verdict, "undecided")
        self.assertIn("--retime", figures[4].note)

    def test_the_page_and_its_pictures(self) -> None:
        fits = [fit(method, table, split, 0.1 + 0.01 * place + 0.01 * split, bytes=10 ** (3 + place))
                for place, method in enumerate(("coppice", "coppice-before", "linear", "catboost"))
                for table in ("t", "u", "v") for split in range(2)]
        fits.append(fit("mlp", "t", 0, 0.1, failed="ValueError: no"))
        del fits[-1]["error"]
        report.Page(self.results(fits), 2, None).write(self.folder / "docs")
        page = (self.folder / "docs/tables.md").read_text()
        for words in ("failed (1 of 1)", "ValueError: no", "does not hold", "critical", "./run bench --tables"):
            self.assertIn(words.replace("critical", "Nemenyi"), page)
        for name in ("ranks", "bytes", "each"):
            self.assertIn("svg", xml.parse(self.folder / f"docs/tables-{name}.svg").getroot().tag)


class Guesses(unittest.TestCase):
    def test_other_splits_then_other_tables_then_the_rough_figure(self) -> None:
        guess = progress.Guess([fit("linear", "t", 0, 0.1, wall=4.0)], {"t": 100, "u": 200})
        self.assertAlmostEqual(guess.of([("linear", "t", 1)]), 4)
        self.assertAlmostEqual(guess.of([("linear", "u", 0)]), 8)
        self.assertGreater(guess.of([("mlp", "u", 0)]), 0)

    def test_told(self) -> None:
        self.assertEqual([progress.told(s) for s in (5, 600, 36000)], ["5 s", "10 min", "10.0 h"])
        self.assertEqual(pictures.bytes_told(25000), "25 kB")


class Command(WithResults):
    def run_it(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, ROOT / "benchmarks/tables", "--data", self.folder, "--results", self.folder / "r.jsonl",
                   "--docs", self.folder / "docs", *arguments]
        return subprocess.run([str(part) for part in command], capture_output=True, text=True)

    def setUp(self) -> None:
        super().setUp()
        write(self.folder, "classes", generated(120, True))
        write(self.folder, "numbers", generated(120, False))

    def test_fits_are_made_once(self) -> None:
        methods = "constant" + (",coppice" if PROGRAM else "") + (",linear" if importlib.util.find_spec("pandas") else "")
        flags = ["--only", methods, "--splits", "2", *(["--program", PROGRAM] if PROGRAM else [])]
        first = self.run_it(*flags, "--write")
        self.assertEqual(first.returncode, 0, first.stderr)
        expected = 4 * len(methods.split(","))
        self.assertIn(f"{expected} of {expected} fits", first.stderr)
        lines = (self.folder / "r.jsonl").read_text()
        self.assertNotIn("failed", lines)
        errors = {(one["method"], one["table"]): one["error"] for one in map(json.loads, lines.splitlines())}
        if PROGRAM:
            self.assertLess(errors["coppice", "numbers"], errors["constant", "numbers"])
            self.assertLess(errors["coppice", "classes"], errors["constant", "classes"])
        self.assertNotIn("of", self.run_it(*flags).stderr)
        self.assertEqual((self.folder / "r.jsonl").read_text(), lines)
        self.assertTrue((self.folder / "docs/tables.md").exists())

    def test_what_fails_is_shown(self) -> None:
        done = self.run_it("--only", "coppice-before", "--baseline-program", "/bin/false", "--splits", "1", "--write")
        self.assertEqual(done.returncode, 1)
        self.assertIn("2 failed", done.stderr)
        self.assertIn("coppice train ended with 1", (self.folder / "docs/tables.md").read_text())

    def test_wrong_names_are_said(self) -> None:
        self.assertIn("there is no method mpl", self.run_it("--only", "mpl").stderr)
        self.assertIn("there is no nothing.csv.gz", self.run_it("--tables", "nothing", "--only", "constant").stderr)


@unittest.skipUnless(PROGRAM, "no program was named")
class Intervals(Command):
    def run_it(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, ROOT / "benchmarks/tables/intervals.py", "--data", self.folder, "--runs", self.folder / "runs",
                   "--program", PROGRAM, *arguments]
        return subprocess.run([str(part) for part in command], capture_output=True, text=True)

    def test_fits_are_made_once(self) -> None:
        flags = ["--splits", "1", "--kind", "single", "--levels", "0.8,0.999"]
        first = self.run_it(*flags)
        self.assertEqual(first.returncode, 0, first.stderr)
        rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in first.stdout.splitlines()]
        self.assertEqual([row[0] for row in rows], ["table", "---", "classes", "numbers"])
        for row in rows[2:]:
            self.assertGreater(float(row[3].split()[0]), 0.5)
            self.assertEqual(row[5:], ["-", "-"], "so few rows cannot tell of 0.999")
        model = self.folder / "runs/classes-0-single/run/model.coppice"
        made = model.stat().st_mtime_ns
        self.assertEqual(self.run_it(*flags).stdout, first.stdout)
        self.assertEqual(model.stat().st_mtime_ns, made)

    def test_what_fails_is_shown(self) -> None:
        self.assertIn("coppice train ended with 1", self.run_it("--program", "/bin/false").stderr)

    def test_wrong_names_are_said(self) -> None:
        self.assertIn("there is no table nothing", self.run_it("--tables", "nothing").stderr)


KNOWN = ["-0.6469", "0.5129", "-1.4441"]  # published results rest on these splits

if __name__ == "__main__":
    unittest.main()
