#!/usr/bin/env python3
"""What a large machine would do with the hand-out of coppice/ranks: measured times of nets, dealt to simulated ranks.

usage: simulate.py RUN [GPU_RUN]: a run over ranks with one thread each, in which every net was trained at one stretch; and
one, on whatever computes, whose nets took as many epochs as they usually do.
"""
import heapq
import json
import pathlib
import random
import sys


def measured(run):
    """Of every net its lambda, seconds and epochs; bytes of journal per epoch and of a checkpoint."""
    nets = {}
    lines = (run / "journal.jsonl").read_text().splitlines(keepends=True)
    for line in lines:
        event = json.loads(line)
        net = nets.setdefault(event["net"], {"seconds": [], "lambda": None})
        if event["event"] == "start":
            net["lambda"] = event["lambda"]
        if event["event"] == "epoch":
            net["seconds"].append(event["seconds"])
    times = []
    epochs = 0
    counts = [(net["lambda"], len(net["seconds"])) for net in nets.values() if net["seconds"]]
    for net in nets.values():
        told = net["seconds"]
        if len(told) < 2:
            continue
        epochs += len(told)
        # The first epoch's beginning is not told.
        times.append((net["lambda"], (told[-1] - told[0]) * len(told) / (len(told) - 1)))
    states = [path.stat().st_size for path in run.glob("checkpoints/*.state")]
    return {"nets": times, "epoch_bytes": sum(map(len, lines)) / epochs, "epochs": epochs / len(times), "epochs_of": counts,
            "state_bytes": sum(states) / len(states)}


def hand_out(times, ranks, latency):
    """Until when the last rank is busy, if each takes the next net as soon as it is free."""
    free = [0.0] * min(ranks, len(times))
    heapq.heapify(free)
    for seconds in times:
        heapq.heappush(free, heapq.heappop(free) + latency + seconds)
    return max(free)


def idle_share(times, ranks, latency):
    return 1 - sum(times) / (ranks * hand_out(times, ranks, latency))


def plan(facts, ranks, nets, latency=0.005, seed=1):
    """A net's time is that of a measured one, up to a tenth more or less as other seeds would give."""
    chance = random.Random(seed)
    drawn = [(lam, seconds * chance.uniform(0.9, 1.1)) for lam, seconds in chance.choices(facts["nets"], k=nets)]
    by_lambda = [seconds for _, seconds in sorted(drawn)]
    by_chance = [seconds for _, seconds in drawn]
    known = sorted(by_chance, reverse=True)
    busy = sum(by_chance)
    span = hand_out(by_lambda, ranks, latency)
    epochs = nets * facts["epochs"] / span
    return {"ranks": ranks, "nets": nets, "seconds": span, "lambda": idle_share(by_lambda, ranks, latency),
            "chance": idle_share(by_chance, ranks, latency), "known": idle_share(known, ranks, latency),
            "journal": epochs * facts["epoch_bytes"] / 1e6, "epochs": epochs,
            "states": epochs / 10 * facts["state_bytes"] / 1e6, "busy": busy}


# Milliseconds of an epoch of 1 and of 30 nets 784-200-40-10 on an NVIDIA H200 (docs/gpu.md): it grows with the nets.
GPU_EPOCH = {1: 4.3, 30: 19.35}


def gpu_epoch(nets):
    each = (GPU_EPOCH[30] - GPU_EPOCH[1]) / 29
    return (GPU_EPOCH[1] + (nets - 1) * each) / 1000


def population_seconds(epochs):
    """Of nets that take their steps together, with so many epochs each: those that are at their end cost nothing."""
    seconds, before = 0.0, 0
    for i, count in enumerate(sorted(epochs)):
        seconds += (count - before) * gpu_epoch(len(epochs) - i)
        before = count
    return seconds


def gpu_plan(facts, gpus, nets, seed=1):
    """Nets are dealt to GPUs like cards, the smallest lambda first; each GPU trains its own together."""
    chance = random.Random(seed)
    drawn = sorted((lam, epochs * chance.uniform(0.9, 1.1)) for lam, epochs in chance.choices(facts["epochs_of"], k=nets))
    busy = [population_seconds([epochs for _, epochs in drawn[gpu::gpus]]) for gpu in range(min(gpus, nets))]
    span = max(busy)
    epochs = sum(count for _, count in drawn) / span
    return {"seconds": span, "idle": 1 - sum(busy) / (gpus * span), "epochs": epochs,
            "journal": epochs * facts["epoch_bytes"] / 1e6, "states": epochs / 10,
            "state_bytes": epochs / 10 * facts["state_bytes"] / 1e6}


def print_gpu_plan(run):
    facts = measured(run)
    counts = [count for _, count in facts["epochs_of"]]
    print(f"\nGPUs, by an epoch of {GPU_EPOCH[1]} ms of one net and {GPU_EPOCH[30]} ms of 30 (docs/gpu.md), {min(counts)} to "
          f"{max(counts)} epochs a net as in {len(counts)} measured ones, {facts['epoch_bytes']:.0f} bytes of journal per epoch, "
          f"checkpoints of {facts['state_bytes'] / 1000:.0f} kB every 10 epochs\n")
    print("| GPUs | nets | seconds | idle | epochs/s | journal MB/s | checkpoints/s | checkpoints MB/s |")
    print("|---|---|---|---|---|---|---|---|")
    for gpus, nets in ((1, 30), (8, 240), (64, 1920), (64, 7680), (1000, 1000), (1000, 30000), (1000, 120000)):
        row = gpu_plan(facts, gpus, nets)
        print(f"| {gpus:,} | {nets:,} | {row['seconds']:.0f} | {row['idle']:.1%} | {row['epochs']:,.0f} | {row['journal']:.1f} | "
              f"{row['states']:,.0f} | {row['state_bytes']:,.0f} |")


def print_plan(run, gpu_run=None):
    print_processors(run)
    if gpu_run is not None:
        print_gpu_plan(gpu_run)


def print_processors(run):
    facts = measured(run)
    times = [seconds for _, seconds in facts["nets"]]
    print(f"measured: {len(times)} nets of {min(times):.2f} to {max(times):.2f} s, {facts['epochs']:.0f} epochs each, "
          f"{facts['epoch_bytes']:.0f} bytes of journal per epoch, checkpoints of {facts['state_bytes'] / 1000:.0f} kB\n")
    print("| ranks | nets | idle: by lambda | in any order | longest first, known | epochs/s | journal MB/s | checkpoints MB/s |")
    print("|---|---|---|---|---|---|---|---|")
    for ranks, nets in ((10, 30), (100, 300), (100, 1000), (1000, 1000), (1000, 3000), (1000, 10000), (1000, 100000)):
        row = plan(facts, ranks, nets)
        print(f"| {ranks:,} | {nets:,} | {row['lambda']:.1%} | {row['chance']:.1%} | {row['known']:.1%} | "
              f"{row['epochs']:,.0f} | {row['journal']:.2f} | {row['states']:.1f} |")


if __name__ == "__main__":
    print_plan(*map(pathlib.Path, sys.argv[1:3]))
