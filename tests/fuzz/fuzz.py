#!/usr/bin/env python3
"""Random bytes for every parser (docs/testing.md).

    fuzz.py run [NAME...] --programs DIR --work DIR   libFuzzer, then what its corpus reaches: ./run fuzz
    fuzz.py replay [NAME...] --programs DIR           the committed corpus and random alterations of it, in any build
    fuzz.py spread --programs DIR --work DIR --jobs N --seconds S     libFuzzer on a larger machine, many processes at a time:
                                                      whoever has the fewest runs comes next
    fuzz.py add --work DIR                            takes what libFuzzer kept elsewhere: folders NAME, and runs.json of its runs

A corpus is seeds/NAME, written by hand or by fuzz_seeds, and corpus/NAME.zip, what libFuzzer found worth keeping."""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent

# Longest input in bytes, and the sources that take them apart.
# Half of the processes of `spread` try short ones: most of what a parser can do shows in few bytes, which take little time.
SHORT = {"csv": 80, "arff": 150, "libsvm": 60, "amat": 60, "gzip": 100, "journal": 200, "results": 150, "summary": 400, "config": 100,
         "search": 80}
PARSERS = {
    "csv": (1000, "data/csv.cpp data/csv_shape.cpp data/csv_splitter.cpp data/text_source.cpp data/records.cpp data/reader.cpp "
                  "data/cell.cpp"),
    "arff": (1000, "data/arff.cpp"),
    "libsvm": (1000, "data/libsvm.cpp"),
    "amat": (1000, "data/amat.cpp"),
    "idx": (400, "data/idx.cpp"),
    "gzip": (1000, "core/file.cpp"),
    "model": (4000, "model/parts.cpp model/header.cpp"),
    "checkpoint": (4000, "run/checkpoint.cpp"),
    "journal": (2000, "run/journal.cpp model/parse_json.cpp"),
    "results": (1000, "run/search_summary.cpp"),
    "summary": (3000, "run/summary.cpp"),
    "config": (2000, "run/run_options.cpp api/settings.cpp"),
    "search": (1000, "search/settings.cpp search/space.cpp"),
}


