#!/usr/bin/env python3
"""What a processor loses while all others train nets on MNIST, a net each: how fast benchmarks/scale/loops.cpp, built as LOOPS, runs on
the last one, alone and beside them; and how long an epoch takes of one net, of some and of as many as there are processors.

    beside.py --program build/bin/coppice --loops LOOPS --data DIR/mnist

All processors should be its own. Prints a table each."""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

KINDS = ("fma", "amx", "l2", "chase-l2", "chase-l3", "chase-memory")
READING = 2.6  # seconds until all train


def loop(program, kind, cpu):
    """How much in a second; nothing where the processor cannot do that."""
    said = subprocess.run([program, kind, "0.4", str(cpu)], capture_output=True, text=True).stdout.split()
    return float(said[0]) if said else None


def start(options, folder, cpu, epochs, precision):
    command = ["taskset", "-c", str(cpu), options.program, "train", options.data, "-o", folder / f"{cpu}-{precision}-{epochs}",
               "--lambda", "1e-3", "--ensemble", "off", "--refit", "off", "--max-epochs", str(epochs), "--threads", "1", "--device",
               "cpu", "--quiet", "--precision", precision]
    return subprocess.Popen(command, env=os.environ | {"OMP_NUM_THREADS": "1"})


def epoch_of(run):
    events = [json.loads(line) for line in (run / "journal.jsonl").read_text().splitlines()]
    at = [event["seconds"] for event in events if event.get("event") == "epoch"]
    return (at[-1] - at[0]) / (len(at) - 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("program", "loops", "data"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    options = parser.parse_args()
    cpus = sorted(os.sched_getaffinity(0))
    print("| precision | nets | an epoch, s, median | least | most |\n|---|---|---|---|---|")
    for precision in ("bf16", "fp32"):
        for count in sorted({1, max(1, len(cpus) // 4), len(cpus)}):
            with tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                nets = [start(options, folder, cpu, 8, precision) for cpu in cpus[:count]]
                if any([net.wait() for net in nets]):
                    raise SystemExit("beside.py: a training failed; what it says is above")
                epochs = [epoch_of(run) for run in folder.iterdir()]
            print(f"| {precision} | {count} | {statistics.median(epochs):.3f} | {min(epochs):.3f} | {max(epochs):.3f} |", flush=True)
    print("\n| loop | alone | beside nets, bf16 | fp32 |\n|---|---|---|---|")
    rates = {kind: [loop(options.loops, kind, cpus[-1])] for kind in KINDS}
    for precision in ("bf16", "fp32"):
        with tempfile.TemporaryDirectory() as name:
            nets = [start(options, pathlib.Path(name), cpu, 1000, precision) for cpu in cpus[:-1]]
            time.sleep(READING)
            for kind in KINDS:
                rates[kind].append(loop(options.loops, kind, cpus[-1]))
            for net in nets:
                net.kill()
                net.wait()
    for kind, found in rates.items():
        print(f"| {kind} | {' | '.join('-' if rate is None else f'{rate:.4g}' for rate in found)} |")


if __name__ == "__main__":
    main()
