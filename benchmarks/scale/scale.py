#!/usr/bin/env python3
"""How a run spreads over ranks: time on 1, 2, 4, ... ranks, what MPI costs where there is one, and what a thousand would do.

usage: scale.py --program PROGRAM [--data DATA] [--ranks 1,2,4] [--rounds N] [--epochs N] [--keep DIR]
Without --data it generates poker hands. Prints tables for docs/scale.md.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import simulate  # noqa: E402

LAMBDAS = "1e-2,3e-3,1e-3,3e-4,1e-4,3e-5,1e-5,3e-6,1e-6,3e-7"
SEEDS = 3


def mpirun(ranks):
    command = ["mpirun", "--oversubscribe", "--mca", "btl_vader_single_copy_mechanism", "none", "-n", str(ranks),
               "--bind-to", "core" if ranks <= (os.cpu_count() or 1) else "none"]
    return command + (["--allow-run-as-root"] if os.geteuid() == 0 else [])


def train(arguments, folder, name, launcher):
    """Seconds of training alone, as the run's summary has them."""
    run = folder / name
    shutil.rmtree(run, ignore_errors=True)
    command = [*launcher, arguments.program, "train", str(arguments.data), "-o", str(run), "--lambda", LAMBDAS,
               "--seeds", str(SEEDS), "--ensemble", "off", "--max-epochs", str(arguments.epochs), "--threads", "1",
               "--device", "cpu", "--quiet"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return json.loads((run / "summary.json").read_text())["seconds"]


def model_bytes(run):
    return {path.name: path.read_bytes() for path in run.glob("*.coppice")}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--ranks", default="")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--keep", type=pathlib.Path)
    arguments = parser.parse_args()
    folder = arguments.keep or pathlib.Path(tempfile.mkdtemp(prefix="coppice-scale-"))
    folder.mkdir(exist_ok=True)
    if arguments.data is None:
        arguments.data = folder / "poker.csv"
        subprocess.run([arguments.program, "generate", "poker", "--rows", "50000", "--seed", "1", "-o",
                        str(arguments.data)], check=True)
    counts = [int(word) for word in arguments.ranks.split(",")] if arguments.ranks else \
        [n for n in (1, 2, 4, 8, 16, 32, 64) if n <= (os.cpu_count() or 1)]
    # In turns, so that what else the machine does falls on all alike.
    seconds = {"alone": []} | {count: [] for count in counts}
    for _ in range(arguments.rounds):
        seconds["alone"].append(train(arguments, folder, "alone", []))
        for count in counts:
            seconds[count].append(train(arguments, folder, f"of-{count}", mpirun(count)))
            assert model_bytes(folder / "alone") == model_bytes(folder / f"of-{count}"), "models differ"
    best = {name: min(times) for name, times in seconds.items()}
    print(f"{arguments.data.name}, {len(LAMBDAS.split(',')) * SEEDS} nets of at most {arguments.epochs} epochs, "
          f"best of {arguments.rounds}; {os.cpu_count()} processors\n")
    print("| ranks | seconds | efficiency |\n|---|---|---|")
    print(f"| without mpirun, 1 thread | {best['alone']:.1f} | 1 |")
    for count in counts:
        print(f"| {count} | {best[count]:.1f} | {best['alone'] / best[count] / count:.2f} |")
    if 1 in counts:
        ratios = [one / alone for one, alone in zip(seconds[1], seconds["alone"])]
        print(f"\noverhead of MPI on one rank: {100 * (statistics.median(ratios) - 1):.1f} % (median of "
              f"{arguments.rounds})\n")
    simulate.print_plan(folder / f"of-{counts[-1]}")
    if arguments.keep is None:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
