"""Writes sources that contain many mistakes, each made only if it is asked for when the program runs."""

import collections
import hashlib


def name(mutant):
    """What a mutant is called as long as its line stays as it is, wherever that line goes; the last part tells equal ones of a file apart."""
    return tuple(mutant[part] for part in ("file", "text", "kind", "to", "nth"))


def named(places, sources):
    """The places in the order of the files, each with its line."""
    seen = collections.Counter()
    places = sorted(places, key=lambda p: (p["file"], p["start"], p["end"], p["kind"], p["to"]))
    for place in places:
        source = sources[place["file"]]
        begin = source.rfind(b"\n", 0, place["start"]) + 1
        place["text"] = source[begin:].split(b"\n", 1)[0].decode().strip()
        place["line"], place["last"] = (source.count(b"\n", 0, place[end]) + 1 for end in ("start", "end"))
        place["nth"] = 0
        place["nth"] = seen[name(place)]
        seen[name(dict(place, nth=0))] += 1
    return places


def chosen(places, count, seed):
    """So many of them at random. Their names decide, so that another source changes nothing about the mutants of this one."""
    chance = lambda p: hashlib.sha256(f"{seed} {name(p)}".encode()).digest()
    return sorted(sorted(places, key=chance)[:count], key=lambda p: (p["file"], p["start"], p["end"]))


def spelled(mutant, original):
    """The place with its mistake, where `original` may hold others: only one is made at a time."""
    on = f"::coppice_mutants::on({mutant['number']})"
    form, to = mutant["form"], mutant["to"]
    if form == "deletion":
        return f"{{ if (!{on}) {original} }}"
    if form == "statement":
        return f"{{ if ({on}) {to} {original} }}"
    if form == "condition":
        return f"({on} ? {to} : bool({original}))"
    return f"({on} ? ({to}) : ({original}))"


def rendered(source, start, end, mutants):
    """The source from start to end, with all mutants that lie there."""
    outer = max(mutants, key=lambda m: (m["end"] - m["start"], m["number"]), default=None)
    if outer is None:
        return source[start:end].decode()
    inside = [m for m in mutants if m is not outer and outer["start"] <= m["start"] and m["end"] <= outer["end"]]
    before = [m for m in mutants if m["end"] <= outer["start"]]
    after = [m for m in mutants if m["start"] >= outer["end"]]
    return (rendered(source, start, outer["start"], before)
            + spelled(outer, rendered(source, outer["start"], outer["end"], inside))
            + rendered(source, outer["end"], end, after))
