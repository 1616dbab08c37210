"""Makes the fits that are wanted and not there: as many workers as jobs, each a process that is kept for a method."""
from __future__ import annotations

import hashlib
import json
import os
import pathlib
import platform
import signal
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from typing import Any

from progress import Guess, Progress
from results import Fit, Key, Results, key_of
from worker import BUSY

HERE = pathlib.Path(__file__).resolve().parent


@dataclass(frozen=True)
class Plan:
    files: dict[str, pathlib.Path]  # table: file
    digests: dict[str, str]
    rows: dict[str, int]
    programs: dict[str, pathlib.Path]  # method of ours: program
    jobs: int
    gpu: tuple[str, ...] = ()  # methods that may use one


def processor() -> str:
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines() if sys.platform == "linux" else []:
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def program_digest(program: pathlib.Path) -> str:
    return hashlib.sha256(program.read_bytes()).hexdigest()[:12]


class Worker:
    """A worker process, started when first needed and again when it has died or another method comes."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[str] | None = None
        self.method = ""
        self.folder = tempfile.TemporaryDirectory(prefix="coppice-tables-")
        self.log = pathlib.Path(self.folder.name) / "log"

    def fit(self, task: dict[str, Any], gpu: bool) -> Fit:
        if self.process is None or self.method != task["method"]:
            self.stop()
            self.method = task["method"]
            with self.log.open("w") as log:
                self.process = subprocess.Popen(
                    [sys.executable, HERE / "worker.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
                    text=True, cwd=self.folder.name, env={**os.environ, **({"TABLES_GPU": "1"} if gpu else {})},
                    start_new_session=True)  # Ctrl-C is for us, not for a fit to fail by
        process = self.process  # stop() may take it away while it works
        assert process.stdin and process.stdout
        line = ""
        try:
            process.stdin.write(json.dumps(task) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            pass
        if line:
            return json.loads(line)
        status, self.process = process.wait(), None
        words = self.log.read_text(errors="replace").strip().splitlines() or ["nothing said"]
        return {**{key: task[key] for key in ("method", "table", "split")}, "wall": 0.0,
                "failed": f"its process ended with {status}: {words[-1][:200]}"}

    def stop(self) -> None:
        if self.process:
            os.killpg(self.process.pid, signal.SIGKILL)  # with the program that it may have started
            self.process.wait()
            self.process = None


class Runner:
    def __init__(self, plan: Plan, results: Results) -> None:
        self.plan, self.results = plan, results
        self.stopped = False

    def task(self, key: Key) -> dict[str, Any]:
        method, table, split = key
        task: dict[str, Any] = {"method": method, "table": table, "split": split, "file": str(self.plan.files[table])}
        if method in self.plan.programs:
            task["program"] = str(self.plan.programs[method])
        return task

    def turns(self, worker: Worker, keys: list[Key], progress: Progress) -> None:
        while not self.stopped:
            with progress.lock:
                if not keys:
                    return
                key = keys.pop(0)
            progress.begin(key)
            gpu = key[0] in self.plan.gpu
            fit = worker.fit(self.task(key), gpu)
            if self.stopped:  # what ended then was ended by us
                return
            fit.setdefault("data", self.plan.digests[key[1]])
            fit["processor"] = processor()
            fit["busy"] = bool(fit.get("busy", True) or gpu or self.plan.jobs > BUSY * (os.cpu_count() or 1))
            if key[0] in self.plan.programs:
                fit["program"] = program_digest(self.plan.programs[key[0]])
            old = self.results.fits.get(key)
            # A time measured on a quiet machine is not given up for one of a busy machine.
            if not (old and "failed" not in old and not old["busy"] and fit["busy"] and same(old, fit)):
                self.results.add(fit)
            progress.end(key, fit)

    def run(self, keys: list[Key]) -> int:
        """The number of fits that failed."""
        if not keys:
            return 0
        guess = Guess(list(self.results.fits.values()), self.plan.rows)
        progress = Progress(guess, keys, self.plan.jobs)
        left, workers = list(keys), [Worker() for _ in range(self.plan.jobs)]
        if self.plan.jobs > 1:  # so that none is left alone at the end
            left.sort(key=lambda key: guess.plain(*key[:2]), reverse=True)
        threads = [threading.Thread(target=self.turns, args=(worker, left, progress)) for worker in workers]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            self.stopped = True
            for worker in workers:
                worker.stop()
            progress.close()
        return progress.failed


def same(old: Fit, new: Fit) -> bool:
    """Whether they are fits of the same rows by the same program."""
    return key_of(old) == key_of(new) and all(old.get(what) == new.get(what) for what in ("data", "program", "versions"))
