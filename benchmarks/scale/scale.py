#!/usr/bin/env python3
"""How a run spreads over ranks: time on 1, 2, 4, ... ranks, what MPI costs where there is one, and what a thousand would do.

usage: scale.py --program PROGRAM [--data DATA] [--ranks 1,2,4] [--epochs N | --seconds S] [--turns N] [--keep DIR]
                [--cpus 0,2,4] [--gpu-run RUN]
Without --data it generates poker hands. --seconds: as many epochs as fit into about so many seconds for everything.
--cpus: the processors that ranks get, one each; by itself one of every core, then those that share a core with another.
--gpu-run: a run whose nets took their usual number of epochs, for the plan of GPUs. Prints tables for docs/scale.md.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import simulate  # noqa: E402

LAMBDAS = "1e-2,3e-3,1e-3,3e-4,1e-4,3e-5,1e-5,3e-6"
SEEDS = 4
NETS = len(LAMBDAS.split(",")) * SEEDS
TURN_LAMBDAS = "1e-3,1e-5"  # what MPI costs is measured with two nets, often


def launcher(ranks):
    command = ["mpirun", "--oversubscribe", "--mca", "btl_vader_single_copy_mechanism", "none", "-n", str(ranks),
               "--bind-to", "none"]
    return command + (["--allow-run-as-root"] if os.geteuid() == 0 else [])


def cores_first():
    """The processors that this may use: one of each core, then the others."""
    siblings = {}
    for cpu in sorted(os.sched_getaffinity(0)):
        path = pathlib.Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
        siblings.setdefault(path.read_text() if path.exists() else str(cpu), []).append(cpu)
    cores = list(siblings.values())
    return [core[i] for i in range(max(map(len, cores))) for core in cores if i < len(core)]


def on_own_cpu(cpu):
    return ["taskset", "-c", str(cpu)]


def mpirun(ranks, cpus=()):
    """Each on a processor of its own, where there are as many."""
    if ranks > len(cpus):
        return launcher(ranks)
    choose = "cpu=$(echo $0 | cut -d, -f$((OMPI_COMM_WORLD_RANK + 1))); exec taskset -c $cpu \"$@\""
    return [*launcher(ranks), "sh", "-c", choose, ",".join(map(str, cpus))]


def command(arguments, run, epochs, lambdas=LAMBDAS, seeds=SEEDS):
    shutil.rmtree(run, ignore_errors=True)
    return [arguments.program, "train", str(arguments.data), "-o", str(run), "--lambda", lambdas, "--seeds", str(seeds),
            "--ensemble", "off", "--refit", "off", "--max-epochs", str(epochs), "--threads", "1", "--device", "cpu", "--quiet"]


def trained_seconds(run):
    return json.loads((run / "summary.json").read_text())["seconds"]


def train(arguments, run, start, epochs, **more):
    """Seconds of training, as the run's summary has them, and of the whole command."""
    words = [*start, *command(arguments, run, epochs, **more)]
    begin = time.monotonic()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    return trained_seconds(run), time.monotonic() - begin


def side_by_side(arguments, folder, count, epochs):
    """Seconds of one net where so many processes that know nothing of each other train one each: what the machine itself
    loses, by its clock, caches and memory."""
    runs = [folder / f"beside-{i}" for i in range(count)]
    words = [on_own_cpu(arguments.cpus[i % len(arguments.cpus)]) + command(arguments, run, epochs, lambdas="1e-3", seeds=1)
             for i, run in enumerate(runs)]
    processes = [subprocess.Popen(w, stdout=subprocess.DEVNULL) for w in words]
    assert all(process.wait() == 0 for process in processes)
    return statistics.mean(trained_seconds(run) for run in runs)


def epoch_seconds(run, ranks):
    """The median over nets of the time between two epochs; one process trains an epoch of each net in turn."""
    at = {}
    for line in (run / "journal.jsonl").read_text().splitlines():
        event = json.loads(line)
        if event["event"] == "epoch":
            at.setdefault(event["net"], []).append(event["seconds"])
    between = statistics.median((times[-1] - times[0]) / (len(times) - 1) for times in at.values() if len(times) > 1)
    return between / len(at) if ranks == 1 else between


def model_bytes(run):
    return {path.name: path.read_bytes() for path in run.glob("*.coppice")}


def epochs_for(arguments, folder, counts):
    """As many as take about --seconds in all."""
    most = counts[-1]
    tries = [train(arguments, folder / "try", mpirun(most, arguments.cpus), epochs) for epochs in (1, 2)]
    one, more = tries[0][0] * most, max(tries[1][0] - tries[0][0], tries[0][0] / 10) * most
    nets = 1 + sum(1 / count for count in counts) + 3 * arguments.turns * 2 / NETS + (1 + len(counts)) / NETS
    fixed = (2 * (1 + len(counts)) + 3 * arguments.turns) * (tries[1][1] - tries[1][0])
    spent = sum(whole for _, whole in tries)
    return max(2, int(((arguments.seconds - spent - fixed) / nets - one) / more) + 1)


