"""Coppice on real tables beside what people would pick instead. `./run bench --tables` installs the peers and starts it.

Every table FOLDER/NAME.csv.gz, with a target column target__, is split five times into 70 % of the rows to train and 30 %
to test, the same rows for every method; classes keep their shares. One thread per fit, every method with its defaults. A
result that is in the results file is not computed again, so an interrupted comparison goes on where it was.
"""
from __future__ import annotations

import argparse
import gzip
import os
import pathlib
import signal
import sys

import contestants
import data
import report
from contestants.program import has_flag
from results import Key, Results
from runner import Plan, Runner, program_digest
from worker import BUSY

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BEFORE = HERE / "before.jsonl"


def names(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./run bench --tables", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, metavar="DIR", help="folder of the tables ($COPPICE_DATA/tables)")
    parser.add_argument("--results", type=pathlib.Path, metavar="FILE", default=ROOT / "build/tables-results.jsonl",
                        help="a line per fit (build/tables-results.jsonl)")
    parser.add_argument("--only", type=names, metavar="METHOD,...", help="of " + ", ".join(contestants.METHODS))
    parser.add_argument("--tables", type=names, metavar="NAME,...", help="some of the tables (all)")
    parser.add_argument("--splits", type=int, default=5, metavar="N", help="splits of each table (5)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N",
                        help="fits at a time (1); times are marked as busy where they take most of the cores")
    parser.add_argument("--gpu", type=names, default=[], metavar="METHOD,...",
                        help="these may use a GPU; what they took is no time beside the others' and not shown")
    parser.add_argument("--again", type=names, default=[], metavar="METHOD,...", help="fit these again; of Coppice what another build made")
    parser.add_argument("--retry", action="store_true", help="try again what failed")
    parser.add_argument("--retime", action="store_true",
                        help=f"repeat the fits that began at a load above {BUSY} of the cores: their times are not shown")
    parser.add_argument("--show", action="store_true", help="fit nothing, show what the results file has")
    parser.add_argument("--write", action="store_true", help="write docs/tables.md and its pictures")
    parser.add_argument("--docs", type=pathlib.Path, default=ROOT / "docs", metavar="DIR", help="where --write puts them (docs)")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/bin/coppice", metavar="FILE")
    parser.add_argument("--baseline-program", type=pathlib.Path, metavar="FILE",
                        help="an older program, fitted as coppice-before")
    options = parser.parse_args()
    for name in [*(options.only or []), *options.again]:
        if name not in contestants.METHODS:
            parser.error(f"there is no method {name}; choose from {', '.join(contestants.METHODS)}")
    for count in ("splits", "jobs"):
        if getattr(options, count) < 1:
            parser.error(f"--{count} must be at least 1")
    if options.data is None and "COPPICE_DATA" in os.environ:
        options.data = pathlib.Path(os.environ["COPPICE_DATA"]) / "tables"
    return options


def tables_of(options: argparse.Namespace) -> dict[str, pathlib.Path]:
    if options.data is None:
        sys.exit("tables: name the folder of the tables by --data DIR, or the one above it by COPPICE_DATA")
    found = data.find(options.data)
    if not found:
        sys.exit(f"tables: there is no NAME.csv.gz in {options.data}")
    for name in options.tables or []:
        if name not in found:
            sys.exit(f"tables: there is no {name}.csv.gz in {options.data}; there are {', '.join(found)}")
    return {name: file.resolve() for name, file in found.items() if not options.tables or name in options.tables}


def methods_of(options: argparse.Namespace) -> tuple[list[str], dict[str, pathlib.Path]]:
    """What is to be fitted, and the programs of ours. A method that is asked for and cannot be fitted is an error."""
    programs = {}
    if options.program.exists():
        programs["coppice"] = options.program.resolve()
        if has_flag(options.program, "--ensemble"):
            programs["coppice-single"] = options.program.resolve()
    if options.baseline_program:
        programs["coppice-before"] = options.baseline_program.resolve()
    reasons = {"coppice": f"there is no program {options.program}", "coppice-single": "the program has no --ensemble",
               "coppice-before": "--baseline-program is not given"}
    missing = [name for name in contestants.OURS if name not in programs]
    for name in missing:
        if name in (options.only or []):
            sys.exit(f"tables: {name} cannot be fitted: {reasons[name]}")
        if not options.only and name != "coppice-before":
            print(f"{name} is left out: {reasons[name]}", file=sys.stderr)
    wanted = options.only or contestants.METHODS
    return [name for name in contestants.METHODS if name in wanted and name not in missing], programs


def rows_of(file: pathlib.Path) -> int:
    with gzip.open(file, "rb") as text:
        return max(sum(1 for _ in text) - 1, 1)


def wanted(options: argparse.Namespace, methods: list[str], plan: Plan, results: Results) -> list[Key]:
    builds = {method: program_digest(program) for method, program in plan.programs.items()}

    def there(key: Key) -> bool:
        fit = results.fits.get(key)
        if not fit or fit.get("data") != plan.digests[key[1]]:
            return False
        if key[0] in options.again and fit.get("program", "") != builds.get(key[0]):
            return False
        return not (options.retry and "failed" in fit) and not (options.retime and fit["busy"])

    keys = [(method, table, split) for method in methods for split in range(options.splits) for table in plan.files]
    return [key for key in keys if not there(key)]


def warn_of_other_programs(plan: Plan, results: Results) -> None:
    for method, program in plan.programs.items():
        digest = program_digest(program)
        others = sum(fit.get("program", digest) != digest for fit in results.of(method))
        if others:
            print(f"{others} fits of {method} are of another build of the program; --again {method} repeats them",
                  file=sys.stderr)


def fit_all(options: argparse.Namespace, results: Results) -> int:
    files = tables_of(options)
    methods, programs = methods_of(options)
    plan = Plan(files, {name: data.digest_of(file) for name, file in files.items()},
                {name: rows_of(file) for name, file in files.items()}, programs, options.jobs,
                tuple(options.gpu))
    warn_of_other_programs(Plan(files, {}, {}, {name: programs[name] for name in programs if name in methods
                                                and name not in options.again}, 1), results)
    return Runner(plan, results).run(wanted(options, methods, plan, results))


def main() -> None:
    options = arguments()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    results = Results(options.results, [BEFORE])
    failed = 0
    if not options.show:
        try:
            failed = fit_all(options, results)
        except KeyboardInterrupt:
            sys.exit("tables: interrupted; the same command goes on from here")
    page = report.Page(results, options.splits, options.tables)
    print(page.text())
    if options.write:
        page.write(options.docs)
        print(f"wrote {options.docs / 'tables.md'}", file=sys.stderr)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
