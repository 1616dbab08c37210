"""How often prediction intervals and sets of classes are right: python3 benchmarks/tables/intervals.py --data DIR

Every table FOLDER/NAME.csv.gz is split into 70 % of the rows to train and 30 % to test as `./run bench --tables` splits it;
`coppice train` fits with its defaults, `coppice evaluate --interval` measures on the test rows. Needs numpy. Runs are kept, and
those that are there are not trained again.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import csv
import json
import pathlib
import shutil

import numpy as np

import data
from contestants.program import FLAGS, call

ROOT = pathlib.Path(__file__).resolve().parents[2]
KINDS = {"ensemble": [], "single": ["--ensemble", "off"]}


def write(table: data.Table, file: pathlib.Path) -> None:
    with file.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow([*(column.name for column in table.columns), data.TARGET])
        writer.writerows(zip(*(column.cells for column in table.columns), table.target_cells))


def trained(program: pathlib.Path, folder: pathlib.Path, train: data.Table, split: int, kind: str) -> pathlib.Path:
    """The run in that folder, if it came to its end, or a new one."""
    run = folder / "run"
    if not (run / "model.coppice").exists():
        shutil.rmtree(run, ignore_errors=True)
        write(train, folder / "train.csv")
        call(program, "train", folder / "train.csv", "--target", data.TARGET, "--seed", str(split), "--quiet", "-o", run, *FLAGS,
             *KINDS[kind])
    return run


def measure(options: argparse.Namespace, file: pathlib.Path, split: int) -> dict:
    """Of one fit: at each level the coverage, and the mean width of intervals, in deviations of the test targets, or size of sets."""
    table = data.load(file)
    train, test = data.split(table, split)
    folder = options.runs / f"{table.name}-{split}-{options.kind}"
    folder.mkdir(parents=True, exist_ok=True)
    write(test, folder / "test.csv")
    run = trained(options.program, folder, train, split, options.kind)
    held_out = json.loads(call(options.program, "inspect", run / "model.coppice", "--json"))["conformity"]["rows"]
    found: dict = {"table": table.name, "classes": len(table.labels), "held_out": held_out}
    for level in options.levels:
        if level > held_out / (held_out + 1):
            continue
        said = json.loads(call(options.program, "evaluate", run, folder / "test.csv", "--interval", str(level), "--json"))
        size = said["interval"].get("mean_size")
        if size is None:
            size = said["interval"]["mean_width"] / float(np.std(test.target))
        found[str(level)] = {"coverage": said["interval"]["coverage"], "size": size}
    return found


def table_text(fits: list[dict], levels: list[float]) -> str:
    lines = ["| table | fits | held out | " + " | ".join(f"{level:g}: coverage (least) | size" for level in levels) + " |",
             "|---|---|---|" + "---|---|" * len(levels)]
    for name in sorted({fit["table"] for fit in fits}):
        own = [fit for fit in fits if fit["table"] == name]
        cells = [name, str(len(own)), f"{np.mean([fit['held_out'] for fit in own]):.0f}"]
        for level in levels:
            told = [fit[str(level)] for fit in own if str(level) in fit]
            if not told:
                cells += ["-", "-"]
                continue
            coverage = [one["coverage"] for one in told]
            unit = " sd" if own[0]["classes"] == 0 else f" of {own[0]['classes']}"
            cells += [f"{np.mean(coverage):.3f} ({min(coverage):.3f})", f"{np.mean([one['size'] for one in told]):.2f}{unit}"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, required=True, metavar="DIR", help="folder of the tables")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/bin/coppice", metavar="FILE")
    parser.add_argument("--runs", type=pathlib.Path, default=ROOT / "build/intervals", metavar="DIR",
                        help="where runs are kept (build/intervals)")
    parser.add_argument("--tables", type=lambda text: text.split(","), metavar="NAME,...", help="some of the tables (all)")
    parser.add_argument("--kind", choices=KINDS, default="ensemble", help="single: with --ensemble off")
    parser.add_argument("--splits", type=int, default=3, metavar="N", help="splits of each table (3)")
    parser.add_argument("--levels", type=lambda text: [float(level) for level in text.split(",")], default=[0.8, 0.9, 0.95])
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="fits at a time (1)")
    options = parser.parse_args()
    files = data.find(options.data)
    names = options.tables or list(files)
    if unknown := [name for name in names if name not in files]:
        parser.error(f"there is no table {unknown[0]} in {options.data}")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        begun = [pool.submit(measure, options, files[name], split) for split in range(options.splits) for name in names]
        print(table_text([fit.result() for fit in begun], options.levels))


if __name__ == "__main__":
    main()
