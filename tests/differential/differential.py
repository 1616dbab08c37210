#!/usr/bin/env python3
"""Random files read here and by others: the same table, or both refuse (docs/reliability.md).

    differential.py csv|arff|libsvm --program build/bin/read_frames [--count N] [--seed N]"""

import argparse
import importlib
import os
import random
import struct
import subprocess
import sys
import tempfile

BATCH = 20_000


def answers(program, kind, texts):
    """What read_frames says of each file."""
    with tempfile.TemporaryFile() as frames:
        for text in texts:
            data = text.encode()
            frames.write(struct.pack("<I", len(data)) + data)
        frames.seek(0)
        out = subprocess.run([program, kind], stdin=frames, stdout=subprocess.PIPE, check=True).stdout
    at = 0
    while at < len(out):
        (size,) = struct.unpack_from("<I", out, at)
        yield out[at + 4:at + 4 + size].decode(errors="surrogateescape")
        at += 4 + size


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=["csv", "arff", "libsvm"])
    parser.add_argument("--program", required=True)
    parser.add_argument("--other-python", help="one that may have scipy and scikit-learn where this one has not")
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    try:
        files = importlib.import_module(f"{options.kind}_files")
    except ModuleNotFoundError as missing:
        other = options.other_python
        if other and os.path.exists(other) and not os.path.samefile(other, sys.executable):
            os.execv(other, [other, *sys.argv])
        print(f"skipped: python3 has no {missing.name}")
        return 77
    source = random.Random(options.seed)
    taken = skipped = wrong = 0
    for first in range(0, options.count, BATCH):
        batch = [files.generate(source) for _ in range(min(BATCH, options.count - first))]
        said = list(answers(options.program, options.kind, [text for text, _ in batch]))
        if len(said) != len(batch):
            sys.exit(f"{len(batch)} files were given, but {len(said)} answered for")
        for (text, hint), answer in zip(batch, said):
            verdict = files.judge(text, hint, answer)
            taken += answer[0] == "T"
            skipped += verdict == "skipped"
            if verdict and verdict != "skipped":
                wrong += 1
                if wrong <= 20:
                    print(f"{text!r}: {verdict}")
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{first + len(batch):,} files ")
    print(f"{options.count:,} {options.kind} files, seed {options.seed}: {taken:,} taken and {options.count - taken:,} refused, by both; "
          f"{skipped:,} not compared; {wrong:,} differ")
    # A generator whose files are all refused, or all taken, would show nothing.
    return 0 if wrong == 0 and 0.1 < taken / options.count < 0.99 else 1


if __name__ == "__main__":
    sys.exit(main())
