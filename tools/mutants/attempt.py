"""Runs the tests that reach each mutant until one fails. Needs nothing but Python and the built programs."""

import concurrent.futures
import json
import math
import os
import pathlib
import re
import resource
import signal
import subprocess
import tempfile
import time

KILLED, SURVIVED, UNREACHED, OPEN = "killed", "survived", "not reached", "not decided"
# Tests of the nearest programs first; the program's own tests last, since each starts a process.
ORDER = "network training data model run api analysis exports search report cli".split()


class Test:
    def __init__(self, program, name, seconds, reached):
        self.program, self.name, self.seconds, self.reached = program, name, seconds, reached


def program_run(program, names, environment, limit):
    """How a program ended (None: too late) and what it printed."""
    command = [program, "--gtest_color=no", "--gtest_fail_fast", "--gtest_filter=" + ":".join(names)]
    with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, cwd=scratch,
                                   env=dict(os.environ, TMPDIR=scratch, TEST_TMPDIR=scratch, **environment), start_new_session=True,
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
        try:
            output, _ = process.communicate(timeout=limit)
            end = process.returncode
        except subprocess.TimeoutExpired:
            end, output = None, b""
        try:
            os.killpg(process.pid, signal.SIGKILL)  # and what it started
        except ProcessLookupError:
            pass
        if end is None:
            output, _ = process.communicate()
    return end, output.decode(errors="replace")


def reached_by(program, shard, shards, size, work, limit):
    """Its tests that pass, and those that do not; which mutants each reaches. One share of several of the program's tests."""
    log, shared = (work / f"{program.name}.{shard}.{kind}" for kind in ("tests", "reached"))
    shared.write_bytes(bytes(size))
    command = {"COPPICE_MUTANTS_LOG": str(log), "COPPICE_MUTANTS_REACHED": str(shared), "GTEST_TOTAL_SHARDS": str(shards),
               "GTEST_SHARD_INDEX": str(shard)}
    with open(work / f"{program.name}.{shard}.log", "w") as printed:
        try:
            subprocess.run([program, "--gtest_color=no"], stdout=printed, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, cwd=work,
                           env=dict(os.environ, **command), timeout=limit)
        except subprocess.TimeoutExpired:
            pass  # the tests that have ended are in the log
    tests, failed = [], []
    for line in log.read_text().splitlines():
        name, milliseconds, result, *numbers = line.split()
        if result == "ok":
            tests.append(Test(program, name, float(milliseconds) / 1000, set(map(int, numbers))))
        else:
            failed.append(name)
    return tests, failed


def batches(tests, seconds):
    """The quickest tests first, of the nearest program first, a few seconds of one program at a time."""
    rank = lambda t: ORDER.index(t.program.name.removeprefix("test_"))
    # What takes long waits until all quick tests of all programs have passed.
    slow = lambda t: 0 if t.seconds < 0.3 else 1 if t.seconds < 3 else 2
    batch = []
    for test in sorted(tests, key=lambda t: (slow(t), rank(t), t.seconds)):
        if batch and (test.program != batch[0].program or sum(t.seconds for t in batch) + test.seconds > seconds):
            yield batch
            batch = []
        batch.append(test)
    if batch:
        yield batch


def attempted(number, reaching, end, limits):
    """What became of a mutant: its result, by which test, in how many seconds."""
    since = time.monotonic()
    tried = 0
    result = lambda name, by: {"number": number, "result": name, "by": by, "seconds": round(time.monotonic() - since, 2)}
    if not reaching:
        return result(UNREACHED, "")
    for batch in batches(reaching, limits["batch"]):
        if time.monotonic() > end:
            return result(OPEN, f"{tried} of {len(reaching)} tests pass")
        usual = sum(t.seconds for t in batch)
        status, output = program_run(batch[0].program, [t.name for t in batch], {"COPPICE_MUTANT": str(number)},
                                     limits["least"] + limits["factor"] * usual)
        if status != 0:
            running = re.findall(r"^\[ RUN      \] (\S+)", output, re.M)
            failed = re.findall(r"^\[  FAILED  \] ([\w/.]+)(?:, | \()", output, re.M)
            name = failed[0] if failed else running[-1] if running else batch[0].name
            how = "" if failed else " (does not end)" if status is None else " (crashes)" if status < 0 else f" (ends with {status})"
            return result(KILLED, name + how)
        tried += len(batch)
    return result(SURVIVED, f"{tried} tests pass")


