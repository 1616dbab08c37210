#!/usr/bin/env python3
"""Compares encodings of numbers on inner splits of training rows: encodings.py PROGRAM TABLES_DIR RESULTS.jsonl

Of every table (NAME.csv.gz, target in target__) 30 % of the rows are set aside and never looked at. The others are split
70/30 eight times (four times from 3000 rows on), at most 5000 rows to train. Goes on where it stopped; at the end prints
errors relative to plain, geometric means over tables (errors below 0.005 count as that).
"""
import csv
import gzip
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import time

VARIANTS = {"plain": ["--encode", "plain"], "standard": ["--scale", "standard"], "bins": ["--encode", "bins"]}


def write(path, head, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([head] + rows)


def measure(program, flags, folder):
    def call(*arguments):
        return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout

    one = ["--threads", "1", "--device", "cpu"]
    run = folder / "run"
    if run.exists():
        subprocess.run(["rm", "-r", run], check=True)
    start = time.time()
    call("train", folder / "train.csv", "--target", "target__", "--quiet", "-o", run, *one, *flags)
    seconds = time.time() - start
    result = json.loads(call("evaluate", run, folder / "test.csv", "--json", *one))
    model = json.loads(call("inspect", run / "model.coppice", "--json"))
    return {"error": result["error"], "log_loss": result.get("log_loss"), "seconds": round(seconds, 1),
            "parameters": model["parameters"]}


def splits(path):
    with gzip.open(path, "rt") as file:
        head, *rows = csv.reader(file)
    random.Random(12345).shuffle(rows)
    rows = rows[len(rows) * 3 // 10:]
    for split in range(8 if len(rows) < 3000 else 4):
        order = rows[:]
        random.Random(100 + split).shuffle(order)
        cut = len(order) * 7 // 10
        yield split, head, order[:cut][:5000], order[cut:]


def geometric(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def report(results):
    means = {name: ([], []) for name in VARIANTS}
    for table in sorted({key[0] for key in results}):
        cells = [table]
        for name in VARIANTS:
            keys = [k for k in results if k[0] == table and k[2] == name and (table, k[1], "plain") in results]
            plain = [results[(table, k[1], "plain")] for k in keys]
            own = [results[k] for k in keys]
            error = sum(max(r["error"], 0.005) for r in own) / sum(max(r["error"], 0.005) for r in plain)
            means[name][0].append(error)
            cells.append(f"{sum(r['error'] for r in own) / len(own):.4f} {error:.2f}")
            if own[0]["log_loss"] is not None:
                loss = sum(r["log_loss"] for r in own) / sum(r["log_loss"] for r in plain)
                means[name][1].append(loss)
                cells[-1] += f" {loss:.2f}"
        print(" | ".join(cells))
    for name, (errors, losses) in means.items():
        print(f"{name}: error {geometric(errors):.3f}, log-loss {geometric(losses):.3f}")


def main():
    program, tables, out = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    results = {}
    for line in out.read_text().splitlines() if out.exists() else []:
        row = json.loads(line)
        results[(row["table"], row["split"], row["variant"])] = row
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for path in sorted(tables.glob("*.csv.gz")):
            table = path.name.split(".")[0]
            for split, head, train, test in splits(path):
                write(folder / "train.csv", head, train)
                write(folder / "test.csv", head, test)
                for name, flags in VARIANTS.items():
                    if (table, split, name) in results:
                        continue
                    row = {"table": table, "split": split, "variant": name, **measure(program, flags, folder)}
                    results[(table, split, name)] = row
                    with out.open("a") as file:
                        file.write(json.dumps(row) + "\n")
                    print(row, flush=True)
    report(results)


main()
