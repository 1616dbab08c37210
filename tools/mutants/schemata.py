"""Writes sources that contain many mistakes, each made only if it is asked for when the program runs."""

import random


def chosen(places, count, seed):
    """So many of them at random, in the order of the files."""
    order = sorted(places, key=lambda p: (p["file"], p["start"], p["end"], p["kind"], p["to"]))
    random.Random(seed).shuffle(order)
    return sorted(order[:count], key=lambda p: (p["file"], p["start"], p["end"]))


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