class Attempt:
    """All mutants, what is known of them, and a file of that."""

    def __init__(self, options, say):
        self.say, self.begin = say, time.monotonic()
        self.end = self.begin + options.seconds
        self.work = options.work.resolve()
        output = (options.output or self.work).resolve()
        output.mkdir(parents=True, exist_ok=True)
        self.file = output / "results.jsonl"
        self.limits = {"batch": options.batch, "least": options.least, "factor": options.factor}
        self.mutants = json.loads((self.work / "mutants.json").read_text())
        self.known = {}
        if self.file.exists():
            self.known = {r["number"]: r for r in map(json.loads, self.file.read_text().splitlines()) if r["result"] in (KILLED, SURVIVED)}

    def tests_of(self, pool, jobs, names):
        """Tests that pass where nothing is broken."""
        programs = [p for p in (self.work / "build/bin" / f"test_{name}" for name in ORDER if name in names) if p.exists()]
        every = []
        shards = max(1, jobs // 4)
        shares = [(program, shard) for program in reversed(programs) for shard in range(shards)]  # the last ones take longest
        found = list(pool.map(lambda s: reached_by(*s, shards, len(self.mutants) + 1, self.work, (self.end - self.begin) / 3), shares))
        for program in programs:
            parts = [f for (p, _), f in zip(shares, found) if p == program]
            passing, failed = sum((f[0] for f in parts), []), sum((f[1] for f in parts), [])
            every += passing
            self.say(f"{program.name}: {len(passing)} tests in {sum(t.seconds for t in passing):.0f} s" +
                     (f"; left out, since they fail without any mutant: {' '.join(failed)}" if failed else ""))
        self.say(f"{sum(any(m['number'] in t.reached for t in every) for m in self.mutants)} of {len(self.mutants)} mutants are reached "
                 f"({time.monotonic() - self.begin:.0f} s)")
        return every

    def phase(self, pool, tests, first, more):
        """Tries what is not decided; `more`: other tests follow, so nothing has survived yet."""
        reaching = {m["number"]: [t for t in tests if m["number"] in t.reached] for m in self.mutants if m["number"] not in self.known}
        # Where time runs out, as many as possible are decided.
        order = sorted((n for n in reaching if first or reaching[n]), key=lambda n: sum(t.seconds for t in reaching[n]))
        futures = [pool.submit(attempted, n, reaching[n], self.end, self.limits) for n in order]
        for future in concurrent.futures.as_completed(futures):
            result = future.result()
            if result["result"] != KILLED and more(result["number"]):
                continue
            if result["result"] in (KILLED, SURVIVED):
                self.known[result["number"]] = result
            with open(self.file, "a") as file:
                file.write(json.dumps(result) + "\n")
            if result["result"] != KILLED:
                m = self.mutants[result["number"]]
                self.say(f"{result['result']:>12}  {m['file']}:{m['line']}  {m['before'][:50]} -> {m['to'][:50] or 'nothing'}  {result['by']}")


def attempt(options, say):
    work = Attempt(options, say)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        tests = work.tests_of(pool, options.jobs, options.programs)
        # Most mistakes are found by quick tests: those that take longer wait for what is left.
        bounds = [0.1, 0.5, options.longest, math.inf]
        for above, most in zip([-1, *bounds], bounds):
            longer = [t for t in tests if t.seconds > most]
            work.phase(pool, [t for t in tests if above < t.seconds <= most], above < 0,
                       lambda number: any(number in t.reached for t in longer))
            say(f"tests of up to {most} s: {len(work.known)} decided ({time.monotonic() - work.begin:.0f} s)")
    killed = sum(r["result"] == KILLED for r in work.known.values())
    say(f"{killed} of {len(work.mutants)} killed, {len(work.known) - killed} survived, {len(work.mutants) - len(work.known)} not reached or not "
        f"decided, in {time.monotonic() - work.begin:.0f} s")
    return 0 if killed >= options.share * len(work.mutants) else 1
