"""The folder a torture works in, the calls it hurts, and what it finds wrong."""
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent


class Progress:
    """A bar on a terminal; a line at the end everywhere."""

    def __init__(self, what, total):
        self.what, self.total, self.done, self.start = what, max(1, total), 0, time.time()
        self.shown = 0.0

    def step(self):
        self.done += 1
        if not sys.stderr.isatty() or time.time() - self.shown < 0.1:
            return
        self.shown = time.time()
        full = 30 * self.done // self.total
        left = (time.time() - self.start) / self.done * (self.total - self.done)
        sys.stderr.write(f"\r{self.what:<22} [{'#' * full}{'.' * (30 - full)}] {self.done}/{self.total}  {left:.0f} s to go  ")

    def end(self, text):
        if sys.stderr.isatty():
            sys.stderr.write("\r" + " " * 100 + "\r")
        print(f"{self.what:<22} {text}  ({time.time() - self.start:.0f} s)", flush=True)


class Ward:
    """A folder, the program, and what was found wrong."""

    def __init__(self, options):
        self.options = options
        self.slice = options.slice  # (i, n): every n-th of what is to be tried, from the i-th
        self.random = random.Random(options.seed)
        self.folder = Path(tempfile.mkdtemp(prefix="coppice-torture-"))
        self.wrong = []
        self.library = self.folder / "inject.so"
        self.environment = dict(os.environ) if options.gpu else dict(os.environ, CUDA_VISIBLE_DEVICES="")

    def kinds(self, all_kinds):
        """Those that were asked for."""
        return [kind for kind in all_kinds if self.options.kind in (None, kind)]

    def compile(self, source, library):
        """A library to be loaded before the program's own."""
        made = (HERE / source).with_suffix(".so")  # where there is no compiler
        if made.exists():
            shutil.copy(made, library)
            return
        compiler = shutil.which("cc")
        if compiler is None:
            print("skipped: there is no C compiler")
            sys.exit(77)
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, HERE / source, "-ldl"], check=True)

    def call(self, arguments, inject=None, prefix=(), limit=300):
        """(exit code or -signal, what was said); inject: (kind, number); prefix: a program that runs it."""
        environment = dict(self.environment)
        if inject is not None:
            environment.update(LD_PRELOAD=str(self.library), INJECT_KIND=inject[0], INJECT_AT=str(inject[1]),
                               INJECT_COUNT=str(self.folder / "count"))
        done = subprocess.run([*prefix, self.options.program, *map(str, arguments)], cwd=self.folder, env=environment,
                              capture_output=True, timeout=limit)
        return done.returncode, done.stderr.decode(errors="replace")

    def start(self, arguments):
        return subprocess.Popen([self.options.program, *map(str, arguments)], cwd=self.folder, env=self.environment,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def fail(self, text):
        self.wrong.append(text)
        print(f"WRONG: {text}", flush=True)

    def remove(self, name):
        shutil.rmtree(self.folder / name, ignore_errors=True)

    def leftovers(self, name):
        return [str(file) for file in (self.folder / name).rglob("*.tmp")] if (self.folder / name).exists() else []


def write_table(path, rows, columns, seed):
    """Numbers, a text column, missing cells; the class is that of a ring."""
    numbers = random.Random(seed)
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join(f"x{i}" for i in range(columns)) + ",colour,label\n")
        for _ in range(rows):
            cells = [numbers.uniform(-1, 1) for _ in range(columns)]
            inside = cells[0] ** 2 + cells[1] ** 2 < 0.6
            texts = [f"{cell:.4f}" if numbers.random() > 0.02 else "" for cell in cells]
            file.write(",".join(texts) + f",{numbers.choice(['red', 'green', 'blue'])},{'in' if inside else 'out'}\n")


# What a call comes to: how it is begun, how it goes on, which files are its result.
TRAIN = ("train", ["train", "small.csv", "--target", "label", "--lambda", "1e-2,1e-3", "--max-epochs", "12",
                   "--checkpoint-every", "1", "--quiet", "-o"], ["train", "--quiet", "--resume"])
# Nets that end by themselves, and soon: others follow only those.
SHORT = ["--effort", "quick", "--hidden-layers", "1", "--encode", "plain", "--patience", "2", "--fine-patience", "1",
         "--unit-lifetime", "2", "--checkpoint-every", "2", "--quiet", "-o"]
ENSEMBLE = ("ensemble", ["train", "small.csv", "--target", "label", "--ensemble", "3", "--lambda", "1e-3", *SHORT],
            ["train", "--quiet", "--resume"])
TAUGHT = ("taught", ["train", "small.csv", "--target", "label", "--ensemble", "2", "--distil", "on", "--path", "2", *SHORT],
          ["train", "--quiet", "--resume"])
LARGE = ("larger table", ["train", "large.csv", "--target", "label", "--lambda", "1e-3", "--max-epochs", "4",
                          "--checkpoint-every", "1", "--quiet", "-o"], ["train", "--quiet", "--resume"])
SEARCH = ("search", ["search", "grid", "small.csv", "--target", "label", "--hidden", "4", "--hidden", "8", "--steps", "0.1,1", "--optimizers",
                     "sgd", "--norms", "none", "--max-epochs", "6", "--quiet", "-o"], ["search", "grid", "--quiet", "--resume"])


def result_of(ward, run):
    """The bytes of a run's models."""
    return {file.name: file.read_bytes() for file in sorted((ward.folder / run).glob("*.coppice"))}


def reference(ward, begin):
    """The result of an undisturbed call, and its seconds."""
    ward.remove("reference")
    start = time.time()
    code, said = ward.call(begin + ["reference"])
    if code != 0:
        raise SystemExit(f"an undisturbed call failed with {code}: {said}")
    return result_of(ward, "reference"), time.time() - start


def go_on(ward, begin, resume, run):
    """Continues what is there, or begins it."""
    there = any((ward.folder / run / name).exists() for name in ("config.json", "search.json"))
    return ward.call(resume + [run] if there else begin + [run])


def check_end(ward, begin, resume, run, wanted, what):
    code, said = go_on(ward, begin, resume, run)
    if code != 0:
        ward.fail(f"{what}: going on ended with {code}: {said.strip()}")
    elif result_of(ward, run) != wanted:
        ward.fail(f"{what}: the models differ from those of an undisturbed run")
    elif ward.leftovers(run):
        ward.fail(f"{what}: left {ward.leftovers(run)}")
