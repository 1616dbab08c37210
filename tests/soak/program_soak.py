#!/usr/bin/env python3
"""program_soak.py --program PATH [--count N]: so many short runs of the program, one after another: each must take the memory of the
others, and leave its run directory and nothing else."""

import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile


def most_memory(command, folder, environment):
    """Bytes of memory that the command takes at most."""
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = process.stderr.read().decode(errors="replace")
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit code {process.returncode}: {said}")
    return usage.ru_maxrss * 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--count", type=int, default=200)
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="coppice-soak-"))
    try:
        temporary = folder / "tmp"
        temporary.mkdir()
        environment = dict(os.environ, TMPDIR=str(temporary), CUDA_VISIBLE_DEVICES="")
        rows = "".join(f"{i % 13},{i * 7 % 11},{'in' if (i % 13) * (i * 7 % 11) > 30 else 'out'}\n" for i in range(300))
        (folder / "rows.csv").write_text("a,b,label\n" + rows)
        train = [options.program, "train", "rows.csv", "--target", "label", "--lambda", "1e-3", "--max-epochs", "4", "--threads", "1", "--quiet"]
        memory, names = [], None
        for i in range(options.count):
            run = folder / f"run{i}"
            memory.append(most_memory([*train, "-o", run.name], folder, environment))
            most_memory([options.program, "predict", run.name, "rows.csv", "-o", "answers.csv"], folder, environment)
            left = sorted(str(path.relative_to(run)) for path in run.rglob("*"))
            names = names or left
            if left != names or any(temporary.iterdir()):
                sys.exit(f"run {i} leaves other files than the first one: {sorted(set(left) ^ set(names))} {list(temporary.iterdir())}")
            (folder / "answers.csv").unlink()
            shutil.rmtree(run)
            if sorted(path.name for path in folder.iterdir()) != ["rows.csv", "tmp"]:
                sys.exit(f"run {i} leaves files beside its directory: {list(folder.iterdir())}")
        quarter = max(1, options.count // 4)
        first, last = statistics.median(memory[:quarter]), statistics.median(memory[-quarter:])
        print(f"{options.count} runs: {len(names)} files each and none beside them; memory at most {first / 1e6:.1f} MB in the first quarter, "
              f"{last / 1e6:.1f} MB in the last (medians)")
        return 0 if last < first * 1.05 else 1
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
