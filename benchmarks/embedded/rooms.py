#!/usr/bin/env python3
"""Which room beyond the rows of a calibration 8 bits should have (coppice/exports/quantized.h), without looking at test rows.

    benchmarks/embedded/rooms.py COPPICE LEVEL_ROOMS TABLE.csv[.gz]... [--seeds N] [-- FLAGS OF TRAIN]

Of the rows that loss.py trains on, a fifth is set aside, another one for each seed; a model that is trained on the others, and calibrated on
them, is asked about it. Prints for each room how much further or nearer the answers in 8 bits are to those in floats than with the first
(the geometric mean over all trainings), and the mean and the largest change of the error.
"""
import math
import os
import random
import subprocess
import sys
import tempfile

from loss import TARGET, read, split, write


def measured(program, rooms, path, seed, flags):
    names, rows = read(path)
    rows, _ = split(rows)
    random.Random(100 + seed).shuffle(order := list(range(len(rows))))
    asked = len(rows) // 5
    with tempfile.TemporaryDirectory() as folder:
        write(f"{folder}/train.csv", names, [rows[i] for i in sorted(order[asked:])])
        write(f"{folder}/others.csv", names, [rows[i] for i in sorted(order[:asked])])
        subprocess.run([program, "train", f"{folder}/train.csv", "--target", TARGET, "-o", f"{folder}/run", "--seed", str(seed), *flags],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        said = subprocess.run([rooms, f"{folder}/run/model.coppice", f"{folder}/train.csv", f"{folder}/others.csv"], check=True,
                              capture_output=True, text=True).stdout
    lines = [[float(cell) for cell in line.split(",")] for line in said.splitlines()]
    return {(cells, units): (100 * (error / before - 1), off) for cells, units, before, error, off in lines}


def main():
    arguments, flags = sys.argv[1:], []
    if "--" in arguments:
        flags = arguments[arguments.index("--") + 1:]
        arguments = arguments[:arguments.index("--")]
    seeds = 3
    if "--seeds" in arguments:
        place = arguments.index("--seeds")
        seeds = int(arguments[place + 1])
        del arguments[place:place + 2]
    if len(arguments) < 3:
        raise SystemExit(__doc__)
    program, rooms, *tables = arguments
    found = []
    for seed in range(seeds):
        for path in tables:
            found.append(measured(program, rooms, path, seed, flags))
            print(f"{os.path.basename(path)}, seed {seed}: changes of the error", ", ".join(f"{change:+.2f} %" for change, _ in found[-1].values()),
                  file=sys.stderr, flush=True)
    first = next(iter(found[0]))
    print("| room of cells, of units | off by | change of the error, mean | largest |\n|---|---|---|---|")
    for room in found[0]:
        off = math.exp(sum(math.log(one[room][1] / one[first][1]) for one in found) / len(found))
        changes = [one[room][0] for one in found]
        print(f"| {room[0]:g}, {room[1]:g} | {off:.2f} | {sum(changes) / len(changes):+.2f} % | {max(changes):+.2f} % |")


if __name__ == "__main__":
    main()
