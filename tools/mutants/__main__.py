"""Makes many mistakes in the sources, one at a time, and tells which test notices.

    python3 tools/mutants make --count 1000 --seed 1      an instrumented copy of the tree, built once, in build-mutants/
    python3 tools/mutants try --jobs 2                    every mutant with the tests that reach it, until one fails
    python3 tools/mutants show                            what survived, with its line

Places are found by libclang (pip install libclang==14.0.6; clang-14's headers). A mutant is switched on by its number in the
environment variable COPPICE_MUTANT, so all of them are compiled together. What is found is kept in tests/mutants-thousand.jsonl by
the mutant's line, so `try` goes on with what is not decided, on any machine and when other sources have changed.
"""

import argparse
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from results import KILLED, OPEN, SURVIVED, Results  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAMS = "network training data model run api ranks cli"


def arguments():
    parser = argparse.ArgumentParser(prog="tools/mutants", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["make", "try", "show"])
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build-mutants")
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "tests/mutants-thousand.jsonl", help="what is known, and kept")
    parser.add_argument("--programs", default=PROGRAMS, type=str.split, help="names of test programs, test_ left out")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time")
    make = parser.add_argument_group("make")
    make.add_argument("--folders", default="training network data model run", type=str.split, help="of coppice/")
    make.add_argument("--count", type=int, default=1000, help="how many of all possible mutants")
    make.add_argument("--seed", type=int, default=1, help="which of them")
    make.add_argument("--keep-places", action="store_true", help="the places of the call before: the sources are the same")
    make.add_argument("--no-build", action="store_true")
    make.add_argument("--cmake", default="", type=str.split, help="more words for cmake")
    attempt = parser.add_argument_group("try")
    attempt.add_argument("--seconds", type=float, default=36000, help="stop after these")
    attempt.add_argument("--survivors", action="store_true", help="what survived, too: there are tests that it has not seen")
    attempt.add_argument("--batch", type=float, default=2, help="seconds of tests that one process runs")
    attempt.add_argument("--least", type=float, default=3, help="seconds of the processor that a process may take in any case, and ...")
    attempt.add_argument("--factor", type=float, default=5, help="... how many times its usual time beyond them")
    attempt.add_argument("--share", type=float, default=0.9, help="ends with 1 if fewer are killed")
    return parser.parse_args()


def show(options):
    mutants = json.loads((options.work / "mutants.json").read_text())
    results = Results(options.results, mutants)
    for m in mutants:
        found = results.of(m)
        if found["result"] != KILLED:
            print(f"{m['number']:4} {found['result']:>11} {m['file']}:{m['line']} {m['kind']}: {m['before'][:90]} -> {m['to'][:90] or 'nothing'}  ({found['by']})")
    for result in (KILLED, SURVIVED, OPEN):
        print(f"{results.count(result)} {result}")
    return 0


def main():
    options = arguments()
    say = lambda text: print(text, flush=True)
    if options.command == "make":
        from make import make
        return make(options, say)
    if options.command == "try":
        from attempt import attempt
        return attempt(options, say)
    return show(options)


if __name__ == "__main__":
    sys.exit(main())
