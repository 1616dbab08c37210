#!/usr/bin/env python3
"""Breaks the sources in one place at a time and tells which test notices.

    tools/mutate.py                              every mutant of tests/mutants.json
    tools/mutate.py --only training,network      those of some folders
    tools/mutate.py --only protocol.cpp          ... or of some files
    tools/mutate.py --list                       names them, and says which are no longer found in the sources

Each job has a copy of the tree in build-mutants/ (--work) and builds only the test programs that cover the mutant's
folder. A mutant is a snippet that occurs once in its file, and what to put in its place: lines may move, files too if
their name stays unique. Results go to build-mutants/mutants.json and mutants.md (--output); --record also notes them
in the list and in docs/testing.md.

Mistakes made by rules, a thousand in one build: tools/mutants. Needs what building the tests needs, and no network. Ends with 1 if a mutant survived or none could be tried.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import queue
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Test programs that cover a folder, the nearest first; the next is tried when all tests of one pass.
PROGRAMS = {
    "network": ["test_network", "test_training"],
    "data": ["test_data", "test_api", "test_run"],
    "run": ["test_run", "test_api"],
    "api": ["test_api", "test_run"],
}
KILLED, SURVIVED, BROKEN, LOST = "killed", "survived", "does not compile", "not found"


def folder_of(file):
    parts = pathlib.PurePath(file).parts
    return parts[1] if parts[0] == "coppice" else parts[0]


def programs_of(file):
    folder = folder_of(file)
    return PROGRAMS.get(folder, [f"test_{folder}"])


# ---- Mutants -------------------------------------------------------------------------------------------------

def found(mutant, root):
    """The mutant with the file it lies in today and its line, or why it cannot be tried."""
    path = root / mutant["file"]
    if not path.exists():
        others = [p for p in (root / "coppice").rglob(path.name)]
        if len(others) != 1:
            return dict(mutant, result=LOST, by=f"there is no {mutant['file']}")
        path = others[0]
    text = path.read_text()
    count = text.count(mutant["from"])
    if count != 1:
        return dict(mutant, result=LOST, by=f"the snippet occurs {count} times, not once")
    line = text[: text.index(mutant["from"])].count("\n") + 1
    return dict(mutant, file=str(path.relative_to(root)), line=line)


def listed_mutants(path, only):
    mutants = json.loads(path.read_text())
    wanted = [word for word in only.split(",") if word]
    fits = lambda m: any(word in (folder_of(m["file"]), pathlib.PurePath(m["file"]).name) for word in wanted)
    return [m for m in mutants if not wanted or fits(m)]


def mutated(text, mutant):
    return text.replace(mutant["from"], mutant["to"])


# ---- Copies of the tree --------------------------------------------------------------------------------------

class Copy:
    """A copy of the tree with a build folder of its own."""

    def __init__(self, number, options):
        self.root = options.work / f"copy-{number}"
        self.build = self.root / "build"
        self.options = options
        self.environment = dict(os.environ, CCACHE_BASEDIR=str(self.root), CCACHE_NOHASHDIR="1")

    def run(self, command, limit=None, **more):
        return subprocess.run(["nice", *command], cwd=self.root, env=self.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", timeout=limit, **more)

    def prepare(self):
        """Files that differ are copied, so that a second run builds little."""
        try:
            names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True,
                                   capture_output=True, text=True).stdout.split("\n")
        except (OSError, subprocess.CalledProcessError):
            names = [str(p.relative_to(ROOT)) for p in ROOT.rglob("*") if p.is_file()]
        names = {n for n in names if n and not n.startswith(("build", ".git/", "runs/")) and (ROOT / n).is_file()}
        for folder in ("coppice", "tests", "cli"):  # what is gone must not be built any more
            for path in (self.root / folder).rglob("*"):
                if path.is_file() and str(path.relative_to(self.root)) not in names:
                    path.unlink()
        for name in names:
            target = self.root / name
            if target.exists() and target.read_bytes() == (ROOT / name).read_bytes():
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target)
            shutil.copymode(ROOT / name, target)
        if not (self.build / "build.ninja").exists():  # without warnings: a mutant may leave something unused
            done = self.run(["cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Dev",
                             "-DCMAKE_CXX_FLAGS_DEV=-O1 -w", "-DCOPPICE_CUDA=off", "-DCOPPICE_TESTS=ON",
                             "-DCOPPICE_BENCHMARKS=OFF", *self.options.cmake])
            if done.returncode != 0:
                sys.exit(f"{done.stdout}\ncannot configure {self.build}")

    def compile(self, program):
        return self.run(["ninja", "-C", "build", "-j", str(self.options.build_jobs), f"bin/{program}"])

    def has(self, program):
        return f"bin/{program}:" in self.run(["ninja", "-C", "build", "-t", "targets", "all"]).stdout

    def test(self, program, limit, which="*"):
        """None if all tests pass, else the test that failed and how; and what the program printed."""
        command = [f"build/bin/{program}", "--gtest_color=no", f"--gtest_filter={which}"]
        if not self.options.all_tests:
            command.append("--gtest_fail_fast")
        try:
            done = self.run(command, limit)
            output, end = done.stdout, done.returncode
        except subprocess.TimeoutExpired as late:
            output, end = (late.stdout or b"").decode(errors="replace"), "late"
        failed = re.findall(r"^\[  FAILED  \] ([\w/.]+)(?:, | \()", output, re.M)
        if failed:
            return ", ".join(dict.fromkeys(failed)), output
        if end == 0:
            return None, output
        running = re.findall(r"^\[ RUN      \] (\S+)", output, re.M)
        where = running[-1] if running else program
        if end == "late":
            return f"{where} (does not end)", output
        return (f"{where} (crashes)" if end < 0 else f"{where} (ends with {end})"), output


class Usual:
    """A program's tests where nothing is broken: seconds they take, and which take longest."""

    def __init__(self, seconds, output):
        self.seconds = seconds
        times = [(name, float(ms) / 1000) for name, ms in
                 re.findall(r"^\[       OK \] ([\w/.]+)(?:, .*)? \((\d+) ms\)", output, re.M)]
        slow = {name: s for name, s in times if s > 0.02 * seconds}
        # The quick tests first, which catch most. Filters, and seconds that are usual for them.
        self.parts = [("*", seconds)]
        if slow:
            slow_seconds = sum(slow.values())
            self.parts = [(f"-{':'.join(slow)}", seconds - slow_seconds), (":".join(slow), slow_seconds)]


