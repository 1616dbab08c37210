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
import subprocess
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
sys.path.insert(0, str(HERE.parent))
from loss import MISSING, TARGET, read, split, write  # noqa: E402


def rows_of(names: list[str], rows: list[list[str]], classes: list[str]) -> contestants.Rows:
    columns = [name for name in names if name != TARGET]
    places = [names.index(name) for name in columns]
    cells = np.array([[np.nan if row[p].strip().lower() in MISSING else float(row[p]) for p in places] for row in rows], np.float32)
    return contestants.Rows(columns, cells.astype(np.float64), np.array([classes.index(row[names.index(TARGET)]) for row in rows]), classes)


def points_of(program: pathlib.Path, path: pathlib.Path, flags: list[str]) -> list[Point]:
    table = path.name.split(".")[0]
    names, rows = read(str(path))
    train, test = split(rows)
    classes = sorted({row[names.index(TARGET)] for row in rows})
    known, asked = rows_of(names, train, classes), rows_of(names, test, classes)
    points = []
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        write(str(folder / "train.csv"), names, train)
        makers = [contestants.ours(program, folder / "train.csv", known, folder, flags)]
        makers += [make(known, folder) for make in (contestants.trees, contestants.forests, contestants.perceptrons)]
        for made in (one for maker in makers for one in maker):
            wrong = np.array(made.source.answers(asked.cells.tolist())) != asked.classes
            try:
                taken = made.source.measure(asked.cells.tolist())
            except subprocess.CalledProcessError:
                print(f"{table}: {made.family}, {made.size} is too large for the device", file=sys.stderr)
                continue
            points.append(Point(table, made.family, made.size, float(wrong.mean()), taken.flash, taken.ram, taken.instructions))
            print(f"{table}: {made.family}, {made.size}: {100 * points[-1].error:.2f} %, {taken.flash} bytes", file=sys.stderr)
    return points


def print_table(points: list[Point]) -> None:
    print(f"emlearn {emlearn.__version__}, m2cgen {m2cgen.__version__}, scikit-learn {sklearn.__version__}\n")
    print("| table | what | size | error | flash | RAM | instructions |\n|---|---|---|---|---|---|---|")
    for table in dict.fromkeys(p.table for p in points):
        for family in picture.FAMILIES:
            for p in front([p for p in points if (p.table, p.family) == (table, family)]):
                print(f"| {table} | {family} | {p.size} | {100 * p.error:.2f} % | {p.flash:,} | {p.ram:,} | {p.instructions:,} |")


def main() -> None:
    parser = argparse.ArgumentParser(prog="./run bench --embedded", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=lambda text: pathlib.Path(text).resolve(), default=ROOT / "build/bin/coppice")
    parser.add_argument("--data", type=pathlib.Path, metavar="DIR", help="folder of the tables ($COPPICE_DATA/tables)")
    parser.add_argument("--tables", default="letter,pima,shuttle,vowel", metavar="NAME,...",
                        help="all that have numbers and classes alone")
    parser.add_argument("--results", type=pathlib.Path, metavar="FILE", default=ROOT / "build/embedded-results.json",
                        help="what was measured; tables that it has are not measured again")
    parser.add_argument("--picture", type=pathlib.Path, metavar="FILE.svg")
    parser.add_argument("--flags", default="", help="more flags of train, in one text")
    arguments = parser.parse_args()
    if not arguments.data and "COPPICE_DATA" not in os.environ:
        parser.error("name the folder of the tables with --data")
    data = arguments.data or pathlib.Path(os.environ["COPPICE_DATA"]) / "tables"
    known = json.loads(arguments.results.read_text()) if arguments.results.exists() else []
    points = [Point(**one) for one in known]
    for table in arguments.tables.split(","):
        if table not in {p.table for p in points}:
            points += points_of(arguments.program, data / f"{table}.csv.gz", arguments.flags.split())
            arguments.results.write_text(json.dumps([asdict(p) for p in points], indent=1))
    points = [p for p in points if p.table in arguments.tables.split(",")]
    print_table(points)
    if arguments.picture:
        arguments.picture.write_text(picture.drawn(points))


if __name__ == "__main__":
    main()