def unpack(name, folder):
    """Writes the committed corpus of a parser into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    packed = HERE / "corpus" / f"{name}.zip"
    if packed.exists():
        with zipfile.ZipFile(packed) as archive:
            archive.extractall(folder)
    for seed in sorted((HERE / "seeds" / name).glob("*")):
        shutil.copy(seed, folder / f"seed-{seed.name}")


def pack(name, folder):
    """The same bytes for the same files."""
    packed = HERE / "corpus" / f"{name}.zip"
    packed.parent.mkdir(exist_ok=True)
    contents = sorted({path.read_bytes() for path in folder.iterdir()}, key=lambda b: (len(b), b))
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for content in contents:
            entry = zipfile.ZipInfo(hashlib.sha1(content).hexdigest()[:16], (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)


def replay(name, programs, runs, seed):
    with tempfile.TemporaryDirectory() as folder:
        files = pathlib.Path(folder) / "corpus"
        unpack(name, files)
        result = subprocess.run([programs / "fuzz_replay", name, files, str(runs), str(seed)], capture_output=True, text=True,
                                errors="replace")
        print(f"{name}: {result.stdout.strip() or 'failed'}", flush=True)
        if result.returncode != 0:
            print(result.stderr[-5000:])
            print(f"with {programs}/fuzz_replay {name} FOLDER {runs} {seed}: exit code {result.returncode}; FUZZ_LAST=FILE keeps "
                  "what it was given last")
        return result.returncode == 0


def command_of(name, options, folders, limit, values, longest=None):
    """values: whether operands of comparisons count as something new, too; that takes a quarter of the time."""
    findings = options.work / "findings"
    findings.mkdir(parents=True, exist_ok=True)
    # Leaks are looked for once, when the process ends: to look after each run would be most of its time.
    command = [options.programs / f"fuzz_{name}", *folders, *limit, f"-max_len={longest or PARSERS[name][0]}", "-timeout=20", "-rss_limit_mb=2000",
               "-detect_leaks=0", "-print_final_stats=1", f"-use_value_profile={int(values)}", "-entropic=0", f"-artifact_prefix={findings}/{name}-"]
    dictionary = HERE / "dictionaries" / f"{name}.dict"
    return [*command, f"-dict={dictionary}"] if dictionary.exists() else command


# What is freed is kept for a while, to notice who uses it; a megabyte of it fits into a cache, and the callers' names can be had by
# running a finding again.
QUIET = {"LLVM_PROFILE_FILE": "/dev/null", "ASAN_OPTIONS": "quarantine_size_mb=1:malloc_context_size=0"}


def runs_of(command):
    """How many runs it made, or nothing if it found something; and what it said."""
    result = subprocess.run(command, capture_output=True, text=True, errors="replace", env=dict(os.environ, **QUIET))
    runs = re.search(r"stat::number_of_executed_units: *(\d+)", result.stderr)
    return (int(runs[1]) if result.returncode == 0 and runs else None), result.stderr


def fuzz(name, options):
    """Lets libFuzzer work on a parser; returns how many runs it made, or nothing if it found something."""
    work = options.work / name
    unpack(name, work)
    limit = [f"-runs={options.runs}"] if options.runs is not None else [f"-max_total_time={options.seconds}"]
    runs, said = runs_of(command_of(name, options, [work], limit, True))
    if runs is None:
        print(said[-6000:])
        print(f"{name}: FOUND something; what it was given lies in {options.work / 'findings'}")
    return runs


class Spread:
    """Runs of libFuzzer side by side, a while each: the parser with the fewest runs so far is the next."""

    def __init__(self, names, options):
        self.options, self.end = options, time.monotonic() + options.seconds
        self.before = read_counts()
        self.runs = dict.fromkeys(names, 0)
        self.rate = dict.fromkeys(names, 0.0)  # runs in a second of one process
        self.busy = dict.fromkeys(names, 0)
        self.turns = dict.fromkeys(names, 0)
        self.sound = True
        self.lock = threading.Lock()

    def next(self):
        """A parser and its turn."""
        with self.lock:
            expected = lambda n: self.before.get(n, 0) + self.runs[n] + self.busy[n] * self.rate[n] * self.options.turn
            # Each has been tried once before any is tried twice, for the rate.
            name = min(self.runs, key=lambda n: (self.turns[n] > 0, expected(n), self.turns[n]))
            self.busy[name] += 1
            self.turns[name] += 1
            return name, self.turns[name]

    def work(self):
        while (left := self.end - time.monotonic()) >= 2:
            name, turn = self.next()
            since = time.monotonic()
            limit = [f"-max_total_time={int(min(left, self.options.turn))}"]
            runs, said = runs_of(command_of(name, self.options, [self.options.work / name], limit, turn % 8 == 0,
                                           SHORT.get(name) if turn % 2 else None))
            with self.lock:
                self.busy[name] -= 1
                if runs is None:
                    self.sound = False
                    print(f"{name}: FOUND something\n{said[-3000:]}", flush=True)
                    continue
                self.runs[name] += runs
                self.rate[name] = runs / (time.monotonic() - since)


def spread(names, options):
    everything = Spread(names, options)
    for name in names:
        unpack(name, options.work / name)
        if options.before and (options.before / name).is_dir():
            shutil.copytree(options.before / name, options.work / name, dirs_exist_ok=True)
    if options.before and (options.before / "runs.json").exists():
        for name, runs in json.loads((options.before / "runs.json").read_text()).items():
            everything.before[name] = everything.before.get(name, 0) + runs
    threads = [threading.Thread(target=everything.work) for _ in range(options.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (options.work / "runs.json").write_text(json.dumps(everything.runs, indent=2) + "\n")
    for name in names:
        print(f"{name}: {everything.runs[name]:,} runs, {everything.rate[name]:,.0f} a second, "
              f"{len(list((options.work / name).iterdir()))} files", flush=True)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(lambda name: merge(name, options), names))
    return everything.sound


def merge(name, options):
    """Keeps of the corpus what reaches anything that smaller files do not."""
    merged = options.work / f"{name}.merged"
    shutil.rmtree(merged, ignore_errors=True)
    merged.mkdir()
    subprocess.run([options.programs / f"fuzz_{name}", "-merge=1", f"-max_len={PARSERS[name][0]}", merged, options.work / name],
                   check=True, capture_output=True, env=dict(os.environ, **QUIET))
    shutil.rmtree(options.work / name)
    merged.rename(options.work / name)
    if options.keep:
        pack(name, options.work / name)


# Functions in those sources that take nothing apart: what writes, what asks the system for a file, what only settings lead to.
OTHERS = {
    "data/cell.cpp": "fail_unread",
    "core/file.cpp": "read_some InputFile::share require_file read_file",
    "model/parts.cpp": "read_model_file",
    "model/parse_json.cpp": "counts_in parse_ordered_json binary",
    "run/journal.cpp": "add_units add_lengths events_of Journal::epoch truncate_journal",
    "run/search_summary.cpp": "setting_json search_summary_json",
    "run/summary.cpp": "error_text sizing_text",
    "api/settings.cpp": "list_settings check_values",
    "search/settings.cpp": "check_search",
    "search/space.cpp": "default_layers",
}


def lines_of(shown, others):
    """(lines reached, all of them) of what llvm-cov shows of a source, without some functions."""
    reached = total = 0
    skipped = False
    for row in shown.splitlines():
        match = re.match(r" *\d+\| *([\d.]*[kMGTE]?)\|(.*)", row)
        if not match:
            continue
        if any(re.match(rf"(\w.*|  \w+)[ *&]?\b{other}\(", match[2]) for other in others):
            skipped = match[2][:1] != " "
            continue
        if match[1] and not skipped:
            total += 1
            reached += match[1] != "0"
        skipped = skipped and match[2] != "}"
    return reached, total


def coverage(name, options):
    """Lines of each source of a parser that its corpus reaches: {file: (reached, all)}."""
    profile = options.work / f"{name}.profraw"
    program = options.programs / f"fuzz_{name}"
    subprocess.run([program, "-runs=0", f"-max_len={PARSERS[name][0]}", options.work / name], check=True, capture_output=True,
                   env=dict(os.environ, LLVM_PROFILE_FILE=str(profile)))
    data = profile.with_suffix(".profdata")
    subprocess.run([options.llvm / "llvm-profdata", "merge", "-sparse", profile, "-o", data], check=True)
    found = {}
    for source in PARSERS[name][1].split():
        shown = subprocess.run([options.llvm / "llvm-cov", "show", program, f"-instr-profile={data}", ROOT / "coppice" / source], check=True,
                               capture_output=True, text=True).stdout
        if options.missing:
            print(shown)
        found[source] = lines_of(shown, OTHERS.get(source, "").split())
    return found


def read_counts():
    """The runs of all times."""
    path = HERE / "runs.json"
    return json.loads(path.read_text()) if path.exists() else {}


def count_runs(name, runs):
    counts = read_counts()
    counts[name] = counts.get(name, 0) + runs
    (HERE / "runs.json").write_text(json.dumps({n: counts[n] for n in PARSERS if n in counts}, indent=2) + "\n")


def add(work):
    """Keeps a corpus that was made, and merged with the committed one, on another machine, and counts its runs."""
    for name, runs in json.loads((work / "runs.json").read_text()).items():
        pack(name, work / name)
        count_runs(name, runs)
        print(f"{name}: {runs:,} runs more, {len(list((work / name).iterdir()))} files")
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["run", "replay", "spread", "add"])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(PARSERS))
    parser.add_argument("--programs", type=pathlib.Path, help="folder of the fuzz_* programs")
    parser.add_argument("--work", type=pathlib.Path, help="folder of the growing corpus")
    parser.add_argument("--llvm", type=pathlib.Path, default=pathlib.Path("/usr/lib/llvm-14/bin"))
    parser.add_argument("--seconds", type=int, default=60, help="of libFuzzer, for each parser; spread: in all")
    parser.add_argument("--runs", type=int, help="of libFuzzer instead, or alterations that replay tries")
    parser.add_argument("--jobs", type=int, default=2, help="spread: processes at a time")
    parser.add_argument("--before", type=pathlib.Path, help="spread: the folder --work of an earlier one, not added yet")
    parser.add_argument("--turn", type=int, default=30, help="spread: seconds of a process")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="commit to the corpus what was found, and count the runs")
    parser.add_argument("--missing", action="store_true", help="show which lines are not reached")
    options = parser.parse_args()
    unknown = sorted(set(options.names) - set(PARSERS))
    if unknown:
        parser.error(f"there is no parser {unknown[0]}; there are {', '.join(PARSERS)}")
    names = options.names or list(PARSERS)
    if options.action == "add":
        return add(options.work)
    if options.action == "replay":
        return all([replay(name, options.programs, options.runs or 0, options.seed) for name in names])
    if options.action == "spread":
        return spread(names, options)
    sound = True
    print("| parser | runs | files kept | lines reached |\n|---|---|---|---|", flush=True)
    for name in names:
        runs = fuzz(name, options)
        if runs is None:
            sound = False
            continue
        merge(name, options)
        if options.keep:
            count_runs(name, runs)
        lines = coverage(name, options)
        shown = ", ".join(f"{file} {100 * reached / total:.1f} %" for file, (reached, total) in lines.items())
        print(f"| {name} | {runs:,} | {len(list((options.work / name).iterdir()))} | {shown} |", flush=True)
    return sound


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
