"""A process that fits one method after the other: a JSON object per line in, one per line out."""
from __future__ import annotations

import os

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "NUMBA_NUM_THREADS")
for variable in THREADS:  # before numpy and its like are loaded
    os.environ[variable] = "1"
if "TABLES_GPU" not in os.environ:
    os.environ["CUDA_VISIBLE_DEVICES"] = ""

import json
import pathlib
import sys
import time
import warnings
from typing import Any

import contestants
import data
import metrics

BUSY = 0.75  # share of the cores from which on times say little; our own fit takes one of them


def measure(task: dict[str, Any], table: data.Table) -> dict[str, Any]:
    train, test = data.split(table, task["split"])
    contestant = contestants.make(task["method"], len(table.labels), task["split"], task.get("program"))
    rows, asked = contestant.take(train), contestant.take(test)
    load = os.getloadavg()[0]
    start = time.perf_counter()
    contestant.fit(rows, train)
    fitted = time.perf_counter()
    prediction = contestant.predict(asked)
    end = time.perf_counter()
    if len(prediction.answers) != len(test):
        raise RuntimeError(f"{len(prediction.answers)} answers to {len(test)} rows")
    found = metrics.of_numbers(test.target, prediction.answers)
    if table.classes:
        assert prediction.probabilities is not None
        found = metrics.of_classes(test.target, prediction.answers, prediction.probabilities)
    size = contestant.size()
    return {**found, "parameters": size.parameters, "bytes": size.bytes, "train_seconds": round(fitted - start, 4),
            "predict_seconds": round(end - fitted, 5), "train_rows": len(train), "load": round(load, 2),
            "busy": load > BUSY * (os.cpu_count() or 1), "versions": contestant.versions()}


def answer(task: dict[str, Any], loaded: dict[str, data.Table]) -> dict[str, Any]:
    start = time.perf_counter()
    result: dict[str, Any] = {key: task[key] for key in ("method", "table", "split")}
    try:
        if task["table"] not in loaded:
            loaded.clear()
            loaded[task["table"]] = data.load(pathlib.Path(task["file"]))
        table = loaded[task["table"]]
        result.update(data=table.digest, rows=len(table), inputs=len(table.columns), classes=len(table.labels))
        result.update(measure(task, table))
    except Exception as error:  # whatever a method does not bear is its result
        result["failed"] = f"{type(error).__name__}: {error}".splitlines()[0][:300]
    result["wall"] = round(time.perf_counter() - start, 3)
    return result


def main() -> None:
    # What libraries print must not come between the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    warnings.filterwarnings("ignore")
    loaded: dict[str, data.Table] = {}
    for line in sys.stdin:
        answers.write(json.dumps(answer(json.loads(line), loaded)) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
