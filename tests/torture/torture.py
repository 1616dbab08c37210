#!/usr/bin/env python3
"""Hurts the program where disks, memory and power do, and says whether anything was lost (docs/reliability.md).

torture.py NAME --program PATH: kill, lost, disk, memory, flips, same, or all. --quick: a minute in all, as the tests do it.
Exit code 0: everything held; 1: something did not, and what; 77: this machine lacks what it needs.
"""
import argparse
import shutil
import sys
from pathlib import Path

from disk import disk
from flips import flips
from kill import kill
from lost import lost
from memory import memory
from same import same
from ward import Ward, write_table

TORTURES = {"kill": kill, "lost": lost, "disk": disk, "memory": memory, "flips": flips, "same": same}


def slice_of(text):
    part, parts = map(int, text.split("/"))
    if not 0 <= part < parts:
        raise ValueError(text)
    return part, parts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=[*TORTURES, "all"])
    parser.add_argument("--program", required=True, help="the built program")
    parser.add_argument("--library", help="the built shared library, for flips")
    parser.add_argument("--quick", action="store_true", help="few of each")
    parser.add_argument("--count", type=int, help="how many of each, at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", help="disk: eio, enospc, eintr or short alone; memory: memory, starved, bare, threads or addresses")
    parser.add_argument("--slice", type=slice_of, default=(0, 1), metavar="I/N", help="disk, memory: the I-th of N parts, from 0")
    parser.add_argument("--gpu", action="store_true", help="kill: train on a GPU")
    options = parser.parse_args()
    options.program = str(Path(options.program).resolve())
    ward = Ward(options)
    try:
        write_table(ward.folder / "small.csv", 200, 4, 1)
        write_table(ward.folder / "large.csv", 6000, 20, 2)
        for name in TORTURES if options.name == "all" else [options.name]:
            TORTURES[name](ward)
    finally:
        shutil.rmtree(ward.folder, ignore_errors=True)
    print(f"{len(ward.wrong)} wrong")
    return 1 if ward.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
