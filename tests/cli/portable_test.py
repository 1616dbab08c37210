#!/usr/bin/env python3
"""portable_test.py PROGRAM: a training with --portable-math on other processors gives the same model bytes.

The other processors: valgrind, which has no AVX-512, and qemu, which has neither that nor, as a Nehalem, AVX2 and fused
multiply-adds. Skipped (77) where there is neither of them.
"""

import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = sys.argv[1]
SETTINGS = ["--portable-math", "on", "--lambda", "1e-3", "--max-epochs", "2", "--seed", "5", "--threads", "1", "--ensemble", "off",
            "--distil", "off", "--test", "0.1", "--device", "cpu", "--quiet"]
PROCESSORS = {"valgrind, AVX2": ["valgrind", "--tool=none", "-q"],
              "qemu, Nehalem": ["qemu-x86_64", "-cpu", "Nehalem"]}


def models(before, data, run, settings):
    subprocess.run([*before, PROGRAM, "train", str(data), "-o", str(run), *SETTINGS, *settings], check=True, timeout=500)
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(run.glob("*.coppice"))}


def main():
    here = {name: before for name, before in PROCESSORS.items() if shutil.which(before[0])}
    if not here:
        print("neither valgrind nor qemu-x86_64 is installed")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "poker.csv"
        subprocess.run([PROGRAM, "generate", "poker", "--rows", "400", "--seed", "1", "-o", str(data)], check=True)
        for precision in ["fp32", "bf16"]:
            expected = models([], data, Path(folder) / f"here-{precision}", ["--precision", precision])
            assert expected, "a training without models"
            for name, before in here.items():
                run = Path(folder) / f"{before[0]}-{precision}"
                found = models(before, data, run, ["--precision", precision])
                assert found == expected, f"{name}, {precision}: {found}, not {expected}"
                print(f"{name}, {precision}: the same {len(found)} models")
    return 0


sys.exit(main())
