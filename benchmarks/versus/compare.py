"""How fast Coppice trains beside its peers: an epoch of 784-200-40-10, batches of 1000, 50,000 rows.

Every contestant is a process of its own (contestant.py has the protocol). They take turns, one epoch each, so
that what slows the machine down for a while slows all of them; ratios are taken within a round.
"""
import argparse
import contextlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

import numpy as np

from contestant import CLASSES, INPUTS

HERE = pathlib.Path(__file__).resolve().parent
OURS = HERE.parent.parent / "build" / "bin" / "versus_coppice"
ROWS = 50_000
PAUSE = 0.3  # seconds between turns: until then the threads of the one before have gone to sleep


@dataclass
class Peer:
    """A peer's program, and how many times faster than it Coppice must and aims to be."""

    figure: str
    command: list
    must: float
    aim: float


# Ours in both precisions. The figures are those of bf16, in which images train by default on processors that
# have it; those of float32 stand beside them.
OUR_PRECISIONS = ["bf16", "fp32"]
PEERS = [
    Peer("versus_pytorch_usual", ["pytorch_usual.py"], 3.0, 4.5),
    Peer("versus_pytorch_tuned", ["pytorch_tuned.py"], 1.5, 2.2),
    Peer("versus_pytorch_tuned_bf16", ["pytorch_tuned.py", "--bf16"], 1.5, 2.2),
    Peer("versus_sklearn", ["sklearn_mlp.py"], 2.5, 4.0),
]


class Contestant:
    """A running contestant, warmed up."""

    def __init__(self, command, folder):
        self.program = " ".join(pathlib.Path(part).name for part in command if part != sys.executable)
        self.log = folder / f"{self.program}.log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [*command, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True
            )
        line = self.answer()
        if not line.startswith("ready ") or len(line.split()) < 4:
            sys.exit(f"compare: {self.program} said '{line}' instead of 'ready NAME VERSION SETTINGS'")
        _, self.name, self.version, self.settings = line.split(maxsplit=3)
        self.seconds = []

    def answer(self):
        """The next line the contestant prints; ends the comparison if it has died."""
        line = self.process.stdout.readline()
        if line:
            return line.strip()
        status = self.process.wait()
        last_words = self.log.read_text(errors="replace").splitlines()[-10:]
        sys.exit("\n".join([*last_words, f"compare: {self.program} died with status {status}; see above"]))

    def turn(self):
        """Trains an epoch and notes its seconds."""
        try:
            self.process.stdin.write("\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # answer() tells why
        self.seconds.append(float(self.answer()))
        time.sleep(PAUSE)

    def close(self):
        self.process.kill()
        self.process.wait()


def write_workload(folder):
    """Noise: the time of an epoch does not depend on what the numbers are."""
    random = np.random.default_rng(1)
    rows = random.random((ROWS, INPUTS), dtype=np.float32) - np.float32(0.5)
    rows.astype("<f4").tofile(folder / "rows.f32")
    random.integers(CLASSES, size=ROWS).astype("<u4").tofile(folder / "labels.u32")


def start_all(stack, folder):
    """Ours and the peers, one warm-up after the other so that none disturbs another's."""
    commands = [[OURS, precision] for precision in OUR_PRECISIONS]
    commands += [[sys.executable, HERE / peer.command[0], *peer.command[1:]] for peer in PEERS]
    contestants = []
    for command in commands:
        contestants.append(Contestant(command, folder))
        stack.callback(contestants[-1].close)
        print(f"{contestants[-1].program} is warm", file=sys.stderr)
    return contestants


def measure(rounds):
    """All contestants with the seconds of their epochs, ours first in the order of OUR_PRECISIONS."""
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="coppice-versus-")))
        write_workload(folder)
        contestants = start_all(stack, folder)
        for number in range(1, rounds + 1):
            print(f"round {number} of {rounds}", file=sys.stderr)
            for contestant in contestants:
                contestant.turn()
    return contestants


def figure_of(peer, ours, theirs):
    """How many times faster ours is: median and range over the rounds."""
    ratios = [b / a for a, b in zip(ours.seconds, theirs.seconds)]
    return {
        "value": statistics.median(ratios),
        "low": min(ratios),
        "high": max(ratios),
        "must": peer.must,
        "aim": peer.aim,
        "unit": "times as fast",
    }


def all_figures(contestants):
    """Per peer and precision of ours: {figure name: figure}; float32's have it in their name."""
    ours, theirs = contestants[: len(OUR_PRECISIONS)], contestants[len(OUR_PRECISIONS):]
    return {
        peer.figure + ("" if precision == OUR_PRECISIONS[0] else f"_by_{precision}"): figure_of(peer, our, their)
        for peer, their in zip(PEERS, theirs)
        for precision, our in zip(OUR_PRECISIONS, ours)
    }


def print_table(contestants, figures):
    lines = [("contestant", "version", "settings", "s/epoch", "by bf16", "range", "by fp32", "range", "must", "aim")]
    figures = list(figures.values())
    for index, contestant in enumerate(contestants):
        line = (contestant.name, contestant.version, contestant.settings,
                f"{statistics.median(contestant.seconds):.4f}")
        peer = index - len(OUR_PRECISIONS)
        if peer >= 0:
            pair = figures[len(OUR_PRECISIONS) * peer: len(OUR_PRECISIONS) * (peer + 1)]
            for figure in pair:
                line += (f"{figure['value']:.2f}", f"{figure['low']:.2f}-{figure['high']:.2f}")
            line += (f">= {pair[0]['must']:.1f}", f">= {pair[0]['aim']:.1f}")
        lines.append(line + ("",) * (len(lines[0]) - len(line)))
    widths = [max(map(len, column)) for column in zip(*lines)]
    for line in lines:
        texts = [cell.ljust(width) for cell, width in zip(line[:3], widths)]
        numbers = [cell.rjust(width) for cell, width in zip(line[3:], widths[3:])]
        print("  ".join(texts + numbers).rstrip())
    print("by bf16, by fp32: seconds of the peer by seconds of coppice in that precision, median and range of the rounds")


def read_figures(path):
    """What the file holds already, so that other figures stay."""
    if not path.parent.is_dir():
        sys.exit(f"compare: there is no folder {path.parent} to write {path.name} into; make it first")
    if not path.exists():
        return {"figures": {}}
    try:
        content = json.loads(path.read_text())
        content["figures"].keys()
        return content
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        sys.exit(f'compare: {path} is not a JSON file with "figures"; name another one')


def write_figures(path, content):
    """Beside the target, then renamed: the file is the old one or the new one."""
    beside = path.with_name(path.name + ".new")
    beside.write_text(json.dumps(content, indent=2) + "\n")
    os.replace(beside, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7, help="epochs per contestant (7)")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="add the figures to this file")
    options = parser.parse_args()
    if options.rounds < 1:
        sys.exit("compare: --rounds must be at least 1")
    if not OURS.exists():
        sys.exit(f"compare: {OURS} is missing; './run bench --peers' builds it")
    content = read_figures(options.json) if options.json else None
    contestants = measure(options.rounds)
    figures = all_figures(contestants)
    print_table(contestants, figures)
    if options.json:
        content["figures"].update(figures)
        write_figures(options.json, content)


if __name__ == "__main__":
    main()
