"""The program that comes with the package."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def program_path() -> Path:
    """Where it lies: in the package, or where COPPICE_PROGRAM says."""
    if named := os.environ.get("COPPICE_PROGRAM"):
        return Path(named)
    return Path(__file__).parent / "bin" / "coppice"


def main() -> None:
    """Becomes the program: its signals and exit codes are its own."""
    path = program_path()
    if not path.exists():
        sys.exit(f"coppice: {path}: there is no program; install the package anew")
    os.execv(path, ["coppice", *sys.argv[1:]])
