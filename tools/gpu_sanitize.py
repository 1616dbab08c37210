#!/usr/bin/env python3
"""Every test of the GPU under a tool of compute-sanitizer, many at a time.

    gpu_sanitize.py BIN --tool racecheck [--seconds 480] [--jobs 12] [--results FILE] [--only PATTERN] [--again]

BIN holds test_device, test_network, ...; FILE (JSON) keeps what came of each test, so that the next call goes on with those that were
not reached or were cut off, the longest of them last. --again forgets what FILE says of this tool. Exit code 1 if any test has failed.
"""
import argparse
import concurrent.futures
import fnmatch
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
CLEAN = re.compile(r"(ERROR SUMMARY: 0 errors|RACECHECK SUMMARY: 0 hazards)")
OURS = 86  # what compute-sanitizer returns where it found something


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
    """What came of one test: clean, failed, skipped, or cut off at the time `end`."""
    since = time.monotonic()
    command = ["compute-sanitizer", "--tool", tool, "--error-exitcode", str(OURS), program, f"--gtest_filter={test}"]
    with tempfile.TemporaryFile("w+", errors="replace") as said:
        running = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT, start_new_session=True)
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
    if "SKIPPED" in text:
        return {"came": "skipped", "seconds": seconds}
    if code == 0 and CLEAN.search(text):
        return {"came": "clean", "seconds": seconds}
    return {"came": "failed", "seconds": seconds, "exit code": code, "said": text[-3000:]}


def undecided(known, tests):
    """Those without an answer: first what was never tried, then what was cut off earliest."""
    left = [t for t in tests if known.get(t[1], {}).get("came") not in ("clean", "failed")]
    return sorted(left, key=lambda t: known.get(t[1], {}).get("seconds", 0))


def show(tool, known, tests):
    width = max(len(name) for _, name in tests)
    for _, name in tests:
        was = known.get(name, {"came": "not begun"})
        seconds = f"{was['seconds']:8.1f} s" if "seconds" in was else ""
        print(f"{name:<{width}}  {was['came']:<9}{seconds}")
        if "said" in was:
            print("    " + was["said"].replace("\n", "\n    "))
    came = [known.get(name, {"came": "not begun"})["came"] for _, name in tests]
    print(f"{tool}: " + ", ".join(f"{came.count(kind)} {kind}" for kind in dict.fromkeys(came)))
    return came.count("failed")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=Path, metavar="BIN")
    parser.add_argument("--tool", choices=TOOLS, required=True)
    parser.add_argument("--seconds", type=float, default=480)
    parser.add_argument("--jobs", type=int, default=12)
    parser.add_argument("--results", type=Path)
    parser.add_argument("--only", default="*", help="a pattern of names, as in the shell")
    parser.add_argument("--again", action="store_true")
    options = parser.parse_args()
    programs = sorted(options.programs.glob("test_*"))
    tests = [(p, name) for p in programs for name in tests_of(p) if fnmatch.fnmatch(name, options.only)]
    if not tests:
        sys.exit(f"gpu_sanitize.py: no test of a GPU in {options.programs} is called {options.only}; build with nvcc in the path")
    results = json.loads(options.results.read_text()) if options.results and options.results.exists() else {}
    known = results.setdefault(options.tool, {})
    if options.again:
        known.clear()
    end = time.monotonic() + options.seconds

    def work(test):
        if end - time.monotonic() >= 2:
            known[test[1]] = attempt(*test, options.tool, end)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(work, undecided(known, tests)))
    if options.results:
        options.results.write_text(json.dumps(results, indent=1) + "\n")
    return 1 if show(options.tool, known, tests) else 0


if __name__ == "__main__":
    sys.exit(main())
