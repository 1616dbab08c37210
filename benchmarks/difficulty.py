#!/usr/bin/env python3
"""How hard the generated images are: a support vector machine with Gaussian kernels on convex and rectangles.

    python3 -m venv build/datasets-venv && build/datasets-venv/bin/pip install scikit-learn
    build/datasets-venv/bin/python benchmarks/difficulty.py -o docs/reproduction/difficulty.json

C and gamma are chosen by the error on the validation rows (convex 7,000 + 1,000 rows, rectangles 10,000 + 2,000), all of those rows
train the machine that is tested on 50,000 others. The same rows as `./run reproduce figure3` takes: seed 1 to train, seed 2
to test. `./run reproduce data` puts the numbers into its page.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import time

import numpy as np
import sklearn
from sklearn.svm import SVC

ROOT = pathlib.Path(__file__).resolve().parent.parent
SETS = {"convex": (7000, 1000), "rectangles": (10000, 2000)}  # rows to train and to validate
PENALTIES = (1, 10, 100)
WIDTHS = (0.1, 0.3, 1, 3)  # gamma, in units of 1 / (inputs * variance)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--out", type=pathlib.Path, required=True, help="JSON file to write")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/bin/coppice")
    parser.add_argument("--test-rows", type=int, default=50000)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    return parser.parse_args()


def generate(options, kind, rows, seed, folder):
    file = folder / f"{kind}-{seed}.amat"
    subprocess.run([options.program, "generate", kind, "--rows", str(rows), "--seed", str(seed), "-o", file], check=True,
                   stdout=subprocess.DEVNULL)
    table = np.loadtxt(file, dtype=np.float32)
    return table[:, :-1], table[:, -1].astype(int)


def machine(penalty, gamma):
    return SVC(C=penalty, gamma=gamma, cache_size=1000)


def validation_error(job):
    train, validation, penalty, gamma = job
    return np.mean(machine(penalty, gamma).fit(*train).predict(validation[0]) != validation[1])


def wrong_rows(job):
    fitted, inputs, labels = job
    return int(np.sum(fitted.predict(inputs) != labels))


def measure(options, pool, kind, folder):
    train_rows, validation_rows = SETS[kind]
    inputs, labels = generate(options, kind, train_rows + validation_rows, 1, folder)
    train = inputs[:train_rows], labels[:train_rows]
    validation = inputs[train_rows:], labels[train_rows:]
    unit = 1 / (inputs.shape[1] * inputs.var())
    settings = [(penalty, width * unit) for penalty in PENALTIES for width in WIDTHS]
    errors = list(pool.map(validation_error, [(train, validation, *setting) for setting in settings]))
    lowest = int(np.argmin(errors))
    penalty, gamma = settings[lowest]
    fitted = machine(penalty, gamma).fit(inputs, labels)
    test_inputs, test_labels = generate(options, kind, options.test_rows, 2, folder)
    parts = np.array_split(np.arange(options.test_rows), 4 * options.jobs)
    wrong = sum(pool.map(wrong_rows, [(fitted, test_inputs[part], test_labels[part]) for part in parts]))
    return {"test_error": wrong / options.test_rows, "validation_error": float(errors[lowest]), "C": penalty,
            "gamma": float(gamma), "test_rows": options.test_rows,
            "how": f"C {penalty}, gamma {gamma:.3g}, {options.test_rows} test rows"}


def main():
    options = arguments()
    start = time.perf_counter()
    results = {}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for kind in SETS:
            results[kind] = measure(options, pool, kind, pathlib.Path(folder))
            print(f"{kind}: {100 * results[kind]['test_error']:.2f} % ({results[kind]['how']})", file=sys.stderr)
    results["command"] = f"benchmarks/difficulty.py -o {options.out.name}"
    results["seeds"] = "1 to train, 2 to test"
    results["device"] = f"CPU, {options.jobs} processes, scikit-learn {sklearn.__version__}, {platform.machine()}"
    results["seconds"] = round(time.perf_counter() - start, 1)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
