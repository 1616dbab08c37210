"""How far the fits are: a bar in a terminal, else a line per fit. The time to go is a sum of guesses, one per fit."""
from __future__ import annotations

import shutil
import statistics
import sys
import threading
import time
from typing import Iterable

import contestants
from results import Fit, Key

BAR = 24


def told(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


class Guess:
    """Seconds of a fit: those of its other splits, else those of other tables by rows, else the method's rough figure.

    What is guessed is multiplied by how far the guesses of this session were off: a busy machine is slower.
    """

    def __init__(self, fits: Iterable[Fit], rows: dict[str, int]) -> None:
        self.rows = rows
        self.known: dict[tuple[str, str], list[float]] = {}
        self.guessed = self.spent = 0.0
        for fit in fits:
            self.learn(fit)

    def learn(self, fit: Fit) -> None:
        if "wall" in fit:
            self.known.setdefault((fit["method"], fit["table"]), []).append(fit["wall"])

    def plain(self, method: str, table: str) -> float:
        if (method, table) in self.known:
            return statistics.median(self.known[method, table])
        rates = [statistics.median(walls) / self.rows[other] for (name, other), walls in self.known.items()
                 if name == method and other in self.rows]
        rate = statistics.mean(rates) if rates else contestants.METHODS[method].seconds / 5000
        return rate * self.rows[table]

    def of(self, keys: Iterable[Key]) -> float:
        factor = (self.spent + 60) / (self.guessed + 60)
        return factor * sum(self.plain(method, table) for method, table, _ in keys)

    def done(self, fit: Fit) -> None:
        self.guessed += self.plain(fit["method"], fit["table"])
        self.spent += fit["wall"]
        self.learn(fit)


class Progress:
    def __init__(self, guess: Guess, keys: list[Key], jobs: int) -> None:
        self.guess, self.left, self.total, self.jobs = guess, list(keys), len(keys), jobs
        self.begun: dict[Key, float] = {}
        self.start, self.failed = time.monotonic(), 0
        self.terminal = sys.stderr.isatty()
        self.lock, self.over = threading.Lock(), threading.Event()
        if self.terminal:
            threading.Thread(target=self.watch, daemon=True).start()

    def to_go(self) -> float:
        now = time.monotonic()
        running = sum(min(now - since, self.guess.of([key])) for key, since in self.begun.items())
        return max(self.guess.of(self.left) - running, 0) / min(self.jobs, max(len(self.left), 1))

    def begin(self, key: Key) -> None:
        with self.lock:
            self.begun[key] = time.monotonic()

    def end(self, key: Key, fit: Fit) -> None:
        with self.lock:
            self.begun.pop(key, None)
            self.left.remove(key)
            self.guess.done(fit)
            self.failed += "failed" in fit
            text = f"failed: {fit['failed']}" if "failed" in fit else (
                f"error {fit['error']:.4f}, {fit['train_seconds']:.1f} s" + (", busy" if fit["busy"] else ""))
            line = f"{key[0]} on {key[1]}, split {key[2]}: {text}"
            if not self.terminal:
                print(f"{self.total - len(self.left)}/{self.total} {line}; about {told(self.to_go())} to go",
                      file=sys.stderr, flush=True)
            elif "failed" in fit:
                print(f"\r\x1b[K{line}", file=sys.stderr)

    def watch(self) -> None:
        while not self.over.wait(0.5):
            with self.lock:
                done = self.total - len(self.left)
                filled = BAR * done // max(self.total, 1)
                now = ", ".join(f"{method} on {table} ({split})" for method, table, split in self.begun)
                line = (f"[{'#' * filled}{'.' * (BAR - filled)}] {done}/{self.total}  {told(time.monotonic() - self.start)} gone, "
                        f"about {told(self.to_go())} to go  {now}")
                print("\r\x1b[K" + line[:shutil.get_terminal_size().columns - 1], end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        self.over.set()
        if self.terminal:
            print("\r\x1b[K", end="", file=sys.stderr)
        ended = f"{self.total - len(self.left)} of {self.total} fits in {told(time.monotonic() - self.start)}"
        print(ended + (f", {self.failed} failed" if self.failed else ""), file=sys.stderr)