def baseline(copy, programs, say):
    """How each program's tests usually go; programs that are not there are left out."""
    usual = {}
    for program in programs:
        if not copy.has(program):
            continue
        built = copy.compile(program)
        if built.returncode != 0:
            sys.exit(f"{built.stdout[-3000:]}\n{program} does not compile as it is")
        since = time.monotonic()
        failed, output = copy.test(program, copy.options.timeout * 10)
        if failed:
            sys.exit(f"{program} fails as it is: {failed}")
        usual[program] = Usual(time.monotonic() - since, output)
        say(f"{program}: passes in {usual[program].seconds:.0f} s")
    return usual


def tried(mutant, copy, usual):
    """The mutant with what became of it."""
    path = copy.root / mutant["file"]
    before = path.read_text()
    since = time.monotonic()
    result, by = SURVIVED, ""
    path.write_text(mutated(before, mutant))
    try:
        programs = [p for p in programs_of(mutant["file"]) if p in usual]
        if not programs:
            result, by = LOST, "no test program covers " + folder_of(mutant["file"])
        for program in programs:
            built = copy.compile(program)
            if built.returncode != 0:
                error = re.search(r"error: (.*)", built.stdout)
                result, by = BROKEN, error.group(1) if error else built.stdout[-200:]
                break
            for part, seconds in usual[program].parts:
                by = by or copy.test(program, max(copy.options.timeout, 10 * seconds), part)[0] or ""
            if by:
                result = KILLED
                break
    finally:
        path.write_text(before)
    return dict(mutant, result=result, by=by, seconds=round(time.monotonic() - since, 1))


# ---- Results -------------------------------------------------------------------------------------------------

def table_of(results):
    lines = ["| file | mutant | caught by |", "|---|---|---|"]
    escaped = lambda text: " ".join(str(text).split()).replace("|", "\\|")
    for r in results:
        name = f"{folder_of(r['file'])}/{pathlib.PurePath(r['file']).name}"
        by = r["by"] if r["result"] == KILLED else f"**{r['result']}** {r['by']}".strip()
        lines.append(f"| {name} | {escaped(r['what'])} | {escaped(by)} |")
    return "\n".join(lines) + "\n"


