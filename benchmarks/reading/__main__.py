"""How long a csv file takes to read, beside polars, DuckDB, pandas and LightGBM: `./run bench --reading`.

usage: python benchmarks/reading LIBRARY [--rows N] [--columns N] [--rounds N] [--only NAME] [--file FILE]

Everyone reads the same file in turns, each time in a process of its own; times are those of the call alone, without the
start of the process and imports. The file is in the page cache. The ratio is to the median of polars.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from contestants import contestants
from numbers_file import write_numbers


def measure(name: str, path: Path, library: str) -> dict[str, float]:
    command = [sys.executable, "-B", str(Path(__file__).parent / "contestants.py"), name, str(path), library]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{name}: {done.stderr.strip().splitlines()[-1]}")
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", help="libcoppice.so")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", action="append", choices=list(contestants), help="may be given several times")
    parser.add_argument("--file", type=Path, help="a csv file to read instead of a made one")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = arguments.file or Path(folder) / "numbers.csv"
        if not arguments.file:
            print(f"writing {arguments.rows} rows of {arguments.columns} numbers ...", file=sys.stderr)
            write_numbers(path, arguments.rows, arguments.columns)
        path.read_bytes()  # into the page cache
        names = arguments.only or list(contestants)
        taken: dict[str, list[dict[str, float]]] = {name: [] for name in names}
        for turn in range(arguments.rounds):
            for name in names[turn % len(names) :] + names[: turn % len(names)]:
                taken[name].append(measure(name, path, arguments.library))
        print(f"{path.stat().st_size / 1e6:.0f} MB, {os.cpu_count()} processors, {arguments.rounds} rounds; seconds: median (range)")
        medians = {name: statistics.median(one["seconds"] for one in all) for name, all in taken.items()}
        for name, all in taken.items():
            seconds = [one["seconds"] for one in all]
            ratio = f"{medians[name] / medians['polars']:6.2f} x polars" if "polars" in medians else ""
            peak = max(one["peak"] for one in all) / 1e9
            print(f"{name:10} {medians[name]:7.2f} ({min(seconds):.2f} to {max(seconds):.2f}) {ratio}  peak {peak:.2f} GB")


if __name__ == "__main__":
    main()
