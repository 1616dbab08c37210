#!/usr/bin/env python3
"""Nets over the ranks of mpirun: the same files whoever trains what, and whoever dies.

usage: ranks_test.py PROGRAM [same|resume|refuse|kill|data|search|rows|reproduce|gpu|late] [--kills N] [--seed S] [--sanitized]
Ends with 77, and says why, where there is no mpirun or the program was built without MPI.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
# Several rounds of short nets: a path of lambdas, then two folds.
FLAGS = ["--patience", "3", "--fine-patience", "1", "--unit-lifetime", "2", "--ensemble", "2", "--hidden-layers", "1",
         "--checkpoint-every", "2", "--threads", "1"]


# Nets of many sizes, some of which diverge, and then seeds of the best.
SEARCH = ["--trials", "50", "--hidden", "2-60", "--reruns", "2", "--top", "2", "--effort", "quick", "--test", "0.2",
          "--threads", "1"]


# For a program that was built for sanitizers (docs/scale.md).
SANITIZED = ["--mca", "memory", "^patcher", "--mca", "btl", "self,tcp", "--mca", "pml", "ob1"]
sanitized = False


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def mpirun(ranks):
    # Without ssh mpirun wants to be told that it needs none.
    alone = [] if shutil.which("ssh") or shutil.which("rsh") else ["--mca", "plm", "isolated"]
    command = ["mpirun", *alone, "--oversubscribe", "--bind-to", "none", "--mca", "btl_vader_single_copy_mechanism", "none",
               *(SANITIZED if sanitized else []), "-n", str(ranks)]
    return command + (["--allow-run-as-root"] if os.geteuid() == 0 else [])


def environment():
    # The tests are about processors, and mpirun tells nobody that it started this.
    return {name: value for name, value in os.environ.items()
            if not name.startswith(("OMPI_", "PMIX_", "PMI_", "SLURM_"))} | {"CUDA_VISIBLE_DEVICES": ""}


class Folder:
    """A directory with a table of two classes, a ring and the rest."""

    def __init__(self, program, rows=250):
        self.program = program
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="coppice-ranks-"))
        chance = random.Random(1)
        lines = ["x0,x1,label"]
        for _ in range(rows):
            x, y = chance.gauss(0, 1), chance.gauss(0, 1)
            lines.append(f"{x:.5f},{y:.5f},{int(x * x + y * y > 1.4)}")
        (self.path / "d.csv").write_text("\n".join(lines) + "\n")

    def start(self, command):
        return subprocess.Popen(command, cwd=self.path, env=environment(), stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, start_new_session=True)

    def run(self, command, limit=600):
        process = self.start(command)
        out, errors = process.communicate(timeout=limit)
        return process.returncode, out, errors

    def refused(self, command, *parts):
        code, out, errors = self.run(command)
        sentences = our_sentences(errors)
        assert code == 2, (code, errors)
        assert len(sentences) == 1, errors
        for part in parts:
            assert part in sentences[0], f"{part!r} is not in: {sentences[0]}"
        assert out == ""
        print(sentences[0])

    def ok(self, command):
        code, _, errors = self.run(command)
        assert code == 0, f"{command}: exit code {code}\n{errors}"
        return errors

    def train(self, run, *more):
        return [self.program, "train", "d.csv", "-o", run, *FLAGS, *more]

    def events(self, run):
        events = []
        for line in (self.path / run / "journal.jsonl").read_text().splitlines():
            event = json.loads(line)
            event.pop("seconds", None)
            events.append(json.dumps(event, sort_keys=True))
        return sorted(events)

    def expect_same(self, one, other, analysis=True, least=6):
        names = sorted(p.name for p in (self.path / one).glob("*.coppice")) + ["analysis.json"] * analysis
        assert len(names) > least, f"there were not several rounds: {names}"
        for name in names:
            a, b = self.path / one / name, self.path / other / name
            assert a.read_bytes() == b.read_bytes(), f"{name} of {other} differs from that of {one}"
        summaries = [json.loads((self.path / run / "summary.json").read_text()) for run in (one, other)]
        assert summaries[0]["nets"] == summaries[1]["nets"], f"the summaries of {one} and {other} differ"
        assert self.events(one) == self.events(other), f"the journals of {one} and {other} tell different stories"
        assert (self.path / other / "report.html").exists()


    def search(self, directory, *more):
        return [self.program, "search", "random", "d.csv", "-o", directory, *SEARCH, *more]

    def expect_same_search(self, one, other):
        for name in ("results.jsonl", "summary.json", "model.coppice"):
            a, b = self.path / one / name, self.path / other / name
            assert a.read_bytes() == b.read_bytes(), f"{name} of {other} differs from that of {one}"


def our_sentences(errors):
    return [line for line in errors.splitlines() if line.startswith("coppice: ")]


def same(folder, _):
    """The same files for 1, 2, 4 and 7 ranks."""
    folder.ok(folder.train("alone", "--quiet"))
    for ranks in (1, 2, 4, 7):
        said = folder.ok(mpirun(ranks) + folder.train(f"of-{ranks}"))
        assert ranks == 1 or f"{ranks} ranks on 1 machine, 1 thread each" in said, said
        folder.expect_same("alone", f"of-{ranks}")
        print(f"{ranks} ranks: the same files")


def data(folder, _):
    """Data that every rank reads for itself, and data that is not the same there."""
    folder.ok(folder.train("alone", "--quiet"))
    folder.ok(mpirun(3) + folder.train("shared", "--quiet", "--data-from", "shared"))
    folder.expect_same("alone", "shared")
    # Behind /proc/self/cwd each rank has a table of its own, as machines have that share no disk.
    for rank, rows in enumerate(("", "0.5,0.5,0\n")):
        home = folder.path / f"home{rank}"
        home.mkdir()
        (home / "d.csv").write_text((folder.path / "d.csv").read_text() + rows)
    def command(where):
        words = [word for word in mpirun(1) if word not in ("-n", "1")]
        for rank in range(2):
            words += ([":"] if rank else []) + [
                "-n", "1", "--wdir", str(folder.path / f"home{rank}"), folder.program, "train", "/proc/self/cwd/d.csv",
                "-o", str(folder.path / f"own-{where}"), *FLAGS, "--quiet", "--data-from", where]
        return words
    code, _, errors = folder.run(command("shared"))
    sentences = our_sentences(errors)
    assert code == 2 and len(sentences) == 1, (code, errors)
    assert "rank 1 on " in sentences[0] and "is not the one that rank 0 read" in sentences[0], sentences
    folder.ok(command("root"))
    folder.expect_same("alone", "own-root", analysis=False)  # it names the table's path
    print("data from every rank, from rank 0, and another table: as it should be")


def resume(folder, chance):
    """Begun on 4 ranks, stopped, resumed on 1; and the other way round."""
    folder.ok(folder.train("alone", "--quiet"))
    for before, after in ((4, 1), (1, 3)):
        run = f"from-{before}-to-{after}"
        process = folder.start(mpirun(before) + folder.train(run, "--quiet"))
        wait_for_checkpoint(folder, run, process, 1 + chance.random())
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        folder.ok(mpirun(after) + [folder.program, "train", "--resume", run, "--quiet"])
        folder.expect_same("alone", run)
        print(f"begun on {before} ranks, resumed on {after}: the same files")


def begin_and_stop_search(folder, directory, ranks):
    """Trials take milliseconds: a search that was over before rank 0 got the signal is begun again."""
    results, summary = folder.path / directory / "results.jsonl", folder.path / directory / "summary.json"
    for _ in range(10):
        shutil.rmtree(folder.path / directory, ignore_errors=True)
        process = folder.start(mpirun(ranks) + folder.search(directory, "--quiet"))
        while process.poll() is None and (not results.exists() or results.stat().st_size == 0):
            time.sleep(0.01)
        if leader := ranks_of(process).get(0):
            os.kill(leader, signal.SIGTERM)
        process.communicate(timeout=60)
        if not summary.exists():
            return
    raise AssertionError("every search was over before it was stopped")


def search(folder, chance):
    """A search over 1, 2 and 4 ranks, and one that was stopped and resumed: the same files."""
    folder.ok(folder.search("alone", "--quiet"))
    assert len((folder.path / "alone" / "results.jsonl").read_text().splitlines()) > 50, "nothing was trained again"
    for ranks in (1, 2, 4):
        said = folder.ok(mpirun(ranks) + folder.search(f"of-{ranks}", *["--data-from", "shared"] * (ranks == 4)))
        assert ranks == 1 or f"{ranks} ranks on 1 machine, 1 thread each" in said, said
        folder.expect_same_search("alone", f"of-{ranks}")
        print(f"a search on {ranks} ranks: the same files")
    for before, after in ((3, 1), (1, 2)):
        directory = f"from-{before}-to-{after}"
        begin_and_stop_search(folder, directory, before)
        folder.ok(mpirun(after) + [folder.program, "search", "random", "--resume", directory, "--quiet"])
        folder.expect_same_search("alone", directory)
        print(f"a search begun on {before} ranks, resumed on {after}: the same files")
    refuse_search(folder)


def write_wide(folder, chance):
    """A table that is larger than the least that --memory may say."""
    lines = [",".join(f"x{i}" for i in range(50)) + ",label"]
    for _ in range(3000):
        values = [chance.gauss(0, 1) for _ in range(50)]
        lines.append(",".join(f"{value:.3f}" for value in values) + f",{int(values[0] * values[1] > 0)}")
    (folder.path / "wide.csv").write_text("\n".join(lines) + "\n")


def rows(folder, chance):
    """Ranks that hold a part of the rows each: the same files for 1, 2 and 4, for rows in memory and in a scratch file, and
    resumed."""
    shared = [*FLAGS, "--rows-over-ranks", "on", "--max-epochs", "8", "--lambda", "1e-2,3e-3,1e-3"]
    write_wide(folder, chance)

    def train(run, *more):
        return [folder.program, "train", "wide.csv", "-o", run, *shared, *more]

    folder.ok(train("alone", "--quiet"))
    for count in (1, 2, 4):
        said = folder.ok(mpirun(count) + train(f"of-{count}", *["--data-from", "shared"] * (count == 4)))
        assert count == 1 or f"rows over {count} ranks" in said, said
        folder.expect_same("alone", f"of-{count}", least=3)
        print(f"rows over {count} ranks: the same files")
    said = folder.ok(mpirun(2) + train("little", "--memory", "1M"))
    assert "scratch file" in said, said
    folder.expect_same("alone", "little", analysis=False, least=3)  # which tells of the memory
    print("rows in a scratch file, a half of them in each rank's memory: the same files")
    process = folder.start(mpirun(4) + train("stopped", "--quiet"))
    wait_for_checkpoint(folder, "stopped", process, 0.5)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    folder.ok(mpirun(2) + [folder.program, "train", "--resume", "stopped", "--quiet"])
    folder.expect_same("alone", "stopped", least=3)
    print("begun on 4 ranks, resumed on 2: the same files")
    folder.refused(mpirun(3) + train("refused", "--quiet"), "--rows-over-ranks", "start 1, 2, 4 or 8")
    folder.refused(train("refused2", "--quiet", "--encode", "bins"), "--encode", "--rows-over-ranks")
    folder.refused(train("refused3", "--quiet", "--shard", "0/2"), "--rows-over-ranks", "--shard")


def gpu(folder, _):
    """Two ranks share a GPU, or take one each: the same models as one process on one."""
    global environment
    plain = environment
    environment = lambda: {name: value for name, value in plain().items() if name != "CUDA_VISIBLE_DEVICES"}  # noqa: E731
    code, _, errors = folder.run(folder.train("alone", "--quiet", "--device", "cuda"))
    if code != 0 and "--device cuda" in errors:
        skip(errors.strip())
    assert code == 0, errors
    for ranks in (2, 3):
        folder.ok(mpirun(ranks) + folder.train(f"of-{ranks}", "--quiet", "--device", "cuda"))
        folder.expect_same("alone", f"of-{ranks}")
        print(f"{ranks} ranks on GPUs: the same files")
    folder.ok(folder.train("twice", "--quiet", "--device", "cuda:0,0"))
    folder.expect_same("alone", "twice")
    print("a GPU named twice: the same files")
    write_wide(folder, random.Random(2))
    wide = [folder.program, "train", "wide.csv", *FLAGS, "--quiet", "--device", "cuda", "--lambda", "1e-2,1e-3"]
    folder.ok([*wide, "-o", "in-memory"])
    folder.ok([*wide, "-o", "little", "--memory", "1M"])
    folder.expect_same("in-memory", "little", analysis=False, least=1)
    print("rows that come to the GPU from a scratch file: the same files")
    folder.ok(folder.search("search", "--quiet", "--device", "cuda"))
    folder.ok(mpirun(2) + folder.search("search-of-2", "--quiet", "--device", "cuda"))
    for name in ("results.jsonl", "model.coppice"):
        a, b = folder.path / "search" / name, folder.path / "search-of-2" / name
        assert a.read_bytes() == b.read_bytes(), f"{name} of a search on 2 ranks differs"
    print("a search on GPUs of 2 ranks: the same files")


def refuse_search(folder):
    """The sentences of train, for search; nothing is written."""
    base = [word for word in mpirun(1) if word not in ("-n", "1")]
    good = folder.search("refused", "--quiet")
    folder.refused(base + ["-n", "2", *good, ":", "-n", "1", *good, "--seed", "3"], "rank 2 on ", '"--seed"',
                   "same arguments")
    folder.refused(base + ["-n", "1", *good, ":", "-n", "1", "-x", "ONEDNN_MAX_CPU_ISA=SSE41", *good], "rank 1 on ",
                   "round in another way")
    # Each rank has a folder of its own, as machines have that share no disk: rank 1 lacks the table.
    for rank in range(2):
        (folder.path / f"alone{rank}").mkdir()
    shutil.copy(folder.path / "d.csv", folder.path / "alone0")
    words = list(base)
    for rank in range(2):
        words += ([":"] if rank else []) + [
            "-n", "1", "--wdir", str(folder.path / f"alone{rank}"), folder.program, "search", "random",
            "/proc/self/cwd/d.csv", "-o", str(folder.path / "refused"), *SEARCH, "--quiet", "--data-from", "shared"]
    folder.refused(words, "rank 1 on ", "d.csv")
    assert not (folder.path / "refused" / "results.jsonl").exists()
    folder.refused(mpirun(2) + folder.search("other", "--device", "cuda"), "--device")
    folder.refused(mpirun(2) + folder.search("other", "--device", "cuda:0,1"), "--device", "one GPU of its machine")


def wait_for_checkpoint(folder, run, process, seconds):
    while not list((folder.path / run).glob("checkpoints/*.state")) and process.poll() is None:
        time.sleep(0.01)
    until = time.monotonic() + seconds
    while time.monotonic() < until and process.poll() is None:
        time.sleep(0.01)


def ranks_of(process):
    """The ids of the program's processes under an mpirun, by rank."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if os.getsid(int(entry.name)) != process.pid and not is_below(int(entry.name), process.pid):
                continue
            variables = (entry / "environ").read_bytes().split(b"\0")
        except (OSError, ProcessLookupError):
            continue
        for variable in variables:
            if variable.startswith(b"OMPI_COMM_WORLD_RANK="):
                found[int(variable.split(b"=")[1])] = int(entry.name)
    return found


