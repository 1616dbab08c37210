#!/usr/bin/env python3
"""A table of four times the memory a training may take, beside the same training where it fits.

usage: memory.py --program PROGRAM [--rows N] [--columns N] [--memory BYTES] [--epochs N] [--rounds N] [--group] [--keep DIR]

Both train the same nets in turns. Prints seconds of training, processor seconds of the whole command, what the kernel says the
process held at most (VmHWM, of it anonymous memory), and whether the models are the same: medians of the rounds, speeds by the
ratios of each. --group, as root, adds the same in a control group whose limit is that memory, files in the page cache included:
then rows come from the disk itself.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import tempfile
import time

GROUP = pathlib.Path("/sys/fs/cgroup/memory/coppice-bench")  # version 1
GROUP_2 = pathlib.Path("/sys/fs/cgroup/coppice-bench")


def write_table(path, rows, columns):
    """Numbers of six digits and a class that some of them tell."""
    draw = random.Random(1)
    numbers = [draw.gauss(0, 1) for _ in range(10_000)]
    texts = [f"{x:.5f}" for x in numbers]
    with path.open("w") as file:
        file.write(",".join([*(f"x{i}" for i in range(columns)), "label"]) + "\n")
        for _ in range(rows):
            row = draw.choices(range(len(numbers)), k=columns)
            label = int(numbers[row[0]] * numbers[row[1]] + numbers[row[2]] > 0)
            file.write(",".join([texts[i] for i in row]) + f",{label}\n")


def in_group(limit):
    """What moves a process into a group of so much memory, before it begins."""
    group, name = (GROUP, "memory.limit_in_bytes") if GROUP.parent.is_dir() else (GROUP_2, "memory.max")
    group.mkdir(exist_ok=True)
    (group / name).write_text(str(limit))
    return lambda: (group / "cgroup.procs").write_text(str(os.getpid()))


def peaks(pid):
    """Bytes: the most ever resident, and what is anonymous now."""
    try:
        lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0, 0
    found = {line.split(":")[0]: int(line.split()[1]) * 1024 for line in lines if line.endswith("kB")}
    return found.get("VmHWM", 0), found.get("RssAnon", 0)


def train(arguments, run, memory, group=None):
    shutil.rmtree(run, ignore_errors=True)
    command = [arguments.program, "train", str(arguments.data), "--target", "label", "-o", str(run), "--lambda", "1e-3,1e-4",
               "--ensemble", "off", "--max-epochs", str(arguments.epochs), "--threads", str(arguments.threads), "--device",
               "cpu", "--refit", "off", "--quiet"]
    if memory:
        command += ["--memory", str(memory)]
    process = subprocess.Popen(command, preexec_fn=group)
    most, anonymous, ended = 0, 0, 0
    while ended == 0:
        now = peaks(process.pid)
        most, anonymous = max(most, now[0]), max(anonymous, now[1])
        time.sleep(0.05)
        ended, status, used = os.wait4(process.pid, os.WNOHANG)
    if status != 0:
        raise SystemExit(f"{' '.join(command)}: wait status {status}")
    seconds = json.loads((run / "summary.json").read_text())["seconds"]
    models = {path.name: path.read_bytes() for path in run.glob("*.coppice")}
    return {"seconds": seconds, "cpu": used.ru_utime + used.ru_stime, "most": most, "anonymous": anonymous, "models": models}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=200)
    parser.add_argument("--memory", type=int, help="default: a quarter of the table as float32")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--group", action="store_true")
    parser.add_argument("--keep", type=pathlib.Path)
    arguments = parser.parse_args()
    table = arguments.rows * arguments.columns * 4
    memory = arguments.memory or table // 4
    folder = arguments.keep or pathlib.Path(tempfile.mkdtemp(prefix="coppice-memory-"))
    folder.mkdir(exist_ok=True)
    arguments.data = folder / f"table-{arguments.rows}x{arguments.columns}.csv"
    if not arguments.data.exists():
        write_table(arguments.data, arguments.rows, arguments.columns)
    ways = {"it fits": lambda: train(arguments, folder / "fits", None),
            f"--memory {memory}": lambda: train(arguments, folder / "little", memory)}
    if arguments.group:
        ways["the same in a group of that"] = lambda: train(arguments, folder / "group", memory, in_group(memory))
    taken = {name: [] for name in ways}
    for _ in range(arguments.rounds):  # in turns, so that what else the machine does falls on all alike
        for name, way in ways.items():
            taken[name].append(way())
    print(f"{arguments.rows} rows of {arguments.columns} numbers, {table / 1e6:.0f} MB as float32, {arguments.epochs} epochs of "
          f"2 nets, {arguments.threads} threads, {os.cpu_count()} processors; medians of {arguments.rounds}\n")
    print("| | seconds | speed | range | processor seconds | peak RSS, MB | of it anonymous, MB | models |")
    print("|---|---|---|---|---|---|---|---|")
    fits = taken["it fits"]
    for name, all_of in taken.items():
        speeds = [100 * whole["seconds"] / one["seconds"] for whole, one in zip(fits, all_of)]
        middle = {key: statistics.median(one[key] for one in all_of) for key in ("seconds", "cpu")}
        equal = all(one["models"] == fits[0]["models"] for one in all_of)
        print(f"| {name} | {middle['seconds']:.1f} | {statistics.median(speeds):.0f} % | {min(speeds):.0f} to {max(speeds):.0f} % | "
              f"{middle['cpu']:.1f} | {max(one['most'] for one in all_of) / 1e6:.0f} | "
              f"{max(one['anonymous'] for one in all_of) / 1e6:.0f} | {'the same' if equal else 'DIFFERENT'} |")
    if not arguments.keep:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
