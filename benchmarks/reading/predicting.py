"""How many rows of a csv file are predicted in a second, beside LightGBM: `./run bench --predict`.

usage: python benchmarks/reading/predicting.py PROGRAM [--rows N] [--columns N] [--rounds N] [--model MODEL --file FILE]

A net of 100 and 50 units, and 100 trees, predict the same file in turns, each time in a process of its own whose start and
imports count; answers go into a file. Prints rows per second: the median and the range.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from numbers_file import write_numbers

TREES = """
import lightgbm, sys
if sys.argv[1] == "train":
    data = lightgbm.Dataset(sys.argv[2], params={"header": True, "label_column": "name:label", "verbose": -1})
    lightgbm.train({"objective": "binary", "verbose": -1}, data, num_boost_round=100).save_model(sys.argv[3])
else:
    import numpy
    answers = lightgbm.Booster(model_file=sys.argv[3]).predict(sys.argv[2], data_has_header=True)
    numpy.savetxt(sys.argv[4], answers, fmt="%.6f")
"""


def trees(*arguments: object) -> list[str]:
    return [sys.executable, "-c", TREES, *map(str, arguments)]


def run(command: list[str]) -> float:
    begun = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command[0]}: {done.stderr.strip()}")
    return time.perf_counter() - begun


def train_net(program: str, data: Path, run_directory: Path) -> None:
    settings = "--target label --fixed-size 100,50 --optimizer adam --max-epochs 2 --ensemble off --refit off --quiet --device cpu"
    run([program, "train", str(data), "-o", str(run_directory), *settings.split()])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="coppice")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", action="append", choices=["coppice", "coppice -", "lightgbm"], help="may be given several times")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        known, asked, answers = folder / "known.csv", folder / "asked.csv", folder / "answers.csv"
        print(f"writing {arguments.rows} rows of {arguments.columns} numbers ...", file=sys.stderr)
        write_numbers(known, 20_000, arguments.columns)
        write_numbers(asked, arguments.rows, arguments.columns, labels=False)
        net, forest, program = folder / "net", folder / "trees.txt", arguments.program
        train_net(program, known, net)
        piped = f"{program} predict {net} - -o {answers} --device cpu < {asked}"
        ways = {"coppice": [program, "predict", str(net), str(asked), "-o", str(answers), "--device", "cpu"],
                "coppice -": ["sh", "-c", piped],
                "lightgbm": trees("predict", asked, forest, answers)}
        ways = {name: way for name, way in ways.items() if name in (arguments.only or ways)}
        if "lightgbm" in ways:
            run(trees("train", known, forest))
        taken: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(arguments.rounds):
            for name, way in ways.items():
                taken[name].append(run(way))
        print(f"{asked.stat().st_size / 1e6:.0f} MB, {os.cpu_count()} processors, {arguments.rounds} rounds; rows per second: median (range)")
        for name, seconds in taken.items():
            rates = [arguments.rows / one for one in seconds]
            print(f"{name:10} {statistics.median(rates):10,.0f} ({min(rates):,.0f} to {max(rates):,.0f})")


if __name__ == "__main__":
    main()