def is_below(child, parent):
    while child > 1:
        if child == parent:
            return True
        child = int(pathlib.Path(f"/proc/{child}/stat").read_text().rsplit(")", 1)[1].split()[1])
    return False


def kill(folder, chance, kills=3):
    """A rank is killed at a random moment: the job ends, and --resume comes to the same files."""
    process = folder.start(mpirun(3) + folder.train("alone", "--quiet"))
    begun = all_started(process, 3)
    assert process.wait() == 0
    whole = time.monotonic() - begun
    slowest = 0.0
    counts = {"resumed": 0, "not begun": 0, "over": 0}
    done = 0
    while done < kills:
        process = folder.start(mpirun(3) + folder.train("killed", "--quiet"))
        all_started(process, 3)
        time.sleep(chance.random() * whole)
        ranks = ranks_of(process)
        died = chance.choice(sorted(ranks)) if ranks else None
        since = time.monotonic()
        if died is not None:
            os.kill(ranks[died], signal.SIGKILL)
        _, errors = process.communicate(timeout=60)
        seconds = time.monotonic() - since
        while (left := [p for p in ranks.values() if not is_gone(p)]) and time.monotonic() - since < 30:
            time.sleep(0.1)
        assert not left, f"processes are left: {left}"
        run = folder.path / "killed"
        if died is not None and not (process.returncode == 0 and (run / "report.html").exists()):
            done += 1
            slowest = max(slowest, seconds)
            assert seconds < 30, f"it took {seconds:.0f} s to end after rank {died} was killed"
            assert process.returncode != 0, errors
            assert len(our_sentences(errors)) <= 1, errors
            went_on = "resumed" if (run / "config.json").exists() else "not begun"
            folder.ok([folder.program, "train", "--resume", "killed", "--quiet"] if went_on == "resumed" else
                      folder.train("killed", "--quiet"))
            counts[went_on] += 1
            print(f"{done}: rank {died} killed, ended after {seconds:.1f} s, {went_on}", flush=True)
        else:
            counts["over"] += 1
        folder.expect_same("alone", "killed")
        shutil.rmtree(run)
    print(f"{kills} kills: at most {slowest:.1f} s until the job ended; {counts}")


