"""What Python costs beside the program: `./run bench --python`. Prints a line per figure, what it must be and whether it is; each
is measured in a process of its own.

usage: python benchmarks/python [--only NAME] [--rows N] [--turns N] [--threads N]
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

settings: dict[str, Any] = {"fixed_size": [100, 50], "optimizer": "adam", "ensemble": "off", "max_epochs": 5, "encode": "plain"}


@dataclass(frozen=True)
class Figure:
    """What was measured, and what it must be: at most that or, of a ratio to another's speed, at least."""

    measured: float
    must: float
    text: str
    at_least: bool = False

    def line(self) -> str:
        holds = self.measured >= self.must if self.at_least else self.measured <= self.must
        sign = ">=" if self.at_least else "<="
        return f"must {sign} {self.must:g}, measured {self.measured:.4g}, {'holds' if holds else 'FAILS'}: {self.text}"


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


def write_pixels(path: str, X: Any, y: Any) -> None:
    """A csv file of whole numbers from 0 to 255."""
    texts = [str(value) for value in range(256)]
    with open(path, "w") as file:
        file.write(",".join([f"column{i + 1}" for i in range(X.shape[1])] + ["target"]) + "\n")
        for row, label in zip(X.astype(np.uint8), y, strict=True):
            file.write(",".join([texts[value] for value in row.tolist()]) + f",{label}\n")


def bench_fit(rows: int, turns: int = 3) -> Figure:
    """Seconds of fit over those that the program tells as its time, which are those of its epochs: medians of some turns.
    The program trains on a csv file of the same rows, and must come to the same model."""
    from coppice import CoppiceClassifier
    from coppice._program import program_path

    X, y = pixels(rows)
    fits, trainings, programs, same = [], [], [], True
    with tempfile.TemporaryDirectory() as folder:
        write_pixels(f"{folder}/t.csv", X, y)
        flags = ["--ensemble", "off", "--lambda", "0.01,0.003,0.001"]
        flags += ["--target", "target", "--task", "classification", "--quiet"]
        flags += ["--threads", str(settings["n_jobs"])] if "n_jobs" in settings else []
        for turn in range(turns):
            epochs = Epochs()
            since = time.perf_counter()
            estimator = CoppiceClassifier(ensemble="off", lambda_=[0.01, 0.003, 0.001], n_jobs=settings.get("n_jobs"))
            fitted = estimator.fit(X, y, callbacks=[epochs])
            fits.append(time.perf_counter() - since)
            trainings.append(epochs.seconds())
            run = f"{folder}/run{turn}"
            subprocess.run([program_path(), "train", f"{folder}/t.csv", *flags, "-o", run], check=True)
            programs.append(json.loads(Path(run, "summary.json").read_text())["seconds"])
            same = same and Path(run, "model.coppice").read_bytes() == fitted.model_.bytes()
            print(f"turn {turn + 1}: fit {fits[-1]:.2f} s, the program {programs[-1]:.2f} s", file=sys.stderr, flush=True)
    fit, training, program = map(statistics.median, (fits, trainings, programs))
    return Figure(
        fit / program,
        1.03,
        f"fit, {rows} x 784: {fit:.1f} s over what the program trains for ({program:.1f} s); "
        f"{fit / training:.3f} of its own epochs; {'the same' if same else 'ANOTHER'} model",
    )


