"""The model in a report's page says what coppice predict says. Call: model_test.py COPPICE; exit code 77: no Chromium."""

import csv
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser, find_chromium  # noqa: E402

COLUMNS = ["size", "weight", "colour", "when", "at", "hour", "grade", "y"]
ASK = """(() => {
  const model = readModel(document.querySelector('.what-if').dataset.model);
  return %s.map((cells) => answersOf(model, cells));
})()"""


def rows(count, target, seed):
    """Every kind of column: numbers with missing cells, skewed ones, texts, rare texts, dates, moments, times, ranks."""
    chance = random.Random(seed)
    table = []
    for _ in range(count):
        size, weight = chance.gauss(5, 2), chance.lognormvariate(0, 1)
        colour = chance.choice(["red", "green", "blue", "n\"o, ne", ""] if chance.random() < 0.95 else ["rare"])
        month, day, hour, minute = chance.randint(1, 12), chance.randint(1, 28), chance.randint(0, 23), chance.randint(0, 59)
        grade = chance.choice(["low", "medium", "high"])
        score = size + 2 * weight + 3 * (colour == "red") + month / 4 + hour / 8 + 2 * (grade == "high") + chance.gauss(0, 0.5)
        if target == "classes":
            y = "abc"[min(int(score / 6), 2)]
        elif target == "two":
            y = "yes" if score > 12 else "no"
        else:
            y = f"{score if target == 'numbers' else 2.718281828 ** (score / 4):.5f}"
        table.append(["" if chance.random() < 0.1 else f"{size:.4f}", f"{weight:.5g}", colour, f"2023-{month:02}-{day:02}",
                      f"2024-{day:02}-11T{hour:02}:{minute:02}:30+02:00" if day <= 12 else f"2024-02-29 {hour:02}:{minute:02}",
                      f"{hour:02}:{minute:02}", grade, y])
    return table


def write(path, table):
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([COLUMNS, *table])


class ModelTest(unittest.TestCase):
    program = ""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="coppice-model-")
        cls.browser = Browser(find_chromium())

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.folder.cleanup()

    def call(self, *arguments):
        return subprocess.run([self.program, *arguments], check=True, capture_output=True, text=True, encoding="utf-8").stdout

    def train(self, target, *flags):
        run = os.path.join(self.folder.name, "-".join([target, *flags]).replace("/", "_"))
        data = run + ".csv"
        write(data, rows(240, target, 1))
        self.call("train", data, "--target", "y", "--effort", "quick", "--quiet", "-o", run, *flags)
        return run

    def compare(self, run, target):
        asked = run + "-asked.csv"
        table = rows(60, target, 2)
        table[0][0], table[1][0], table[2][2], table[3][6] = "1e4", "-1e4", "never seen", "MEDIUM"
        table[4][3] = table[5][4] = table[6][5] = table[7][6] = ""
        write(asked, table)
        answers = list(csv.reader(io.StringIO(self.call("predict", run, asked))))
        cells = [{name: cell for name, cell in zip(COLUMNS[:-1], row) if cell != ""} for row in table]
        cells[3]["grade"] = "medium"  # the page offers the texts of the table alone
        self.browser.open(os.path.join(run, "report.html"))
        self.assertEqual(self.browser.named("Runtime.exceptionThrown"), [])
        said = self.browser.run(ASK % json.dumps(cells))
        self.assertEqual(len(said), len(table))
        numbers = slice(0, 1) if target in ("numbers", "powers") else slice(1, None)
        for i, (row, own) in enumerate(zip(answers[1:], said)):
            if i == 3:
                continue  # another spelling is another category
            expected = [float(cell) for cell in row[numbers]]
            self.assertEqual(len(own), len(expected))
            for mine, theirs in zip(own, expected):
                self.assertLess(abs(mine - theirs), 1e-4 * max(1, abs(theirs)), f"row {i}")

    def test_it_says_what_predict_says(self):
        for target, flags in (("two", []), ("classes", ["--encode", "bins"]), ("numbers", ["--ensemble", "off", "--target-transform", "none"]),
                              ("powers", ["--target-transform", "log", "--encode", "bins"]),
                              ("classes", ["--activation", "leaky-relu", "--scale", "standard", "--ensemble", "off"]),
                              ("numbers", ["--fixed-size", "6", "--optimizer", "adam", "--norm", "batchnorm-affine", "--activation", "tanh"])):
            with self.subTest(target=target, flags=flags):
                self.compare(self.train(target, *flags), target)

    def test_fields_can_be_set(self):
        run = self.train("two", "--ensemble", "off")
        self.browser.open(os.path.join(run, "report.html"))
        said = "document.querySelector('.said').innerText"
        before = self.browser.run(said)
        self.assertIn("%", before)
        self.assertEqual(self.browser.run("document.querySelectorAll('.what-if .field').length"), len(COLUMNS) - 1)
        self.assertEqual(self.browser.run("[...document.querySelectorAll('.field label')].filter((label) => !label.control).length"), 0)
        put = """(() => {
          const row = [...document.querySelectorAll('.field')].find((field) => field.querySelector('label').textContent === '%s');
          const control = row.querySelector('%s');
          control.value = '%s';
          control.dispatchEvent(new Event('input'));
          return row.querySelector('input').value;
        })()"""
        self.assertEqual(self.browser.run(put % ("weight", "input[type=range]", "2.5")), "2.5", "the slider moves the number")
        moved = self.browser.run(said)
        self.assertNotEqual(moved, before)
        self.browser.run(put % ("size", "input[type=number]", ""))
        self.assertNotIn("NaN", self.browser.run(said))
        self.browser.run("[...document.querySelectorAll('.what-if button')].pop().click()")
        self.assertEqual(self.browser.run(said), before, "and back")
        self.assertEqual(self.browser.named("Runtime.exceptionThrown"), [])


if __name__ == "__main__":
    if find_chromium() is None:
        print("skipped: there is no Chromium here; install the package chromium")
        sys.exit(77)
    ModelTest.program = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
