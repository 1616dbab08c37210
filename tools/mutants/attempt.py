"""Runs the tests that reach each mutant until one fails. Needs nothing but Python and the built programs."""

import collections
import concurrent.futures
import heapq
import json
import os
import re
import resource
import signal
import subprocess
import tempfile
import threading
import time

from results import KILLED, OPEN, SURVIVED, Results
from schemata import name

# Whose tests start processes, talk to each other or wait: a failure counts if it happens twice.
LIVELY = ("cli", "ranks")
MEMORY = 8 << 30


class Test:
    def __init__(self, program, name, seconds, reached):
        self.program, self.name, self.seconds, self.reached = program, name, seconds, reached


def within(seconds):
    """Before a program begins: it, and each process that it starts, may compute for so long and may not fill the machine's memory."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
    return limit


def program_run(program, tests, environment, limit):
    """How a program ended (None: too late) and what it printed. Seconds of the processor are limited, which load does not change; who waits
    for ever is ended after three times as many of the clock."""
    command = [program, "--gtest_color=no", "--gtest_fail_fast", "--gtest_filter=" + ":".join(tests)]
    with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, cwd=scratch,
                                   env=dict(os.environ, TMPDIR=scratch, TEST_TMPDIR=scratch, **environment), start_new_session=True,
                                   preexec_fn=within(limit))
        try:
            output, _ = process.communicate(timeout=10 + 3 * limit)
            end = None if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL) else process.returncode
        except subprocess.TimeoutExpired:
            end, output = None, b""
        try:
            os.killpg(process.pid, signal.SIGKILL)  # and what it started
        except ProcessLookupError:
            pass
        if process.returncode is None:
            output, _ = process.communicate()
    return end, output.decode(errors="replace")


def note_reached(program, shard, shards, size, limit):
    """Runs one share of a program's tests; a file has a line for each that ended, with the mutants that it reached."""
    log, shared, printed = (program.log.with_suffix(f".{shard}.{kind}") for kind in ("tests", "reached", "log"))
    shared.write_bytes(bytes(size))
    command = {"COPPICE_MUTANTS_LOG": str(log), "COPPICE_MUTANTS_REACHED": str(shared), "GTEST_TOTAL_SHARDS": str(shards),
               "GTEST_SHARD_INDEX": str(shard)}
    with open(printed, "w") as out:
        try:
            subprocess.run([program.path, "--gtest_color=no"], stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                           cwd=program.log.parent, env=dict(os.environ, **command), timeout=limit, preexec_fn=within(limit))
        except subprocess.TimeoutExpired:
            pass
    return log.read_text()


class Program:
    def __init__(self, work, folder):
        self.folder, self.path, self.log = folder, work / "build/bin" / f"test_{folder}", work / f"test_{folder}.tests"

    def noted(self):
        """Whether its tests were run since it was built, and the program that they start."""
        built = max(p.stat().st_mtime for p in (self.path, self.path.with_name("coppice")) if p.exists())
        return self.log.exists() and self.log.stat().st_mtime > built

    def tests(self):
        """Those that pass where nothing is broken, and the names of the others."""
        tests, others = [], []
        for line in self.log.read_text().splitlines():
            test, milliseconds, result, *numbers = line.split()
            if result == "ok":
                tests.append(Test(self, test, float(milliseconds) / 1000, set(map(int, numbers))))
            else:
                others.append(test)
        return tests, others


