#!/usr/bin/env python3
"""Where --rows-over-ranks pays: one net of fixed size on 1, 2, 4 and 8 ranks, by the rows of a batch and the net's width.

usage: rows.py --program PROGRAM [--rows N] [--inputs N] [--batches 500,4000] [--widths 50,400,1600] [--ranks 1,2,4,8] [--epochs N]
One thread per rank. Prints seconds of training and how much faster than one rank that is; the models are compared.
"""
import argparse
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from scale import cores_first, mpirun, model_bytes, processor, trained_seconds  # noqa: E402


def write_table(path, rows, inputs):
    chance = random.Random(1)
    with path.open("w") as file:
        file.write(",".join(f"x{i}" for i in range(inputs)) + ",label\n")
        for _ in range(rows):
            values = [chance.randrange(1000) for _ in range(inputs)]
            file.write(",".join(map(str, values)) + f",{int(values[0] + values[1] > 1000)}\n")


def numbers(text):
    return [int(word) for word in text.split(",")]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--rows", type=int, default=20000)
    parser.add_argument("--inputs", type=int, default=200)
    parser.add_argument("--batches", type=numbers, default=[500, 4000])
    parser.add_argument("--widths", type=numbers, default=[50, 400, 1600])
    parser.add_argument("--ranks", type=numbers, default=[n for n in (1, 2, 4, 8) if n <= len(os.sched_getaffinity(0))])
    parser.add_argument("--epochs", type=int, default=2)
    arguments = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="coppice-rows-"))
    write_table(folder / "d.csv", arguments.rows, arguments.inputs)
    print(f"{arguments.rows:,} rows of {arguments.inputs} numbers, {arguments.epochs} epochs of one net, one thread per rank; "
          f"{processor()}\n")
    print("| rows of a batch | units | " + " | ".join(f"{n} rank{'s' * (n > 1)}, s" for n in arguments.ranks) + " |")
    print("|---|---|" + "---|" * len(arguments.ranks))
    for batch in arguments.batches:
        for width in arguments.widths:
            cells, first, models = [], None, None
            for ranks in arguments.ranks:
                run = folder / "run"
                shutil.rmtree(run, ignore_errors=True)
                start = mpirun(ranks, cores_first()) if ranks > 1 else []
                words = [*start, arguments.program, "train", str(folder / "d.csv"), "-o", str(run), "--fixed-size", str(width),
                         "--optimizer", "adam", "--batch-size", str(batch), "--max-epochs", str(arguments.epochs),
                         "--ensemble", "off", "--refit", "off", "--threads", "1", "--device", "cpu", "--quiet",
                         "--rows-over-ranks", "on"]
                subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
                seconds = trained_seconds(run)
                first = first or seconds
                models = models or model_bytes(run)
                assert models == model_bytes(run), f"the models of {ranks} ranks differ"
                cells.append(f"{seconds:.2f}" + (f" ({first / seconds:.2f} x)" if ranks > 1 else ""))
            print(f"| {batch:,} | {width:,} | " + " | ".join(cells) + " |", flush=True)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
