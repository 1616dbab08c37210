"""The results file: a JSON object per line and fit. Of two lines for one fit the later counts."""
from __future__ import annotations

import json
import pathlib
import sys
import threading
from typing import Any, Iterable

Fit = dict[str, Any]
Key = tuple[str, str, int]  # method, table, split


def key_of(fit: Fit) -> Key:
    return fit["method"], fit["table"], fit["split"]


def read(file: pathlib.Path) -> dict[Key, Fit]:
    found: dict[Key, Fit] = {}
    if not file.exists():
        return found
    for number, line in enumerate(file.read_text().splitlines(), 1):
        try:
            fit = json.loads(line)
            found[key_of(fit)] = fit
        except (ValueError, KeyError, TypeError):
            # The last line of a run that was killed may be half of one.
            print(f"{file}:{number}: not a result, left out", file=sys.stderr)
    return found


class Results:
    def __init__(self, file: pathlib.Path, others: Iterable[pathlib.Path] = ()) -> None:
        self.file = file
        self.shipped: dict[Key, Fit] = {}
        for one in others:
            self.shipped.update(read(one))
        self.fits: dict[Key, Fit] = {}
        for fit in read(file).values():
            self.take(fit)
        self.lock = threading.Lock()

    def take(self, fit: Fit) -> None:
        """A fit, and of the other files those of the same table: others are of tables that nobody asks about."""
        for key, other in self.shipped.items():
            if (other["table"], other.get("data")) == (fit["table"], fit.get("data")):
                self.fits.setdefault(key, other)
        self.fits[key_of(fit)] = fit

    def add(self, fit: Fit) -> None:
        with self.lock:
            self.take(fit)
            self.file.parent.mkdir(parents=True, exist_ok=True)
            whole = not self.file.exists() or self.file.read_bytes()[-1:] in (b"", b"\n")
            with self.file.open("a") as out:
                out.write(("" if whole else "\n") + json.dumps(fit) + "\n")

    def of(self, method: str) -> list[Fit]:
        return [fit for fit in self.fits.values() if fit["method"] == method]