class Attempt:
    """All mutants and what is known of them; each waits with its next few tests, and who waits with the quickest is next."""

    def __init__(self, options, say):
        self.say, self.options, self.begin = say, options, time.monotonic()
        self.end = self.begin + options.seconds
        self.work = options.work.resolve()
        self.mutants = json.loads((self.work / "mutants.json").read_text())
        self.results = Results(options.results.resolve(), self.mutants)
        self.sources = (self.work / "sources").read_text()
        self.lock = threading.Lock()
        self.killers = collections.defaultdict(collections.Counter)  # of each source's mutants
        for mutant in self.mutants:
            self.remember(mutant, self.results.of(mutant)["by"])
        # Which tests a mutant has survived, of programs as they are: an interrupted call costs no second time.
        self.notes = self.work / "passed.jsonl"
        self.passed = collections.defaultdict(set)
        self.programs = {folder: Program(self.work, folder) for folder in options.programs}
        for line in self.notes.read_text().splitlines() if self.notes.exists() else []:
            note = json.loads(line)
            program = self.programs.get(note["folder"])
            if program and program.path.stat().st_mtime < note["at"]:
                self.passed[tuple(note["name"])].update(note["passed"])

    def remember(self, mutant, by):
        self.killers[mutant["file"]][by.split(" ")[0]] += 1

    def tests(self, pool):
        """Of all programs, those that pass where nothing is broken."""
        programs = list(self.programs.values())
        shards = self.options.jobs if self.options.jobs > 2 else 1
        shares = [(p, shard) for p in reversed(programs) if not p.noted() for shard in range(shards)]  # the last ones take longest
        logs = pool.map(lambda s: note_reached(*s, shards, len(self.mutants) + 1, self.options.seconds / 3), shares)
        texts = collections.defaultdict(str)
        for (program, _), text in zip(shares, logs):
            texts[program] += text
        every = []
        for program in programs:
            if program in texts:
                program.log.write_text(texts[program])
            tests, others = program.tests()
            every += tests
            self.say(f"{program.path.name}: {len(tests)} tests in {sum(t.seconds for t in tests):.0f} s" +
                     (f"; left out, since they fail or are skipped without any mutant: {' '.join(others)}" if others else ""))
        self.say(f"{sum(any(m['number'] in t.reached for t in every) for m in self.mutants)} of {len(self.mutants)} mutants are reached "
                 f"({time.monotonic() - self.begin:.0f} s)")
        return every

    def cost(self, mutant, test):
        """Its seconds, less if a failure is likely: tests of the same folder, and those that found mistakes in the same source."""
        here = mutant["file"].split("/")[1] == test.program.folder
        return max(test.seconds, 0.02) * (1 if here else 4) / (1 + 4 * self.killers[mutant["file"]][test.name])

    def next_tests(self, mutant, waiting):
        """The cheapest tests first, a few seconds of one program at a time."""
        order = sorted(waiting, key=lambda t: self.cost(mutant, t))
        batch, seconds, most = [], 0, max(0.5, 3 * self.cost(mutant, order[0]))
        for test in (t for t in order if t.program == order[0].program):
            seconds += test.seconds
            if batch and (seconds > self.options.batch or self.cost(mutant, test) > most):
                break
            batch.append(test)
        return batch

    def failure(self, mutant, batch, patience=1):
        """The test that fails, and how, or nothing; which tests passed."""
        usual = sum(t.seconds for t in batch)
        limit = patience * (self.options.least + self.options.factor * usual)
        status, output = program_run(batch[0].program.path, [t.name for t in batch], {"COPPICE_MUTANT": str(mutant["number"])}, limit)
        if status == 0:
            return None, [t.name for t in batch]
        running = re.findall(r"^\[ RUN      \] (\S+)", output, re.M)
        failed = re.findall(r"^\[  FAILED  \] ([\w/.]+)(?:, | \()", output, re.M)
        test = failed[0] if failed else running[-1] if running else batch[0].name
        how = "" if failed else " (does not end)" if status is None else " (crashes)" if status < 0 else f" (ends with {status})"
        if patience == 1 and (status is None or batch[0].program.folder in LIVELY):
            alone = [t for t in batch if t.name == test] or batch[:1]
            by, passed = self.failure(mutant, alone, 2)
            return by, passed + re.findall(r"^\[       OK \] (\S+)", output, re.M)
        return test + how, []

    def step(self, mutant, waiting):
        """Runs its next tests; what waits then."""
        batch = self.next_tests(mutant, waiting)
        by, passed = self.failure(mutant, batch)
        with self.lock:
            if by:
                self.remember(mutant, by)
                self.results.add(mutant, KILLED, by, self.sources)
                return []
            self.passed[name(mutant)].update(passed)
            with open(self.notes, "a") as notes:
                notes.write(json.dumps({"name": name(mutant), "folder": batch[0].program.folder, "at": time.time(), "passed": passed}) + "\n")
            rest = [t for t in waiting if t.name not in passed]
            if not rest:
                self.results.add(mutant, SURVIVED, f"{len(self.passed[name(mutant)])} tests pass", self.sources)
                self.say(f"survived  {mutant['file']}:{mutant['line']} {mutant['before'][:60]} -> {mutant['to'][:60] or 'nothing'}")
            return rest

    def work_off(self, queue):
        """One of several threads."""
        while time.monotonic() < self.end:
            with self.lock:
                if not queue:
                    return
                _, _, mutant, waiting = heapq.heappop(queue)
            waiting = self.step(mutant, waiting)
            if waiting:
                with self.lock:
                    heapq.heappush(queue, self.entry(mutant, waiting))

    def entry(self, mutant, waiting):
        # Whoever has survived many tests will likely survive more.
        survived = 1 + len(self.passed[name(mutant)]) / 5
        return survived * min(self.cost(mutant, t) for t in waiting), mutant["number"], mutant, waiting


def attempt(options, say):
    work = Attempt(options, say)
    results = work.results
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        every = work.tests(pool)
        queue = []
        for mutant in work.mutants:
            if results.of(mutant)["result"] == KILLED or results.of(mutant)["result"] == SURVIVED and not options.survivors:
                continue
            reaching = [t for t in every if mutant["number"] in t.reached]
            waiting = [t for t in reaching if t.name not in work.passed[name(mutant)]]
            if waiting:
                heapq.heappush(queue, work.entry(mutant, waiting))
        say(f"{len(queue)} mutants to try")
        for thread in [pool.submit(work.work_off, queue) for _ in range(options.jobs)]:
            thread.result()
    say(f"{results.count(KILLED)} of {len(work.mutants)} killed, {results.count(SURVIVED)} survived, {results.count(OPEN)} not decided "
        f"or not reached, in {time.monotonic() - work.begin:.0f} s")
    return 0 if results.count(KILLED) >= options.share * len(work.mutants) else 1