def record(results, path):
    """Notes in the list which test caught what, and puts the table of all of them into docs/testing.md."""
    key = lambda m: (m["from"], m["to"])
    by_key = {key(r): r for r in results if r["result"] != LOST}
    mutants = json.loads(path.read_text())
    for m in mutants:
        if key(m) in by_key:
            r = by_key[key(m)]
            m["file"] = r["file"]
            m["caught by"] = r["by"] if r["result"] == KILLED else f"**{r['result']}**"
    path.write_text("[\n" + ",\n".join(" " + json.dumps(m) for m in mutants) + "\n]\n")
    page = ROOT / "docs/testing.md"
    start, end = "<!-- mutants: written by tools/mutate.py --record -->\n", "<!-- end of mutants -->\n"
    before, rest = page.read_text().split(start)
    rows = [dict(m, result=KILLED, by=m.get("caught by", "not tried yet")) for m in mutants]
    page.write_text(before + start + table_of(rows) + end + rest.split(end)[1])


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutants", type=pathlib.Path, default=ROOT / "tests/mutants.json", help="the list")
    parser.add_argument("--only", default="", help="folders or file names, separated by commas")
    parser.add_argument("--list", action="store_true", help="try nothing")
    parser.add_argument("--jobs", type=int, default=1, help="mutants at a time, each with a copy of the tree")
    parser.add_argument("--build-jobs", type=int, default=2, help="compilers at a time, of each job")
    parser.add_argument("--timeout", type=float, default=120,
                        help="seconds that a test program may take, if ten times the usual is less")
    parser.add_argument("--all-tests", action="store_true", help="name every test that fails, not only the first")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build-mutants")
    parser.add_argument("--output", type=pathlib.Path, help="folder of mutants.json and mutants.md; default: --work")
    parser.add_argument("--resume", action="store_true", help="leave out what mutants.json has results of")
    parser.add_argument("--record", action="store_true", help="note the results in the list and in docs/testing.md")
    parser.add_argument("--cmake", nargs=argparse.REMAINDER, default=[], help="everything after it goes to cmake")
    options = parser.parse_args()
    options.work = options.work.resolve()
    options.output = (options.output or options.work).resolve()
    return options


def main():
    options = arguments()
    mutants = [found(m, ROOT) for m in listed_mutants(options.mutants, options.only)]
    say = lambda text: print(text, flush=True)
    if options.list:
        for m in mutants:
            say(f"{m['file']}:{m.get('line', '?')}  {m['what']}" + (f"  NOT FOUND: {m['by']}" if "result" in m else ""))
        return 1 if any("result" in m for m in mutants) else 0
    options.output.mkdir(parents=True, exist_ok=True)
    file = options.output / "mutants.json"
    if options.resume and file.exists():
        key = lambda m: (m["from"], m["to"])
        known = {key(r): r for r in json.loads(file.read_text()) if r["result"] in (KILLED, SURVIVED, BROKEN)}
        mutants = [m if "result" in m else known.get(key(m), m) for m in mutants]
    todo = [i for i, m in enumerate(mutants) if "result" not in m]
    for m in mutants:
        if m.get("result") == LOST:
            say(f"{LOST:>16}  {m['file']}  {m['what']}: {m['by']}")
    if todo:
        attempt_all(mutants, todo, options, file, say)
    (options.output / "mutants.md").write_text(table_of(mutants))
    if options.record:
        record(mutants, options.mutants)
    counts = {name: sum(m["result"] == name for m in mutants) for name in (KILLED, SURVIVED, BROKEN, LOST)}
    say(", ".join(f"{count} {name}" for name, count in counts.items() if count) + f"; see {options.output}")
    return 0 if mutants and counts[KILLED] == len(mutants) else 1


def attempt_all(mutants, todo, options, file, say):
    """Puts the results in the mutants' places, and into the file as they come."""
    copies = [Copy(number, options) for number in range(min(options.jobs, len(todo)))]
    for copy in copies:
        copy.prepare()
    wanted = list(dict.fromkeys(p for i in todo for p in programs_of(mutants[i]["file"])))
    usual = baseline(copies[0], wanted, say)
    free = queue.Queue()
    for copy in copies:
        free.put(copy)

    def attempt(i):
        copy = free.get()
        try:
            return i, tried(mutants[i], copy, usual)
        finally:
            free.put(copy)

    with concurrent.futures.ThreadPoolExecutor(len(copies)) as pool:
        for future in concurrent.futures.as_completed([pool.submit(attempt, i) for i in todo]):
            i, m = future.result()
            mutants[i] = m
            say(f"{m['result']:>16}  {m['file']}:{m['line']}  {m['what']}  {m['by']}")
            file.write_text(json.dumps([m for m in mutants if "result" in m], indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
