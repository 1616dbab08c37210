"""What the Python contestants share: the workload and the protocol that compare.py speaks with each of them.

A contestant is started with the folder of rows.f32 and labels.u32, warms up with an epoch, prints
"ready NAME VERSION SETTINGS", then trains one epoch per line it reads and prints the seconds that took.
"""
import pathlib
import sys
import time

import numpy as np

INPUTS, HIDDEN, CLASSES = 784, (200, 40), 10
BATCH = 1000


def load():
    """The rows (float32) and labels (uint32) in the folder that the command line ends with."""
    if len(sys.argv) < 2:
        sys.exit(f"usage: {sys.argv[0]} FOLDER, where the folder holds rows.f32 and labels.u32")
    folder = pathlib.Path(sys.argv[-1])
    rows = np.fromfile(folder / "rows.f32", dtype="<f4").reshape(-1, INPUTS)
    return rows, np.fromfile(folder / "labels.u32", dtype="<u4")


def seconds_of(action):
    """How long action() takes."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def serve(name, version, settings, epoch):
    """Trains an epoch per line of standard input, until its end; call it warmed up."""
    print("ready", name, version, settings, flush=True)
    for _ in sys.stdin:
        print(f"{seconds_of(epoch):.6f}", flush=True)
