#!/usr/bin/env python3
"""Hurts the program where disks, memory and power do, and says whether anything was lost (docs/reliability.md).

torture.py NAME --program PATH: kill, disk, memory, flips, or all. --quick: a minute in all, as the tests do it.
Exit code 0: everything held; 1: something did not, and what; 77: this machine lacks what it needs.
"""
import argparse
import ctypes
import os
import random
import shutil
import signal
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
        self.random = random.Random(options.seed)
        self.folder = Path(tempfile.mkdtemp(prefix="coppice-torture-"))
        self.wrong = []
        self.library = self.folder / "inject.so"
        self.environment = dict(os.environ, CUDA_VISIBLE_DEVICES="")

    def compile_injector(self):
        compiler = shutil.which("cc")
        if compiler is None:
            print("skipped: there is no C compiler for the injector")
            sys.exit(77)
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", self.library, HERE / "inject.c", "-ldl"], check=True)

    def call(self, arguments, inject=None):
        """(exit code or -signal, what was said); inject: (kind, number)."""
        environment = dict(self.environment)
        if inject is not None:
            environment.update(LD_PRELOAD=str(self.library), INJECT_KIND=inject[0], INJECT_AT=str(inject[1]),
                               INJECT_COUNT=str(self.folder / "count"))
        done = subprocess.run([self.options.program, *map(str, arguments)], cwd=self.folder, env=environment,
                              capture_output=True, timeout=300)
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
ENSEMBLE = ("ensemble", ["train", "small.csv", "--target", "label", "--ensemble", "3", "--lambda", "1e-3", "--max-epochs", "8",
                         "--checkpoint-every", "2", "--quiet", "-o"], ["train", "--quiet", "--resume"])
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


def kill(ward):
    """SIGKILL at random moments, some of them several times in one run."""
    kinds = [TRAIN, SEARCH] if ward.options.quick else [TRAIN, ENSEMBLE, LARGE, SEARCH]
    count = ward.options.count or (6 if ward.options.quick else 250)
    for name, begin, resume in kinds:
        wanted, seconds = reference(ward, begin)
        progress = Progress(f"kill, {name}", count)
        kills = 0
        for number in range(count):
            ward.remove("run")
            for _ in range(ward.random.choice([1, 1, 2, 3])):
                there = any((ward.folder / "run" / file).exists() for file in ("config.json", "search.json"))
                process = ward.start(resume + ["run"] if there else begin + ["run"])
                try:
                    process.wait(ward.random.uniform(0, 1.05 * seconds))
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGKILL)
                    process.wait()
                    kills += 1
            check_end(ward, begin, resume, "run", wanted, f"kill, {name}, number {number} of seed {ward.options.seed}")
            progress.step()
        progress.end(f"{count} runs, {kills} kills")


def numbers_to_try(ward, total, most):
    return range(1, total + 1) if total <= most else sorted(ward.random.sample(range(1, total + 1), most))


def count_calls(ward, arguments, kind):
    ward.call(arguments, (kind, 0))
    return int((ward.folder / "count").read_text())


def check_code(ward, code, said, may_fail, what):
    """Whether a call ended as it may; true if it ended with a sentence."""
    if code not in ((0, 2) if may_fail else (0,)):
        ward.fail(f"{what}: ended with {code}: {said.strip()[-300:]}")
    if code == 2 and (len(said.splitlines()) != 1 or not said.startswith("coppice: ")):
        ward.fail(f"{what}: said {said!r}")
    return code == 2


def injected_predict(ward, kind, may_fail, most):
    """A file that was there before is replaced as a whole or not at all."""
    reference(ward, TRAIN[1])
    call = ["predict", "reference", "small.csv", "-o", "out/rows.csv", "--threads", "1"]
    out = ward.folder / "out" / "rows.csv"
    out.parent.mkdir(exist_ok=True)
    total = count_calls(ward, call, kind)
    new = out.read_bytes()
    numbers = numbers_to_try(ward, total, most)
    progress = Progress(f"{kind}, predict", len(numbers))
    refused = 0
    for number in numbers:
        what = f"{kind} at call {number} of predict"
        out.write_bytes(b"precious")
        code, said = ward.call(call, (kind, number))
        refused += check_code(ward, code, said, may_fail, what)
        if out.read_bytes() not in ((new,) if code == 0 else (new, b"precious")):
            ward.fail(f"{what}: ended with {code} and another file than the old or the new one")
        if ward.leftovers("out"):
            ward.fail(f"{what}: left {ward.leftovers('out')}")
        progress.step()
    progress.end(f"{len(numbers)} of {total} calls, {refused} ended it with a sentence")


def injected_train(ward, kind, may_fail, most):
    """One call fails, then another in the next run, until each, or `most` of them, has."""
    name, begin, resume = TRAIN
    begin = begin[:-1] + ["--threads", "1", "-o"]
    wanted, _ = reference(ward, begin)
    ward.remove("run")
    total = count_calls(ward, begin + ["run"], kind)
    numbers = numbers_to_try(ward, total, most)
    progress = Progress(f"{kind}, {name}", len(numbers))
    refused = 0
    for number in numbers:
        ward.remove("run")
        what = f"{kind} at call {number}"
        code, said = ward.call(begin + ["run"], (kind, number))
        refused += check_code(ward, code, said, may_fail, what)
        if ward.leftovers("run"):
            ward.fail(f"{what}: left {ward.leftovers('run')}")
        check_end(ward, begin, resume, "run", wanted, what)
        progress.step()
    progress.end(f"{len(numbers)} of {total} calls, {refused} ended the run with a sentence")


