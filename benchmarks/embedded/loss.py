#!/usr/bin/env python3
"""What 8 bits cost on tables.

    benchmarks/embedded/loss.py COPPICE TABLE.csv[.gz]... [-- FLAGS OF TRAIN]
    benchmarks/embedded/loss.py COPPICE MODEL MNIST

MNIST is a directory of its four files: a model that was trained on it is asked about the test images. Of each table (target column `target__`) 30 % of the rows are set aside to test. A model is trained on the others and exported
as C twice, in floats and in 8 bits, calibrated on the training rows. Both are compiled and asked about the test rows. Prints
the error of `coppice predict`, of both headers, by how much probabilities (or values, relatively to them or, near 0, to their
spread) of floats differ at most from those of `predict`, and bytes of constants. Needs gcc.
"""
import csv
import ctypes
import gzip
import json
import math
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile

TARGET = "target__"
MISSING = {"", "na", "n/a", "nan", "null", "?"}


def read(path):
    opened = gzip.open(path, "rt", newline="") if path.endswith(".gz") else open(path, newline="")
    with opened as file:
        rows = list(csv.reader(file))
    return rows[0], rows[1:]


def write(path, names, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([names, *rows])


def split(rows):
    order = list(range(len(rows)))
    random.Random(1).shuffle(order)
    tests = len(rows) * 3 // 10
    return [rows[i] for i in sorted(order[tests:])], [rows[i] for i in sorted(order[:tests])]


class Header:
    """A header as a shared library, asked by cells."""

    def __init__(self, folder, name, features):
        self.features = features
        text = open(f"{folder}/{name}.h").read()
        self.bytes = int(re.search(r"flash: (\d+)", text)[1])
        self.outputs = int(re.search(rf"{name.upper()}_OUTPUTS = (\d+)", text)[1])
        texts = f"{name}_category(cell, text)" if "_category(int" in text else "cell * 0.0f + (text == 0)"
        with open(f"{folder}/{name}.c", "w") as file:
            file.write(f'#include "{name}.h"\nint predict(const float *row, float *out) '
                       f"{{ return {name}_predict(row, out); }}\n"
                       f"float category(int cell, const char *text) {{ return {texts}; }}\n")
        subprocess.run(["gcc", "-std=c99", "-O2", "-shared", "-fPIC", f"{folder}/{name}.c", "-o", f"{folder}/{name}.so", "-lm"],
                       check=True)
        self.library = ctypes.CDLL(f"{folder}/{name}.so")
        self.library.category.restype = ctypes.c_float
        self.library.category.argtypes = [ctypes.c_int, ctypes.c_char_p]
        self.row = (ctypes.c_float * len(features))()
        self.out = (ctypes.c_float * self.outputs)()

    def ask(self, cells):
        for k, feature in enumerate(self.features):
            text = cells[feature["column"]]
            if feature["part"] == "number":
                self.row[k] = math.nan if text.strip().lower() in MISSING else float(text)
            elif feature["part"] in ("category", "rank"):
                gone = text.strip().lower() in MISSING
                self.row[k] = self.library.category(k, b"" if gone else text.encode())
            else:
                raise SystemExit(f"loss.py: column {feature['column']}: dates are not read here")
        answer = self.library.predict(self.row, self.out)
        return answer, list(self.out)


def error_of(answers, right, classes):
    if classes:
        return sum(classes[a] != r for (a, _), r in zip(answers, right)) / len(right)
    values = [float(r) for r in right]
    mean = sum(values) / len(values)
    squares = sum((out[0] - v) ** 2 for (_, out), v in zip(answers, values))
    return squares / sum((v - mean) ** 2 for v in values)


def read_images(folder):
    with gzip.open(f"{folder}/t10k-images-idx3-ubyte.gz") as file:
        pixels = file.read()[16:]
    with gzip.open(f"{folder}/t10k-labels-idx1-ubyte.gz") as file:
        labels = file.read()[8:]
    names = [f"pixel{p}" for p in range(784)] + [TARGET]
    return names, [[*map(str, pixels[784 * i:784 * i + 784]), str(label)] for i, label in enumerate(labels)]


def predicted(program, trained, folder, tests, classes):
    """What `coppice predict` says, in the form of Header.ask()."""
    subprocess.run([program, "predict", trained, tests, "-o", f"{folder}/p.csv"], check=True,
                   stderr=subprocess.DEVNULL)
    names, rows = read(f"{folder}/p.csv")
    said = names.index("prediction")
    if not classes:
        return [(0, [float(row[said])]) for row in rows]
    return [(classes.index(row[said]), [float(chance) for chance in row[said + 1:]]) for row in rows]


def largest_difference(answers, others, classes):
    """Of probabilities; of values relative to them or, near 0, to their spread."""
    pairs = [pair for (_, a), (_, b) in zip(answers, others) for pair in zip(a, b)]
    spread = 0 if classes else statistics.pstdev(b for _, b in pairs)
    return max(abs(a - b) / (1 if classes else max(abs(b), spread)) for a, b in pairs)


def measure_table(program, path, flags):
    with tempfile.TemporaryDirectory() as folder:
        names, rows = read(path)
        train, test = split(rows)
        write(f"{folder}/train.csv", names, train)
        write(f"{folder}/test.csv", names, test)
        subprocess.run([program, "train", f"{folder}/train.csv", "--target", TARGET, "-o", f"{folder}/run", *flags], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        compare(program, f"{folder}/run", f"{folder}/train.csv", f"{folder}/test.csv", names, test,
                os.path.basename(path).split(".")[0])


def compare(program, trained, train, tests, names, test, called):
    with tempfile.TemporaryDirectory() as folder:
        model = json.loads(subprocess.run([program, "export", trained, "--to", "json"], check=True,
                                          capture_output=True).stdout)
        export = [program, "export", trained, "--to", "c", "-o"]
        subprocess.run([*export, f"{folder}/real.h"], check=True)
        subprocess.run([*export, f"{folder}/small.h", "--int8", "--calibrate", train], check=True)
        classes = model.get("classes")
        right = [row[names.index(TARGET)] for row in test]
        wanted = predicted(program, trained, folder, tests, classes)
        errors = [error_of(wanted, right, classes)]
        off = []
        sizes = []
        for name in ("real", "small"):
            header = Header(folder, name, model["features"])
            answers = [header.ask(dict(zip(names, row))) for row in test]
            errors.append(error_of(answers, right, classes))
            off.append(largest_difference(answers, wanted, classes))
            sizes.append(header.bytes)
    form = (lambda e: f"{100 * e:.2f} %") if classes else (lambda e: f"{e:.5f}")
    loss = 100 * (errors[2] / errors[1] - 1) if errors[1] > 0 else math.nan
    print(f"| {called} | {len(test)} | {' | '.join(map(form, errors))} | {loss:+.2f} % | {off[0]:.1e} | {sizes[0]:,} | {sizes[1]:,} |",
          flush=True)


def main():
    arguments = sys.argv[1:]
    flags = []
    if "--" in arguments:
        flags = arguments[arguments.index("--") + 1:]
        arguments = arguments[:arguments.index("--")]
    if len(arguments) < 2:
        raise SystemExit(__doc__)
    print("| table | rows to test | predict | C, floats | C, 8 bits | change | floats are off by | bytes, floats | bytes, 8 bits |")
    print("|---|---|---|---|---|---|---|---|---|")
    if os.path.isdir(arguments[-1]):
        program, model, folder = arguments
        compare(program, model, folder, folder, *read_images(folder), os.path.basename(folder))
        return
    for path in arguments[1:]:
        measure_table(arguments[0], path, flags)


if __name__ == "__main__":
    main()
