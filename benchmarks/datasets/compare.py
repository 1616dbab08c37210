"""Coppice without flags on tables of 150 to 1,000,000 rows, beside scikit-learn.

    python3 -m venv build/datasets-venv && build/datasets-venv/bin/pip install scikit-learn
    build/datasets-venv/bin/python benchmarks/datasets [--only NAME,...] [--seeds N] [--json FILE] [--mnist FOLDER]

Every seed splits a table anew, 70 % to train and 30 % to test, the same for all: logistic or ridge regression, MLPClassifier or
MLPRegressor, histogram gradient boosting, each as it comes, and a search of 50 trials over the widths of an MLP with early
stopping, chosen by its validation rows. Errors are shares of wrong rows, or 1 - R2; medians over the seeds. Every fit
has one thread; as many run side by side as there are cores. Seconds are those of the fit (search: of all fits together).
With --json, results are kept in FILE and not computed again.
"""
import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import concurrent.futures
import json
import multiprocessing
import pathlib
import statistics
import sys
import tempfile
import time

import numpy as np
from sklearn.model_selection import train_test_split

import peers
import program
import sets

ROOT = pathlib.Path(__file__).resolve().parents[2]
SEEDS_AT_MOST = {"rectangles": 1, "clusters": 1, "mnist": 1, "poker": 1, "waves": 1}  # large tables differ less
METHODS = ("coppice", "linear", "mlp", "boosting", "search")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="names of tables, with commas between them")
    parser.add_argument("--methods", default=",".join(METHODS), help="of " + ", ".join(METHODS))
    parser.add_argument("--seeds", type=int, default=5, help="splits of each table (from 12,000 rows on: 1)")
    parser.add_argument("--json", type=pathlib.Path, help="file that keeps every result")
    parser.add_argument("--mnist", type=pathlib.Path, help="folder of the four original files; else MNIST is left out")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/bin/coppice")
    parser.add_argument("--flags", default="--threads 1 --device cpu", help="for coppice train")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args()
    options.only = options.only.split(",") if options.only else list(sets.ALL)
    options.methods = options.methods.split(",")
    for given, known in ((options.only, sets.ALL), (options.methods, METHODS)):
        for name in given:
            if name not in known:
                parser.error(f"there is no {name}; choose from {', '.join(known)}")
    if "mnist" in options.only and not options.mnist:
        print("mnist is left out: give --mnist FOLDER", file=sys.stderr)
        options.only.remove("mnist")
    return options


def split(table, seed):
    train, test = train_test_split(np.arange(len(table.target)), test_size=0.3, random_state=seed,
                                   stratify=table.target if table.classes else None)
    return table.rows(train), table.rows(test)


loaded = {}


def run(options, folder, name, method, seed, layers, full):
    """One fit, in a process of its own that keeps the table it loaded last."""
    if name not in loaded:
        loaded.clear()
        loaded[name] = sets.load(name, options.program, folder, options.mnist)
    train, test = split(loaded[name], seed)
    if method == "coppice":
        return program.train(options.program, train, test, seed, options.flags.split())
    if method == "search" and not full and len(train.target) > peers.SEARCH_ROWS:
        rows, _ = train_test_split(np.arange(len(train.target)), train_size=peers.SEARCH_ROWS, random_state=seed,
                                   stratify=train.target if train.classes else None)
        train = train.rows(rows)
    return peers.fit(train, test, method, seed, layers)


class Results:
    """What is known, by table, method, seed and trial; written to the file about once a second."""

    def __init__(self, file):
        self.file = file
        self.written = 0.0
        self.known = json.loads(file.read_text()) if file and file.exists() else {}

    def add(self, key, result):
        self.known[key] = result
        if time.monotonic() > self.written + 1:
            self.write()

    def write(self):
        if self.file:
            self.file.write_text(json.dumps(self.known, indent=0) + "\n")
        self.written = time.monotonic()

    def trials(self, name, seed):
        found = (self.known.get(f"{name} search {seed} {trial}") for trial in range(peers.TRIALS))
        return [result for result in found if result]

    def best_trial(self, name, seed):
        return min(self.trials(name, seed), key=lambda trial: (trial["validation"], trial["loss"]))

    def of(self, name, method, seed):
        """One method's result for one seed; the search's is its best trial, with the seconds of all."""
        if method != "search":
            return self.known.get(f"{name} {method} {seed}")
        trials = self.trials(name, seed)
        if len(trials) < peers.TRIALS:
            return None
        full = self.known.get(f"{name} search {seed} full")
        if name in SEEDS_AT_MOST and not full:
            return None
        chosen = full or self.best_trial(name, seed)
        return {**chosen, "seconds": sum(t["seconds"] for t in trials) + (full["seconds"] if full else 0)}