def disk(ward):
    """Every call on files fails once: EIO, ENOSPC, EINTR, or fewer bytes than asked for."""
    ward.compile_injector()
    most = ward.options.count or (12 if ward.options.quick else 10**9)
    for kind, may_fail in (("eio", True), ("enospc", True), ("eintr", False), ("short", False)):
        injected_train(ward, kind, may_fail, most)
        injected_predict(ward, kind, may_fail, most)


def memory(ward):
    """Memory runs out at one allocation after the other, and address spaces are too small."""
    ward.compile_injector()
    most = ward.options.count or (25 if ward.options.quick else 2000)
    injected_train(ward, "memory", True, most)
    injected_predict(ward, "memory", True, most)
    name, begin, resume = TRAIN
    wanted, _ = reference(ward, begin)
    sizes = range(50, 300, 25 if ward.options.quick else 5)
    progress = Progress("address space", len(sizes))
    refused = 0
    for megabytes in sizes:
        ward.remove("run")
        done = subprocess.run(["sh", "-c", f"ulimit -v {megabytes}000; exec \"$@\"", "sh", ward.options.program, *begin, "run"],
                              cwd=ward.folder, env=ward.environment, capture_output=True, timeout=300)
        said = done.stderr.decode(errors="replace")
        loaded = "error while loading shared libraries" not in said
        refused += done.returncode == 2
        if loaded and done.returncode not in (0, 2):
            ward.fail(f"{megabytes} MB: ended with {done.returncode}: {said.strip()[-300:]}")
        check_end(ward, begin, resume, "run", wanted, f"{megabytes} MB")
        progress.step()
    progress.end(f"{len(sizes)} sizes, {refused} ended the run with a sentence")


class ModelLibrary:
    """Models in memory, by the C interface."""

    def __init__(self, path):
        self.c = ctypes.CDLL(path)
        self.c.coppice_text_data.restype = ctypes.POINTER(ctypes.c_char)
        self.c.coppice_text_size.restype = ctypes.c_size_t

    def bytes_after_reading(self, data):
        """What is written again; None if the bytes are refused."""
        model = ctypes.c_void_p()
        if self.c.coppice_model_from_bytes(data, ctypes.c_size_t(len(data)), ctypes.byref(model)) != 0:
            return None
        text = ctypes.c_void_p()
        self.c.coppice_model_bytes(model, ctypes.byref(text))
        made = ctypes.string_at(self.c.coppice_text_data(text), self.c.coppice_text_size(text))
        self.c.coppice_text_free(text)
        self.c.coppice_model_free(model)
        return made


def flipped(ward, data):
    """One bit is another, or a stretch is missing, doubled or zero."""
    place = ward.random.randrange(len(data))
    how = ward.random.randrange(8)
    length = ward.random.randrange(1, 64)
    if how == 0:
        return data[:place] + data[place + length:]
    if how == 1:
        return data[:place] + data[max(0, place - length):]
    if how == 2:
        return data[:place] + bytes(len(data[place:place + length])) + data[place + length:]
    return data[:place] + bytes([data[place] ^ (1 << ward.random.randrange(8))]) + data[place + 1:]


def flip_models(ward, model):
    library = ModelLibrary(ward.options.library)
    if library.bytes_after_reading(model) != model:
        ward.fail("a model is written otherwise than it was read")
    count = 3000 if ward.options.quick else 100_000  # they are cheap
    progress = Progress("flips, model", len(model) + count)
    for size in range(len(model)):
        if library.bytes_after_reading(model[:size]) is not None:
            ward.fail(f"a model cut to {size} bytes was taken")
        progress.step()
    taken = 0
    for number in range(count):
        made = library.bytes_after_reading(flipped(ward, model))
        taken += made is not None
        if made not in (None, model):
            ward.fail(f"an altered model was taken (number {number} of seed {ward.options.seed})")
        progress.step()
    progress.end(f"{len(model)} lengths, {count} alterations, {taken} of them without effect")


def flips(ward):
    """Altered models, checkpoints, journals and configurations are noticed, or make no difference."""
    if ward.options.library is None:
        print("skipped: --library names the shared library")
        sys.exit(77)
    _, begin, resume = TRAIN
    wanted, _ = reference(ward, begin)
    flip_models(ward, wanted["model.coppice"])
    count = ward.options.count or (15 if ward.options.quick else 1000)
    for name in ("checkpoints/net-0.state", "journal.jsonl", "config.json"):
        progress = Progress(f"flips, {Path(name).name}", count)
        noticed = 0
        for number in range(count):
            ward.remove("run")
            shutil.copytree(ward.folder / "reference", ward.folder / "run")
            file = ward.folder / "run" / name
            file.write_bytes(flipped(ward, file.read_bytes()))
            code, said = ward.call(resume + ["run"])
            what = f"{name}, number {number} of seed {ward.options.seed}"
            noticed += code == 2
            if code not in (0, 2) or (code == 2 and len(said.splitlines()) != 1):
                ward.fail(f"{what}: ended with {code}: {said.strip()[-300:]}")
            if result_of(ward, "run") != wanted:
                ward.fail(f"{what}: the models differ")
            progress.step()
        progress.end(f"{count} alterations, {noticed} noticed, the others without effect")


TORTURES = {"kill": kill, "disk": disk, "memory": memory, "flips": flips}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=[*TORTURES, "all"])
    parser.add_argument("--program", required=True, help="the built program")
    parser.add_argument("--library", help="the built shared library, for flips")
    parser.add_argument("--quick", action="store_true", help="few of each")
    parser.add_argument("--count", type=int, help="how many of each, at most")
    parser.add_argument("--seed", type=int, default=1)
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
