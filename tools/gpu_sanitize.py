#!/usr/bin/env python3
"""Every test of the GPU under tools of compute-sanitizer, many at a time.

    gpu_sanitize.py BIN --tool racecheck [--tool ...] [--seconds 480] [--jobs 12] [--results FILE] [--only PATTERN] [--again]

BIN holds test_device, test_network, ...; FILE (JSON) keeps what came of each test as soon as it is known, so that the next call goes on
with those that were not reached or were cut off, the longest of them last. The tool `plain` is none: each test by itself as it is; `short`
as a tool sees it, since tests that repeat themselves do so less often under one (tests/gpu.h). --tool all: plain, short, and then
all four. --again forgets what FILE says of these tools. Exit code 1 if any test has failed.
"""
import argparse
import concurrent.futures
import fnmatch
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

PLAIN = ("plain", "short")
TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
CLEAN = re.compile(r"(ERROR SUMMARY: 0 errors|RACECHECK SUMMARY: 0 hazards)")
OURS = 86  # what compute-sanitizer returns where it found something
# Our code looks at what every call returns, and a test asks for too much memory on purpose.
# racecheck keeps what it saw of every launch until somebody waits for the GPU, and a training is thousands of launches: 128 GB were not enough
# for fourteen of them.
MORE = {"memcheck": ["--report-api-errors", "no"], "racecheck": ["--force-synchronization-limit", "8"]}


def tests_of(program):
    """Full names of a program's tests that need a GPU."""
    listed = subprocess.run([program, "--gtest_list_tests", "--gtest_filter=Gpu*"], check=True, capture_output=True, text=True).stdout
    suite = ""
    for line in listed.splitlines():
        if line.startswith(" "):
            yield suite + line.split()[0]
        else:
            suite = line.split()[0]


def attempt(program, test, tool, end):
    """What came of one test: clean, failed, skipped, cut off at the time `end`, or killed by the system, which wants its memory."""
    since = time.monotonic()
    command = [] if tool in PLAIN else ["compute-sanitizer", "--tool", tool, *MORE.get(tool, []), "--error-exitcode", str(OURS)]
    environment = os.environ if tool == "plain" else os.environ | {"COPPICE_TEST_SHORT": "1"}
    with tempfile.TemporaryFile("w+", errors="replace") as said:
        running = subprocess.Popen([*command, program, f"--gtest_filter={test}"], stdout=said, stderr=subprocess.STDOUT,
                                   start_new_session=True, env=environment)
        try:
            code = running.wait(timeout=max(1, end - since))
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
            running.wait()
            code = None
        said.seek(0)
        text = said.read()
    seconds = round(time.monotonic() - since, 1)
    if code is None:
        return {"came": "cut off", "seconds": seconds}
    said = {"exit code": code, "said": text if len(text) < 9000 else text[:3000] + "\n...\n" + text[-6000:]}
    if code in (signal.SIGKILL, -signal.SIGKILL) and ": 0 " in text.rpartition("SUMMARY")[2]:
        return {"came": "killed", "seconds": seconds, **said}
    if "SKIPPED" in text:
        return {"came": "skipped", "seconds": seconds}
    if code == 0 and (tool in PLAIN or CLEAN.search(text)):
        return {"came": "clean", "seconds": seconds}
    return {"came": "failed", "seconds": seconds, **said}


class Results:
    """What came of each test under each tool, kept in a file if there is one."""

    def __init__(self, path):
        self.path = path
        self.of = json.loads(path.read_text()) if path and path.exists() else {}
        self.lock = threading.Lock()

    def known(self, tool, test):
        return self.of.get(tool, {}).get(test, {"came": "not begun"})

    def put(self, tool, test, came):
        with self.lock:
            self.of.setdefault(tool, {})[test] = came
            self.write()

    def write(self):
        if self.path is None:
            return
        beside = self.path.with_name(self.path.name + ".tmp")
        beside.write_text(json.dumps(self.of, indent=1) + "\n")
        beside.replace(self.path)

    def cost(self, tool, test):
        """Tells what takes longer: the time after which it was cut off, and that without a tool."""
        return self.known(tool, test).get("seconds", 0), self.known("short", test).get("seconds", 0)


def undecided(results, tools, tests):
    """Those without an answer: first what was never tried, then what was cut off earliest."""
    left = [(tool, *test) for tool in tools for test in tests if results.known(tool, test[1])["came"] not in ("clean", "failed")]
    return sorted(left, key=lambda job: results.cost(job[0], job[2]))


def work_off(jobs, results, count, end):
    def work(job):
        tool, program, test = job
        if end - time.monotonic() >= 2:
            results.put(tool, test, attempt(program, test, tool, end))

    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        list(pool.map(work, jobs))


def show(tool, results, tests):
    width = max(len(name) for _, name in tests)
    for _, name in tests:
        was = results.known(tool, name)
        seconds = f"{was['seconds']:8.1f} s" if "seconds" in was else ""
        print(f"{name:<{width}}  {was['came']:<9}{seconds}")
        if "said" in was:
            print("    " + was["said"].replace("\n", "\n    "))
    came = [results.known(tool, name)["came"] for _, name in tests]
    print(f"{tool}: " + ", ".join(f"{came.count(kind)} {kind}" for kind in dict.fromkeys(came)))
    return came.count("failed")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=Path, metavar="BIN")
    parser.add_argument("--tool", choices=(*PLAIN, *TOOLS, "all"), action="append", required=True)
    parser.add_argument("--seconds", type=float, default=480)
    parser.add_argument("--jobs", type=int, default=12)
    parser.add_argument("--results", type=Path)
    parser.add_argument("--only", default="*", help="a pattern of names, as in the shell")
    parser.add_argument("--again", action="store_true")
    options = parser.parse_args()
    end = time.monotonic() + options.seconds
    tools = (*PLAIN, *TOOLS) if "all" in options.tool else options.tool
    programs = sorted(options.programs.glob("test_*"))
    tests = [(p, name) for p in programs for name in tests_of(p) if fnmatch.fnmatch(name, options.only)]
    if not tests:
        sys.exit(f"gpu_sanitize.py: no test of a GPU in {options.programs} is called {options.only}; build with nvcc in the path")
    if any(tool in TOOLS for tool in tools) and shutil.which("compute-sanitizer") is None:
        sys.exit("gpu_sanitize.py: there is no compute-sanitizer; it comes with CUDA, so put its bin/ into the path")
    results = Results(options.results)
    for tool in tools if options.again else ():
        results.of.pop(tool, None)
    # Without a tool first: it takes a minute, and its times tell what is long.
    for some in ([t for t in tools if t in PLAIN], [t for t in tools if t in TOOLS]):
        work_off(undecided(results, some, tests), results, options.jobs, end)
    return 1 if sum(show(tool, results, tests) for tool in tools) else 0


if __name__ == "__main__":
    sys.exit(main())
