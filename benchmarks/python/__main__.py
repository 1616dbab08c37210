"""What Python costs beside the program: `./run bench --python`. Prints a line per figure; each runs in a process of its own.

usage: python benchmarks/python [--only NAME] [--rows N]
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

settings = {"fixed_size": [100, 50], "optimizer": "adam", "ensemble": "off", "max_epochs": 5, "encode": "plain"}


def pixels(rows: int) -> tuple[Any, Any]:
    """Images of noise with ten classes that a net can learn."""
    random = np.random.default_rng(0)
    X = random.integers(0, 256, size=(rows, 784)).astype(np.float32)
    return X, X[:, :10].argmax(axis=1)


def numbers(rows: int) -> tuple[Any, Any]:
    random = np.random.default_rng(0)
    X = random.normal(size=(rows, 50)).astype(np.float32)
    return X, (X[:, 0] * X[:, 1] + X[:, 2] > 0).astype(np.int64)


def resident(what: str) -> int:
    """Bytes, as Linux counts them: VmRSS now, VmHWM at most."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(what):
            return int(line.split()[1]) * 1024
    raise RuntimeError(f"there is no {what}")


class Epochs:
    """When the first epoch began and the last one ended."""

    begun = ended = 0.0

    def on_begin(self, info: Any) -> None:
        self.begun = time.perf_counter()

    def on_epoch(self, report: Any) -> None:
        self.ended = time.perf_counter()

    def seconds(self) -> float:
        return self.ended - self.begun


def bench_fit(rows: int) -> str:
    """Seconds of fit over those that the program tells as its time, which are those of its epochs: medians of three turns.
    The program trains on a csv file of the same rows, and must come to the same model."""
    from coppice import CoppiceClassifier
    from coppice._program import program_path

    X, y = pixels(rows)
    fits, trainings, programs, same = [], [], [], True
    with tempfile.TemporaryDirectory() as folder:
        names = ",".join([f"column{i + 1}" for i in range(784)] + ["target"])
        np.savetxt(f"{folder}/t.csv", np.column_stack([X, y]), "%d", ",", header=names, comments="")
        flags = ["--ensemble", "off", "--lambda", "0.01,0.003,0.001"]
        flags += ["--target", "target", "--task", "classification", "--quiet"]
        for turn in range(3):
            epochs = Epochs()
            since = time.perf_counter()
            fitted = CoppiceClassifier(ensemble="off", lambda_=[0.01, 0.003, 0.001]).fit(X, y, callbacks=[epochs])
            fits.append(time.perf_counter() - since)
            trainings.append(epochs.seconds())
            run = f"{folder}/run{turn}"
            subprocess.run([program_path(), "train", f"{folder}/t.csv", *flags, "-o", run], check=True)
            programs.append(json.loads(Path(run, "summary.json").read_text())["seconds"])
            same = same and Path(run, "model.coppice").read_bytes() == fitted.model_.bytes()
    fit, training, program = map(statistics.median, (fits, trainings, programs))
    return (
        f"fit, {rows} x 784: {fit:.1f} s, {fit / program:.3f} of what the program trains for ({program:.1f} s), "
        f"{fit / training:.3f} of its own epochs; {'the same' if same else 'another'} model"
    )


def bench_copies(rows: int) -> str:
    """How much memory fit needs beside X, in units of X."""
    from coppice import CoppiceClassifier

    CoppiceClassifier(**settings).fit(*numbers(500))
    X, y = pixels(rows)
    before = resident("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # the greatest so far is now
    CoppiceClassifier(**settings).fit(X, y)
    return f"copies of X in fit, {rows} x 784 float32: {(resident('VmHWM') - before) / X.nbytes:.2f}"


def bench_predict(rows: int) -> str:
    """Rows per second of predict_proba, and over LightGBM's."""
    from coppice import CoppiceClassifier

    X, y = numbers(rows)
    fitted = CoppiceClassifier(**settings).fit(X[:20000], y[:20000])

    def speed(predict: Any) -> float:
        times = []
        for _ in range(3):
            since = time.perf_counter()
            predict(X)
            times.append(time.perf_counter() - since)
        return rows / min(times)

    ours = speed(fitted.predict_proba)
    try:
        import lightgbm
    except ImportError:
        return f"predict_proba, {rows} x 50: {ours:,.0f} rows/s; lightgbm is not installed"
    theirs = speed(lightgbm.LGBMClassifier(verbose=-1).fit(X[:20000], y[:20000]).predict_proba)
    return f"predict_proba, {rows} x 50: {ours:,.0f} rows/s; LightGBM {theirs:,.0f}; ratio {ours / theirs:.1f}"


def bench_latency(rows: int) -> str:
    """Microseconds for one row: the median of many."""
    from coppice import CoppiceClassifier

    X, y = numbers(rows)
    fitted = CoppiceClassifier(**settings).fit(X, y)
    times = []
    for _ in range(5000):
        since = time.perf_counter()
        fitted.predict_proba(X[:1])
        times.append(time.perf_counter() - since)
    return f"predict one row of 50: {statistics.median(times) * 1e6:.0f} us"


def bench_import(repeats: int) -> str:
    """Milliseconds that `import coppice` adds to an interpreter's start; with an estimator, numpy and scikit-learn come along."""

    def started(code: str) -> float:
        times = []
        for _ in range(repeats):
            since = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True)
            times.append(time.perf_counter() - since)
        return statistics.median(times) * 1e3

    nothing, package, model = started("pass"), started("import coppice"), started("from coppice import Model")
    array = started("import numpy")
    return (
        f"import coppice: {package - nothing:.0f} ms; from coppice import Model: {model - nothing:.0f} ms, "
        f"of which numpy {array - nothing:.0f} ms"
    )


benches = {
    "fit": (bench_fit, 50_000),
    "copies": (bench_copies, 50_000),
    "predict": (bench_predict, 1_000_000),
    "latency": (bench_latency, 2_000),
    "import": (bench_import, 9),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=benches)
    parser.add_argument("--rows", type=int, help="instead of those of the bench")
    parser.add_argument("--here", action="store_true", help="in this process")
    given = parser.parse_args()
    if given.here:
        function, rows = benches[given.only]
        print(function(given.rows or rows), flush=True)
        return
    for name in [given.only] if given.only else benches:
        command = [sys.executable, __file__, "--here", "--only", name]
        subprocess.run(command + (["--rows", str(given.rows)] if given.rows else []), check=True)


if __name__ == "__main__":
    main()