def print_curve(arguments, folder, counts, epochs):
    print(f"{arguments.data.name}, {NETS} nets of at most {epochs} epochs, one thread each; {processor()}\n")
    print("| ranks | seconds | efficiency | at best, of nets that take equally long | processes that know nothing of each "
          "other | beside those | an epoch of a net, s | whole command, s |\n|---|---|---|---|---|---|---|---|")
    alone = quiet = None
    for count in ("alone", *counts):
        run = folder / f"of-{count}"
        ranks = 1 if count == "alone" else count
        start = on_own_cpu(arguments.cpus[0]) if count == "alone" else mpirun(count, arguments.cpus)
        seconds, whole = train(arguments, run, start, epochs)
        beside = side_by_side(arguments, folder, ranks, epochs)
        alone, quiet = alone or seconds, quiet or beside
        assert model_bytes(folder / "of-alone") == model_bytes(run), f"the models of {count} ranks differ"
        turns = -(-NETS // ranks)
        efficiency, machine = alone / seconds / ranks, quiet / beside
        print(f"| {'without mpirun, 1 thread' if count == 'alone' else count} | {seconds:.1f} | {efficiency:.2f} | "
              f"{NETS / (turns * ranks):.2f} | {machine:.2f} | {efficiency / machine:.2f} | {epoch_seconds(run, ranks):.3f} | "
              f"{whole:.1f} |", flush=True)
    print("\nThe models of all rows are the same bytes. The fifth column is what one net's speed falls to where as many "
          "processes train one each, without MPI; the sixth is what is left of the ranks' efficiency when that is not counted.\n")


def print_overhead(arguments, folder, epochs):
    """In turns, so that what else the machine does falls on both alike."""
    one = launcher(1)
    ratios = []
    for _ in range(arguments.turns):
        alone = train(arguments, folder / "turn", [], epochs, lambdas=TURN_LAMBDAS, seeds=1)[0]
        ratios.append(train(arguments, folder / "turn", one, epochs, lambdas=TURN_LAMBDAS, seeds=1)[0] / alone)
        two = train(arguments, folder / "turn", [], epochs, lambdas=TURN_LAMBDAS, seeds=1)[0]
        ratios.append(ratios[-1] * alone / two)
    spread = sorted(100 * (ratio - 1) for ratio in ratios)
    print(f"MPI on one rank, beside the same without it, {arguments.turns} turns of two nets: median "
          f"{statistics.median(spread):+.1f} %, from {spread[0]:+.1f} to {spread[-1]:+.1f} %\n")


def print_capacity(arguments, folder, ranks):
    """Epochs that rank 0 takes in a second: nets so small that telling of an epoch takes longer than the epoch."""
    table, run = folder / "tiny.csv", folder / "tiny"
    subprocess.run([arguments.program, "generate", "poker", "--rows", "60", "--seed", "1", "-o", str(table)], check=True)
    shutil.rmtree(run, ignore_errors=True)
    words = [*mpirun(ranks, arguments.cpus), arguments.program, "train", str(table), "-o", str(run), "--fixed-size", "2",
             "--optimizer", "adam", "--seeds", "64", "--max-epochs", "500", "--patience", "1e6", "--ensemble", "off", "--refit", "off", "--threads", "1",
             "--device", "cpu", "--quiet"]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    epochs = (run / "journal.jsonl").read_text().count('"epoch"')
    print(f"rank 0 took {epochs / trained_seconds(run):,.0f} epochs/s from {ranks} ranks, of nets of two units on 60 rows\n")


def processor():
    names = [line.split(":", 1)[1].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
             if line.startswith("model name")]
    siblings = pathlib.Path("/sys/devices/system/cpu/smt/active")
    threads = siblings.exists() and siblings.read_text().strip() == "1"
    return f"{len(os.sched_getaffinity(0))} of {len(names)} processors, {names[0] if names else 'unknown'}" \
           f"{', two to a core' if threads else ''}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--ranks", default="")
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--cpus", type=lambda text: [int(word) for word in text.split(",")], default=cores_first())
    parser.add_argument("--gpu-run", type=pathlib.Path)
    arguments = parser.parse_args()
    folder = arguments.keep or pathlib.Path(tempfile.mkdtemp(prefix="coppice-scale-"))
    folder.mkdir(exist_ok=True)
    if arguments.data is None:
        arguments.data = folder / "poker.csv"
        subprocess.run([arguments.program, "generate", "poker", "--rows", "50000", "--seed", "1", "-o",
                        str(arguments.data)], check=True)
    counts = [int(word) for word in arguments.ranks.split(",")] if arguments.ranks else \
        [n for n in (1, 2, 4, 8, 16, 32, 64) if n <= len(os.sched_getaffinity(0))]
    epochs = epochs_for(arguments, folder, counts) if arguments.seconds else arguments.epochs
    print_curve(arguments, folder, counts, epochs)
    print_overhead(arguments, folder, epochs)
    print_capacity(arguments, folder, counts[-1])
    sys.stdout.flush()
    simulate.print_plan(folder / f"of-{counts[-1]}", arguments.gpu_run)
    if arguments.keep is None:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
