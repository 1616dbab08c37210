"""What became of each mutant: a file that is kept, so that other machines and later sources go on from it."""

import json
import os
import threading

from schemata import name

KILLED, SURVIVED, OPEN = "killed", "survived", "not decided"
NAMED = ("file", "text", "kind", "to", "nth")


class Results:
    """Of the mutants that are drawn now, in their order; a mutant is known by its name, not by its number."""

    def __init__(self, path, mutants):
        self.path, self.mutants, self.lock = path, mutants, threading.Lock()
        drawn = {name(m) for m in mutants}
        self.known = {}
        if path.exists():
            entries = map(json.loads, path.read_text().splitlines())
            self.known = {name(e): e for e in entries if name(e) in drawn}

    def of(self, mutant):
        return self.known.get(name(mutant), {"result": OPEN, "by": ""})

    def add(self, mutant, result, by, sources):
        with self.lock:
            self.known[name(mutant)] = dict({part: mutant[part] for part in NAMED}, result=result, by=by, sources=sources)
            self.write()

    def write(self):
        lines = [json.dumps(self.known[name(m)], ensure_ascii=False) for m in self.mutants if name(m) in self.known]
        beside = self.path.with_name(self.path.name + ".new")
        beside.write_text("".join(line + "\n" for line in lines))
        os.replace(beside, self.path)

    def count(self, result):
        return sum(self.of(m)["result"] == result for m in self.mutants)
