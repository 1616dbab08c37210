"""How often prediction intervals and sets of classes are right: python3 benchmarks/tables/intervals.py --data DIR

Every table FOLDER/NAME.csv.gz is split into 70 % of the rows to train and 30 % to test as `./run bench --tables` splits it;
`coppice train` fits with its defaults, `coppice evaluate --interval` measures on the test rows. Needs numpy. A fit that is in the
results file is not made again.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import csv
import json
import pathlib
import tempfile

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


def measure(program: pathlib.Path, file: pathlib.Path, split: int, kind: str, levels: list[float]) -> dict:
    """Of one fit: at each level the coverage, and the mean width of intervals, in deviations of the test targets, or size of sets."""
    table = data.load(file)
    train, test = data.split(table, split)
    found: dict = {"table": table.name, "split": split, "kind": kind, "classes": len(table.labels), "test_rows": len(test)}
    with tempfile.TemporaryDirectory(prefix="coppice-intervals-") as name:
        folder = pathlib.Path(name)
        write(train, folder / "train.csv")
        write(test, folder / "test.csv")
        call(program, "train", folder / "train.csv", "--target", data.TARGET, "--seed", str(split), "--quiet", "-o",
             folder / "run", *FLAGS, *KINDS[kind])
        model = json.loads(call(program, "inspect", folder / "run" / "model.coppice", "--json"))
        found["held_out"] = model["conformity"]["rows"]
        for level in levels:
            if level > found["held_out"] / (found["held_out"] + 1):
                continue
            said = json.loads(call(program, "evaluate", folder / "run", folder / "test.csv", "--interval", str(level), "--json"))
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
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "build/intervals.jsonl", metavar="FILE",
                        help="a line per fit (build/intervals.jsonl)")
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
    lines = options.results.read_text().splitlines() if options.results.exists() else []
    fits = {(fit["table"], fit["split"], fit["kind"]): fit for fit in map(json.loads, lines)}
    wanted = [(name, split, options.kind) for split in range(options.splits) for name in names]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, options.results.open("a") as out:
        begun = [pool.submit(measure, options.program, files[name], split, kind, options.levels)
                 for name, split, kind in wanted if (name, split, kind) not in fits]
        for done in concurrent.futures.as_completed(begun):
            fit = done.result()
            fits[fit["table"], fit["split"], fit["kind"]] = fit
            out.write(json.dumps(fit) + "\n")
            out.flush()
    print(table_text([fits[key] for key in wanted], options.levels))


if __name__ == "__main__":
    main()
