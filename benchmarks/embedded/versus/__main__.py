"""Coppice on small devices beside what people would put there. `./run bench --embedded` installs the peers and starts it.

Of each table FOLDER/NAME.csv.gz (numbers and a target column target__) 30 % of the rows are set aside to test. Trees, forests and
nets of many sizes are trained on the others and written as C by emlearn and m2cgen, the nets of one training's front by coppice. All are
compiled for a Cortex-M4 with the same flags (-Os) and run in qemu; errors are those of the same C on all test rows.
"""
from __future__ import annotations

import argparse
import json
import os
import pathlib
import sys
import tempfile
from dataclasses import asdict

import contestants
import emlearn
import m2cgen
import numpy as np
import picture
import sklearn
from picture import Point, front

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
ROOMS = (2048, 4096, 16384, 65536)  # bytes of flash
sys.path.insert(0, str(HERE.parent))
from loss import MISSING, TARGET, read, split, write  # noqa: E402


def rows_of(names: list[str], rows: list[list[str]], classes: list[str]) -> contestants.Rows:
    columns = [name for name in names if name != TARGET]
    places = [names.index(name) for name in columns]
    cells = np.array([[np.nan if row[p].strip().lower() in MISSING else float(row[p]) for p in places] for row in rows], np.float32)
    return contestants.Rows(columns, cells.astype(np.float64), np.array([classes.index(row[names.index(TARGET)]) for row in rows]), classes)


class Comparison:
    """What is measured, kept in a file after every contestant: an interrupted comparison goes on where it was."""

    def __init__(self, program: pathlib.Path, results: pathlib.Path, flags: list[str], runs: pathlib.Path | None) -> None:
        self.program, self.results, self.flags, self.runs = program, results, flags, runs
        self.points = [Point(**one) for one in json.loads(results.read_text())] if results.exists() else []

    def measure(self, path: pathlib.Path) -> None:
        table = path.name.split(".")[0]
        names, rows = read(str(path))
        train, test = split(rows)
        classes = sorted({row[names.index(TARGET)] for row in rows})
        known, asked = rows_of(names, train, classes), rows_of(names, test, classes)
        makers = {"Coppice": lambda folder: contestants.ours(self.program, folder / "train.csv", known, folder, self.flags,
                                                                 (self.runs or folder) / table),
                  "tree": lambda folder: contestants.trees(known, folder),
                  "forest": lambda folder: contestants.forests(known, folder),
                  "MLP": lambda folder: contestants.perceptrons(known, folder)}
        for who, make in makers.items():
            if any(p.table == table and p.family.startswith(who) for p in self.points):
                continue
            with tempfile.TemporaryDirectory() as place:
                write(f"{place}/train.csv", names, train)
                self.points += [self.point(table, made, asked) for made in make(pathlib.Path(place))]
            self.results.write_text(json.dumps([asdict(p) for p in self.points], indent=1))

    def point(self, table: str, made: contestants.Made, asked: contestants.Rows) -> Point:
        wrong = np.array(made.source.answers(asked.cells.tolist())) != asked.classes
        taken = made.source.measure(asked.cells.tolist())
        point = Point(table, made.family, made.size, float(wrong.mean()), taken.flash, taken.ram, taken.instructions)
        print(f"{table}: {point.family}, {point.size}: {100 * point.error:.2f} %, {point.flash} bytes", file=sys.stderr)
        return point


def best_within(points: list[Point], flash: int) -> Point | None:
    return min((p for p in points if p.flash <= flash), key=lambda p: p.error, default=None)


def print_table(points: list[Point]) -> None:
    """The lowest error that each reaches in so much flash, and what the best of all takes."""
    print(f"emlearn {emlearn.__version__}, m2cgen {m2cgen.__version__}, scikit-learn {sklearn.__version__}\n")
    print("| table | what | " + " | ".join(f"in {room // 1024} kB" for room in ROOMS) + " | best of all | its flash | RAM | instructions |")
    print("|---" * (len(ROOMS) + 6) + "|")
    for table in dict.fromkeys(p.table for p in points):
        for family in picture.FAMILIES:
            mine = [p for p in points if (p.table, p.family) == (table, family)]
            if not mine:
                continue
            within = [best_within(mine, room) for room in ROOMS]
            errors = [f"{100 * p.error:.2f} %" if p else "-" for p in within]
            best = front(mine)[-1]
            print(f"| {table} | {family} | {' | '.join(errors)} | {100 * best.error:.2f} % | {best.flash:,} | {best.ram:,} | {best.instructions:,} |")


def main() -> None:
    parser = argparse.ArgumentParser(prog="./run bench --embedded", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=lambda text: pathlib.Path(text).resolve(), default=ROOT / "build/bin/coppice")
    parser.add_argument("--data", type=pathlib.Path, metavar="DIR", help="folder of the tables ($COPPICE_DATA/tables)")
    parser.add_argument("--tables", default="letter,pima,shuttle,vowel", metavar="NAME,...",
                        help="tables of numbers and classes")
    parser.add_argument("--results", type=pathlib.Path, metavar="FILE", default=ROOT / "build/embedded-results.json",
                        help="what was measured; what it has is not measured again")
    parser.add_argument("--picture", type=pathlib.Path, metavar="FILE.svg")
    parser.add_argument("--runs", type=lambda text: pathlib.Path(text).resolve(), metavar="DIR",
                        help="keep Coppice's trainings there, one directory for each table, and take those that are there")
    parser.add_argument("--flags", default="", help="more flags of train, in one text")
    arguments = parser.parse_args()
    if not arguments.data and "COPPICE_DATA" not in os.environ:
        parser.error("name the folder of the tables with --data")
    data = arguments.data or pathlib.Path(os.environ["COPPICE_DATA"]) / "tables"
    comparison = Comparison(arguments.program, arguments.results, arguments.flags.split(), arguments.runs)
    tables = arguments.tables.split(",")
    for table in tables:
        comparison.measure(data / f"{table}.csv.gz")
    points = [p for table in tables for p in comparison.points if p.table == table]
    print_table(points)
    if arguments.picture:
        arguments.picture.write_text(picture.drawn(points))


if __name__ == "__main__":
    main()