def seeds_of(options, name):
    return range(min(options.seeds, SEEDS_AT_MOST.get(name, options.seeds)))


def wanted(options):
    """Every fit as (key, seed, layers); the longest first."""
    for search in (False, True):
        for name in reversed(options.only):
            for seed in seeds_of(options, name):
                if search and "search" in options.methods:
                    for trial in range(peers.TRIALS):
                        yield f"{name} search {seed} {trial}", seed, peers.widths(trial, seed)
                elif not search:
                    for method in options.methods:
                        if method != "search":
                            yield f"{name} {method} {seed}", seed, None


def compute(options, results, folder):
    """All fits; when a search over part of a table's rows is complete, its best widths are trained with all rows."""
    failed = 0
    with concurrent.futures.ProcessPoolExecutor(options.jobs, multiprocessing.get_context("spawn")) as workers:
        running = {}

        def start(key, seed, layers):
            if key not in results.known:
                name, method, *_ = key.split()
                future = workers.submit(run, options, folder, name, method, seed, layers, key.endswith(" full"))
                running[future] = key

        def finish_search(name, seed):
            if name in SEEDS_AT_MOST and len(results.trials(name, seed)) == peers.TRIALS:
                start(f"{name} search {seed} full", seed, tuple(results.best_trial(name, seed)["layers"]))

        for task in wanted(options):
            start(*task)
        if "search" in options.methods:
            for name in options.only:
                for seed in seeds_of(options, name):
                    finish_search(name, seed)
        while running:
            done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                key = running.pop(future)
                if future.exception():
                    failed += 1
                    print(f"\n{key}: {future.exception()!r}", file=sys.stderr)
                    continue
                results.add(key, future.result())
                name, method, seed, *rest = key.split()
                if method == "search" and rest != ["full"]:
                    finish_search(name, int(seed))
            print(f"\r{len(running)} fits to go ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return failed


def show(options, results):
    print("| table | rows, inputs | coppice: error (worst) | units | parameters | s | linear | MLP: error | parameters | s "
          "| boosted trees: error | nodes | s | search: error | parameters | s |")
    print("|" + "---|" * 16)
    for name in options.only:
        found = {m: [r for seed in seeds_of(options, name) if (r := results.of(name, m, seed))] for m in METHODS}
        classes = name not in ("diabetes", "friedman", "waves")

        def error(method, pick=statistics.median):
            values = [result["error"] for result in found[method]]
            return "" if not values else f"{100 * pick(values):.2f} %" if classes else f"{pick(values):.3f}"

        def middle(method, what):
            values = [result[what] for result in found[method]]
            return f"{statistics.median(values):,.{0 if what == 'parameters' else 1}f}" if values else ""

        ours = sorted(found["coppice"], key=lambda result: result["parameters"])
        units = "-".join(map(str, ours[len(ours) // 2]["units"])) if ours else ""
        cells = [name, sets.SHAPES[name], f"{error('coppice')} ({error('coppice', max)})", units, middle("coppice", "parameters"),
                 middle("coppice", "seconds"), error("linear")]
        for method in ("mlp", "boosting", "search"):
            cells += [error(method), middle(method, "parameters"), middle(method, "seconds")]
        print("| " + " | ".join(cells) + " |", flush=True)


def main():
    options = arguments()
    results = Results(options.json)
    with tempfile.TemporaryDirectory() as folder:
        for name in options.only:  # generated files are there before the workers want them
            if name in sets.GENERATED:
                sets.load(name, options.program, folder, options.mnist)
        failed = compute(options, results, folder)
    results.write()
    show(options, results)
    sys.exit(f"{failed} fits failed" if failed else 0)
