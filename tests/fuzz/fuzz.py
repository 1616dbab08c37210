#!/usr/bin/env python3
"""Random bytes for every parser (docs/testing.md).

    fuzz.py run [NAME...] --programs DIR --work DIR   libFuzzer, then what its corpus reaches: ./run fuzz
    fuzz.py replay [NAME...] --programs DIR           the committed corpus and random alterations of it, in any build
    fuzz.py spread --programs DIR --fast DIR --work DIR --jobs N --seconds S     many processes of libFuzzer at a time; one of
                                                      seven has the sanitizers, the others are fast. New inputs lie in --work, and
                                                      runs.json, always up to date
    fuzz.py add --programs DIR --work DIR             takes what spread left: new inputs, all tried under the sanitizers first, and
                                                      the runs

A corpus is seeds/NAME, written by hand or by fuzz_seeds, and corpus/NAME.zip, what libFuzzer found worth keeping. runs.json counts the
runs of all times, {parser: {"sanitized": runs, "fast": runs}}."""

import argparse
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

GOAL = 100_000_000  # runs of each parser, of both kinds
KINDS = ("sanitized", "fast")

# Most processes of `spread` try inputs of at most so many bytes: most of what a parser can do shows in few, which take little time.
SHORT = {"csv": 80, "arff": 150, "libsvm": 60, "amat": 60, "gzip": 100, "journal": 200, "results": 150, "summary": 400, "config": 100,
         "search": 80}