def bench_copies(rows: int) -> Figure:
    """How much memory fit needs beside X, in units of X."""
    from coppice import CoppiceClassifier

    CoppiceClassifier(**settings).fit(*numbers(500))
    X, y = pixels(rows)
    before = resident("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # the greatest so far is now
    CoppiceClassifier(**settings).fit(X, y)
    return Figure((resident("VmHWM") - before) / X.nbytes, 1.2, f"copies of X in fit, {rows} x 784 float32")


def write_parquet(path: str, rows: int, at_once: int = 50_000) -> int:
    """Numbers of float64 and a class, in row groups; tells the bytes of the whole table."""
    import pyarrow as pa
    import pyarrow.parquet as parquet

    random = np.random.default_rng(0)
    schema = pa.schema([*((f"x{i}", pa.float64()) for i in range(50)), ("answer", pa.string())])
    size = 0
    with parquet.ParquetWriter(path, schema) as file:
        for _ in range(rows // at_once):
            X = random.normal(size=(at_once, 50))
            answers = np.where(X[:, 0] * X[:, 1] + X[:, 2] > 0, "yes", "no")
            batch = pa.record_batch([*(pa.array(X[:, i]) for i in range(50)), pa.array(answers)], schema=schema)
            size += batch.nbytes
            file.write_batch(batch)
    return size


def bench_batches(rows: int) -> Figure:
    """How much memory train needs for a Parquet file, in units of the whole as a table of Arrow; `memory` is an eighth."""
    import pyarrow as pa
    import pyarrow.parquet as parquet

    import coppice

    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        small, large = f"{folder}/small.parquet", f"{folder}/large.parquet"
        write_parquet(small, 50_000)
        size = write_parquet(large, rows)

        def trained(path: str, memory: int) -> None:
            file = parquet.ParquetFile(path, pre_buffer=False)
            batches = pa.RecordBatchReader.from_batches(file.schema_arrow, file.iter_batches(10_000))
            coppice.train(batches, "answer", **{**settings, "max_epochs": 1, "memory": memory})

        trained(small, 10**9)
        memory = size // 8
        before = resident("VmRSS")
        Path("/proc/self/clear_refs").write_text("5")
        trained(large, memory)
        most = resident("VmHWM") - before
    return Figure(
        most / size,
        0.25,
        f"memory of train on a Parquet file of {rows} x 50, over the {size / 1e6:.0f} MB of the whole: "
        f"{most / 1e6:.0f} MB, pages of the scratch file included, with memory={memory / 1e6:.0f} MB",
    )


def bench_predict(rows: int) -> Figure:
    """Rows per second of predict_proba over LightGBM's."""
    import lightgbm

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
    peer = lightgbm.LGBMClassifier(verbose=-1, n_jobs=settings.get("n_jobs"))
    theirs = speed(peer.fit(X[:20000], y[:20000]).predict_proba)
    return Figure(
        ours / theirs, 3, f"predict_proba, {rows} x 50: {ours:,.0f} rows/s over LightGBM's {theirs:,.0f}", at_least=True
    )


def bench_latency(rows: int) -> Figure:
    """Microseconds for one row: the median of many."""
    from coppice import CoppiceClassifier

    X, y = numbers(rows)
    fitted = CoppiceClassifier(**settings).fit(X, y)
    times = []
    for _ in range(5000):
        since = time.perf_counter()
        fitted.predict_proba(X[:1])
        times.append(time.perf_counter() - since)
    return Figure(statistics.median(times) * 1e6, 100, "microseconds to predict one row of 50")


def bench_import(repeats: int) -> Figure:
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
    return Figure(
        package - nothing,
        150,
        f"milliseconds of import coppice; from coppice import Model: {model - nothing:.0f}, of which numpy {array - nothing:.0f}",
    )


benches: dict[str, tuple[Any, int]] = {
    "fit": (bench_fit, 50_000),
    "copies": (bench_copies, 50_000),
    "batches": (bench_batches, 2_000_000),
    "predict": (bench_predict, 1_000_000),
    "latency": (bench_latency, 2_000),
    "import": (bench_import, 9),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=benches)
    parser.add_argument("--rows", type=int, help="instead of those of the bench")
    parser.add_argument("--turns", type=int, default=3, help="of fit and of the program")
    parser.add_argument("--threads", type=int, help="of everything, instead of all processors")
    parser.add_argument("--here", action="store_true", help="in this process")
    given = parser.parse_args()
    if given.threads:
        settings["n_jobs"] = given.threads
    if given.here:
        function, rows = benches[given.only]
        more = {"turns": given.turns} if given.only == "fit" else {}
        print(function(given.rows or rows, **more).line(), flush=True)
        return
    for name in [given.only] if given.only else benches:
        command = [sys.executable, __file__, "--here", "--only", name, "--turns", str(given.turns)]
        command += ["--rows", str(given.rows)] if given.rows else []
        command += ["--threads", str(given.threads)] if given.threads else []
        subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