def all_started(process, count):
    """Waits until so many ranks run, or it ended; returns when that was."""
    while len(ranks_of(process)) < count and process.poll() is None:
        time.sleep(0.05)
    return time.monotonic()


def is_gone(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


def refuse(folder, _):
    """Ranks that cannot train together: one sentence, from one rank, and nothing written."""
    base = [word for word in mpirun(1) if word not in ("-n", "1")]
    good = folder.train("run", "--quiet")

    def refused(command, *parts):
        folder.refused(command, *parts)
        assert not (folder.path / "run" / "journal.jsonl").exists(), "training had begun"

    refused(base + ["-n", "2", *good, ":", "-n", "1", *good, "--seed", "3"], "rank 2 on ", '"--seed"', "same arguments")
    refused(base + ["-n", "1", *good, ":", "-n", "1", "-x", "ONEDNN_MAX_CPU_ISA=SSE41", *good], "rank 1 on ",
            "round in another way")
    refused(base + ["-n", "1", *good, ":", "-n", "1", "-x", "TMPDIR=/nowhere", *good], "rank 1 on ", "/nowhere", "TMPDIR")
    shutil.rmtree(folder.path / "run", ignore_errors=True)
    # A limit that MPI itself can live with, but not beside the rows.
    folder.ok([folder.program, "generate", "poker", "--rows", "200000", "--seed", "1", "-o", "large.csv"])
    large = [folder.program, "train", "large.csv", "--target", "label", "-o", "run", *FLAGS, "--quiet"]
    refused(base + ["-n", "1", *large, ":", "-n", "1", "/bin/sh", "-c", 'ulimit -v $((300 * 1024)); exec "$0" "$@"',
                    *large], "rank 1 on ", "memory")
    shutil.rmtree(folder.path / "run", ignore_errors=True)
    refused(mpirun(3) + [folder.program, "train", "nowhere.csv", "-o", "run"], "nowhere.csv")
    refused(mpirun(3) + [folder.program, "train", "d.csv", "--no-such-flag"], "no-such-flag")
    refused(mpirun(2) + folder.train("run", "--shard", "0/2"), "--shard")
    refused(mpirun(2) + folder.train("run", "--device", "cuda"), "--device")


class FullPipe:
    """A pipe with a name and no room left: who writes into it waits until somebody reads."""

    def __init__(self, path):
        os.mkfifo(path)
        self.path = path
        self.end = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        self.read()
        try:
            while True:
                os.write(self.end, b"." * 4096)
        except BlockingIOError:
            pass

    def read(self):
        text = b""
        try:
            while True:
                text += os.read(self.end, 1 << 20)
        except BlockingIOError:
            return text.decode().lstrip(".")


def late(folder, _):
    """Rank 0 cannot say its sentence for seconds: the others wait for it, since mpirun ends it once one of them has ended
    with a mistake."""
    good = folder.train("run", "--quiet")
    cases = {"other arguments": (good, good + ["--seed", "3"], '"--seed"'),
             "no such file": 2 * ([folder.program, "train", "nowhere.csv", "-o", "run"],) + ("nowhere.csv",),
             "no such flag": 2 * ([folder.program, "train", "d.csv", "--no-such-flag"],) + ("no-such-flag",)}
    for name, (first, second, part) in cases.items():
        pipe = FullPipe(folder.path / f"{name}.pipe")
        command = [word for word in mpirun(1) if word not in ("-n", "1")]
        command += ["-n", "1", "/bin/sh", "-c", 'pipe=$1; shift; exec "$@" 2>"$pipe"', "sh", str(pipe.path), *first, ":",
                    "-n", "2", *second]
        process = folder.start(command)
        all_started(process, 3)
        time.sleep(4)  # a rank that does not wait has ended long before
        heard = pipe.read()
        _, errors = process.communicate(timeout=60)
        heard += pipe.read()
        sentences = our_sentences(heard)
        assert process.returncode == 2, (process.returncode, errors)
        assert len(sentences) == 1 and part in sentences[0], f"{name}: {heard!r}, {errors}"
        assert not our_sentences(errors), errors
        print(f"{name}, heard late: {sentences[0]}")


def stop_in_the_middle(folder, command, seen):
    """Rank 0 gets SIGTERM as soon as `seen` says so, as a batch system sends it: mpirun passes its own on a second later, and then
    ends with 1 whatever its processes return."""
    process = folder.start(command)
    while not seen():
        assert process.poll() is None, f"it ended before it was stopped: {process.communicate()}"
        time.sleep(0.01)
    os.kill(ranks_of(process)[0], signal.SIGTERM)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM, (process.returncode, errors)
    assert "interrupted" in errors, errors


def reproduce(folder, _):
    """An entry of `./run reproduce`, a run and then a search: the same numbers by one process, by three ranks, and by ranks that are
    stopped in the run, in the search, and one process that goes on."""
    program = pathlib.Path(folder.program).with_name("coppice-experiments")
    counts = "seeds=2,poker-steps=9,poker-rows=15000"
    entry = lambda name: [str(program), "table2", "--set", counts, "--work", f"work-{name}", "-o", name, "--threads", "1"]
    numbers = lambda name: (folder.path / name / "table2.csv").read_text()
    folder.ok(entry("alone"))
    folder.ok(mpirun(3) + entry("of-3"))
    assert numbers("of-3") == numbers("alone"), "three ranks came to other numbers"
    work = folder.path / "work-stopped/small"
    written = lambda pattern: any(file.stat().st_size > 0 for file in work.glob(pattern))
    for what, begun in (("adarad", "checkpoints/*.state"), ("parametric", "*/results.jsonl")):
        stop_in_the_middle(folder, mpirun(2) + entry("stopped"), lambda: written(f"poker-{what}*/{begun}"))  # noqa: B023
        assert not any(work.glob(f"poker-{what}*/**/made.json")), f"poker-{what} was not stopped in the middle"
    folder.ok(entry("stopped"))
    assert numbers("stopped") == numbers("alone"), "who goes on came to other numbers"
    code, _, errors = folder.run(mpirun(2) + entry("lanes") + ["--lanes", "2"])
    sentences = [line for line in errors.splitlines() if line.startswith("coppice-experiments: ")]
    assert code == 2 and len(sentences) == 1 and "--lanes" in sentences[0], errors
    print("the same numbers by one process, by ranks, and where ranks were stopped")


TESTS = {"same": same, "data": data, "resume": resume, "search": search, "rows": rows, "reproduce": reproduce, "gpu": gpu,
         "refuse": refuse, "late": late, "kill": kill}


def program_with_mpi(path):
    if shutil.which("mpirun") is None:
        skip("there is no mpirun (openmpi-bin)")
    if "Open MPI" not in subprocess.run(["mpirun", "--version"], capture_output=True, text=True).stdout:
        skip("mpirun is not Open MPI's, whose flags this test uses")
    program = str(pathlib.Path(path).resolve())
    probe = Folder(program)
    code, _, errors = probe.run(mpirun(2) + [program, "--version"])
    shutil.rmtree(probe.path)
    if "has no MPI" in errors:
        skip("the program was built without MPI (libopenmpi-dev)")
    assert code == 0, errors
    return program


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("tests", nargs="*")
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sanitized", action="store_true", help="the program was built for sanitizers")
    arguments = parser.parse_args()
    global sanitized
    sanitized = arguments.sanitized
    if sanitized:
        os.environ.setdefault("ASAN_OPTIONS", "detect_leaks=0")
        os.environ.setdefault("TSAN_OPTIONS", f"suppressions={pathlib.Path(__file__).resolve().with_name('tsan.supp')}")
    program = program_with_mpi(arguments.program)
    for name in arguments.tests or TESTS:
        folder = Folder(program)
        chance = random.Random(arguments.seed)
        more = {"kills": arguments.kills} if name == "kill" else {}
        TESTS[name](folder, chance, **more)
        shutil.rmtree(folder.path)


if __name__ == "__main__":
    main()