# Longest input in bytes, and the sources that take them apart.
PARSERS = {
    "csv": (1000, "data/csv.cpp data/csv_shape.cpp data/csv_splitter.cpp data/text_source.cpp data/records.cpp data/reader.cpp "
                  "data/cell.cpp"),
    "arff": (1000, "data/arff.cpp"),
    "libsvm": (1000, "data/libsvm.cpp"),
    "amat": (1000, "data/amat.cpp"),
    "idx": (400, "data/idx.cpp"),
    "gzip": (1000, "core/unpacked.cpp core/file.cpp"),
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


def command_of(name, options, limit, kind, values=False, longest=None):
    """values: whether operands of comparisons count as something new, too, or, where it is fast, how often a place was reached; either
    takes a quarter of the time."""
    findings = options.work / "findings"
    findings.mkdir(parents=True, exist_ok=True)
    programs = options.programs if kind == "sanitized" else options.fast
    # Leaks are looked for once, when the process ends: to look after each run would be most of its time.
    command = [programs / f"fuzz_{name}", options.work / name, *limit, f"-max_len={longest or PARSERS[name][0]}", "-timeout=20", "-rss_limit_mb=2000",
               "-detect_leaks=0", "-print_final_stats=1", f"-use_value_profile={int(values)}", "-entropic=0", f"-artifact_prefix={findings}/{name}-"]
    if kind == "fast":
        # What others find meanwhile is read by the next process; whether an old input could be smaller, merge() sees.
        command += ["-reload=0", "-reduce_inputs=0", "-len_control=0", f"-use_counters={int(values)}"]
    dictionary = HERE / "dictionaries" / f"{name}.dict"
    return [*command, f"-dict={dictionary}"] if dictionary.exists() else command


# What is freed is kept for a while, to notice who uses it; a megabyte of it fits into a cache, and the callers' names can be had by
# running a finding again.
QUIET = {"LLVM_PROFILE_FILE": "/dev/null", "ASAN_OPTIONS": "quarantine_size_mb=1:malloc_context_size=0"}


def runs_of(command, seconds=None):
    """How many runs it made, or nothing if it found something; and what it said. A process that has not ended by then is ended."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace",
                               env=dict(os.environ, **QUIET))
    ended = False
    try:
        said = process.communicate(timeout=seconds)[1]
    except subprocess.TimeoutExpired:
        ended = True
        process.terminate()  # libFuzzer tells its runs then, too
        said = process.communicate()[1]
    runs = re.search(r"stat::number_of_executed_units: *(\d+)", said)
    return (int(runs[1]) if runs and (ended or process.returncode == 0) else None), said


def fuzz(name, options):
    """Lets libFuzzer work on a parser; returns how many runs it made, or nothing if it found something."""
    unpack(name, options.work / name)
    limit = [f"-runs={options.runs}"] if options.runs is not None else [f"-max_total_time={options.seconds}"]
    runs, said = runs_of(command_of(name, options, limit, "sanitized", values=True))
    if runs is None:
        print(said[-6000:])
        print(f"{name}: FOUND something; what it was given lies in {options.work / 'findings'}")
    return runs


class Spread:
    """Processes of libFuzzer side by side, a while each."""

    def __init__(self, names, options):
        self.options, self.end = options, time.monotonic() + options.seconds
        self.before = read_counts()
        self.runs = {name: dict.fromkeys(KINDS, 0) for name in names}
        self.rate = {kind: dict.fromkeys(names, 0.0) for kind in KINDS}  # runs in a second of one process
        self.busy = {kind: dict.fromkeys(names, 0.0) for kind in KINDS}  # seconds of processes that work
        self.turns = {kind: dict.fromkeys(names, 0) for kind in KINDS}
        self.choices = 0
        self.sound = True
        self.lock = threading.Lock()

    def expected(self, name, kind):
        """Runs when all who work have ended."""
        return self.before.get(name, {}).get(kind, 0) + self.runs[name][kind] + self.busy[kind][name] * self.rate[kind][name]

    def seconds_to_goal(self, name):
        left = GOAL - sum(self.expected(name, kind) for kind in KINDS)
        return left / max(self.rate["fast"][name], 1.0)

    def choose(self, kind):
        """Each parser first, for the rate. Then, under the sanitizers, who has the fewest runs; of the fast ones who reaches the goal
        soonest, and now and then who has the fewest."""
        untried = [name for name in self.runs if self.turns[kind][name] == 0]
        if untried:
            return untried[0]
        open_ones = [name for name in self.runs if self.seconds_to_goal(name) > 0]
        self.choices += 1
        if kind == "sanitized" or not open_ones or self.choices % 8 == 0:
            return min(self.runs, key=lambda name: self.expected(name, kind))
        return min(open_ones, key=self.seconds_to_goal)

    def next(self, kind):
        """A parser, how often it has been chosen, and for how many seconds."""
        with self.lock:
            left = self.end - time.monotonic()
            if left < 3:
                return None
            name = self.choose(kind)
            turn = self.turns[kind][name]
            seconds = max(2, int(min(left - 1, self.options.turn if turn > 0 else 5)))
            self.busy[kind][name] += seconds
            self.turns[kind][name] += 1
            return name, turn, seconds

    def work(self, job):
        # Of seven processes one has the sanitizers.
        kind = "sanitized" if self.options.fast is None or (self.options.programs and job % 7 == 6) else "fast"
        while chosen := self.next(kind):
            name, turn, seconds = chosen
            since = time.monotonic()
            command = command_of(name, self.options, [f"-max_total_time={seconds}"], kind, values=turn % 4 == 3,
                                 longest=None if turn % 8 == 7 else SHORT.get(name))
            runs, said = runs_of(command, seconds + 5)
            with self.lock:
                self.busy[kind][name] -= seconds
                if runs is None:
                    self.sound = False
                    print(f"{name}: FOUND something by a {kind} one\n{said[-3000:]}", flush=True)
                    continue
                self.runs[name][kind] += runs
                self.rate[kind][name] = runs / (time.monotonic() - since)
                write_counts(self.options.work / "runs.json", self.runs)


def spread(names, options):
    everything = Spread(names, options)
    for name in names:
        unpack(name, options.work / name)
    threads = [threading.Thread(target=everything.work, args=[job]) for job in range(options.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print("| parser | sanitized | a second | fast | a second | in all |\n|---|---|---|---|---|---|")
    for name in names:
        cells = [f"{everything.runs[name][kind]:,} | {everything.rate[kind][name]:,.0f}" for kind in KINDS]
        print(f"| {name} | {' | '.join(cells)} | {sum(everything.expected(name, kind) for kind in KINDS):,.0f} |", flush=True)
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


def write_counts(path, counts):
    """The whole file or none of it: whoever is killed leaves what was counted last."""
    beside = path.with_suffix(".new")
    beside.write_text(json.dumps({name: counts[name] for name in PARSERS if name in counts}, indent=2) + "\n")
    beside.replace(path)


def count_runs(name, kind, runs):
    counts = read_counts()
    of_parser = counts.setdefault(name, dict.fromkeys(KINDS, 0))
    of_parser[kind] += runs
    write_counts(HERE / "runs.json", counts)


def add(names, options):
    """Tries under the sanitizers what was kept elsewhere, keeps of it and of the committed corpus what no smaller input reaches, and
    counts the runs."""
    sound = True
    counts = json.loads((options.work / "runs.json").read_text())
    for name in names:
        work = options.work / name
        unpack(name, work)
        tried = subprocess.run([options.programs / f"fuzz_{name}", work, "-runs=0", f"-max_len={PARSERS[name][0]}", "-detect_leaks=0",
                                f"-artifact_prefix={options.work}/{name}-"], capture_output=True, text=True, errors="replace",
                               env=dict(os.environ, **QUIET))
        if tried.returncode != 0:
            sound = False
            print(f"{name}: FOUND something; what it was given lies in {options.work}\n{tried.stderr[-3000:]}")
            continue
        merge(name, options)
        pack(name, work)
        for kind, runs in counts.get(name, {}).items():
            count_runs(name, kind, runs)
        print(f"{name}: {counts.get(name)} runs more, {len(list(work.iterdir()))} files", flush=True)
    return sound


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["run", "replay", "spread", "add"])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(PARSERS))
    parser.add_argument("--programs", type=pathlib.Path, help="folder of the fuzz_* programs")
    parser.add_argument("--fast", type=pathlib.Path, help="spread: folder of the fast ones")
    parser.add_argument("--work", type=pathlib.Path, help="folder of the growing corpus")
    parser.add_argument("--llvm", type=pathlib.Path, default=pathlib.Path("/usr/lib/llvm-14/bin"))
    parser.add_argument("--seconds", type=int, default=60, help="of libFuzzer, for each parser; spread: in all")
    parser.add_argument("--runs", type=int, help="of libFuzzer instead, or alterations that replay tries")
    parser.add_argument("--jobs", type=int, default=2, help="spread: processes at a time")
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
        return add(names, options)
    if options.action == "replay":
        return all([replay(name, options.programs, options.runs or 0, options.seed) for name in names])
    if options.action == "spread":
        return spread(names, options)
    sound = True
    print("| parser | sanitized runs of all times | fast ones | files | % of lines |\n|---|---|---|---|---|", flush=True)
    for name in names:
        runs = fuzz(name, options)
        if runs is None:
            sound = False
            continue
        merge(name, options)
        if options.keep:
            pack(name, options.work / name)
            count_runs(name, "sanitized", runs)
        counts = read_counts().get(name, dict.fromkeys(KINDS, 0))
        lines = ", ".join(f"{file.split('/')[1]} {100 * reached / total:.1f}".removesuffix(".0")
                          for file, (reached, total) in coverage(name, options).items())
        cells = [name, *[f"{counts[kind]:,}" for kind in KINDS], str(len(list((options.work / name).iterdir()))), lines]
        print(f"| {' | '.join(cells)} |", flush=True)
    return sound


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
