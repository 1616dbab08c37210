"""PyTorch as an expert makes it fast on a CPU, the same network in float32 or, with --bf16, under autocast.

Batches are gathered into buffers that stay, memory is kept instead of given back to the system, biases that
batch norm cancels are left out; threads, the kind of Adam and torch.compile are tried out at warm-up.
"""
import ctypes
import os
import sys

import torch
import torch._inductor.config
from torch import nn

from contestant import BATCH, CLASSES, HIDDEN, INPUTS, load, seconds_of, serve

TRIES = 3  # epochs per setting at warm-up; the fastest counts


def keep_freed_memory():
    """glibc maps and unmaps large tensors at every step: the reason why experts preload another allocator."""
    trim_threshold, mmap_threshold = -1, -3  # names of mallopt(3)
    libc = ctypes.CDLL(None)
    libc.mallopt(mmap_threshold, 32 << 20)
    libc.mallopt(trim_threshold, 1 << 30)


def make_model():
    """Linear, batch norm and ReLU per hidden layer, then a linear layer."""
    layers, width = [], INPUTS
    for units in HIDDEN:
        layers += [nn.Linear(width, units, bias=False), nn.BatchNorm1d(units), nn.ReLU()]
        width = units
    return nn.Sequential(*layers, nn.Linear(width, CLASSES))


BF16 = "--bf16" in sys.argv


def make_epoch(rows, labels, adam, compiled=False):
    """A network, as the function that trains it for an epoch; `adam` is "fused" or "foreach"."""
    model = make_model()
    optimizer = torch.optim.Adam(model.parameters(), **{adam: True})
    x, y = torch.empty(BATCH, INPUTS), torch.empty(BATCH, dtype=torch.int64)

    def loss_of(x, y):
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=BF16):
            scores = model(x)
        return nn.functional.cross_entropy(scores.float(), y)

    if compiled:
        loss_of = torch.compile(loss_of, dynamic=False)

    def epoch():
        for batch in torch.randperm(len(rows)).split(BATCH):
            torch.index_select(rows, 0, batch, out=x)
            torch.index_select(labels, 0, batch, out=y)
            optimizer.zero_grad(set_to_none=True)
            loss_of(x, y).backward()
            optimizer.step()

    return epoch


def fastest_of(epoch):
    """Seconds of the fastest epoch after a first one."""
    epoch()
    return min(seconds_of(epoch) for _ in range(TRIES))


def choose_threads(rows, labels):
    """The number of threads that trains fastest; from now on they are used."""

    def seconds(threads):
        torch.set_num_threads(threads)
        return fastest_of(make_epoch(rows, labels, "fused"))

    best = min(range(1, len(os.sched_getaffinity(0)) + 1), key=seconds)
    torch.set_num_threads(best)
    return best


def choose_epoch(rows, labels):
    """The fastest kind of epoch and its description."""
    eager = {adam: make_epoch(rows, labels, adam) for adam in ("fused", "foreach")}
    seconds = {adam: fastest_of(epoch) for adam, epoch in eager.items()}
    adam = min(seconds, key=seconds.get)
    compiled = make_epoch(rows, labels, adam, compiled=True)
    try:
        if fastest_of(compiled) < seconds[adam]:
            return compiled, f"{adam} Adam, compiled"
        return eager[adam], f"{adam} Adam, eager (compiled is slower)"
    except Exception as error:  # whatever the compiler lacks, eager PyTorch works
        print(f"torch.compile failed: {error}", file=sys.stderr)
        return eager[adam], f"{adam} Adam, eager (cannot compile)"


def main():
    keep_freed_memory()
    torch.set_flush_denormal(True)
    torch.set_num_interop_threads(1)
    torch._inductor.config.compile_threads = 1  # no helper processes beside the measurement
    rows, labels = load()
    rows, labels = torch.from_numpy(rows), torch.from_numpy(labels.astype("int64"))
    threads = choose_threads(rows, labels)
    epoch, description = choose_epoch(rows, labels)
    name = "pytorch-tuned-bf16" if BF16 else "pytorch-tuned"
    serve(name, torch.__version__, f"index_select, {description}, {threads} threads", epoch)


if __name__ == "__main__":
    main()
