"""What the fits come to: means per table, ratios, and the figures that must hold."""
from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import Callable

from results import Fit, Results

TABLES, SPLITS = 12, 5  # that the figures are meant for, at least
FLOOR = 0.005  # smaller errors count as this in ratios


@dataclass(frozen=True)
class Cell:
    """A method on a table: the fits of all splits that count."""

    fits: tuple[Fit, ...]
    failed: tuple[str, ...]

    def mean(self, what: str) -> float | None:
        found = [fit[what] for fit in self.fits if fit.get(what) is not None]
        return statistics.mean(found) if found else None

    def median(self, what: str, quiet: bool = False) -> float | None:
        found = [fit[what] for fit in self.fits if fit.get(what) is not None and not (quiet and fit["busy"])]
        return statistics.median(found) if found else None


class Summary:
    def __init__(self, results: Results, splits: int, tables: list[str] | None) -> None:
        fits = [fit for fit in results.fits.values() if fit["split"] < splits and (not tables or fit["table"] in tables)]
        self.fits, self.splits = fits, splits
        self.tables = sorted({fit["table"] for fit in fits})
        self.present = {fit["method"] for fit in fits}

    def cell(self, method: str, table: str) -> Cell:
        found = [fit for fit in self.fits if fit["method"] == method and fit["table"] == table]
        return Cell(tuple(fit for fit in found if "failed" not in fit), tuple(fit["failed"] for fit in found if "failed" in fit))

    def complete(self, method: str) -> bool:
        """Every split of every table is there, failed or not."""
        cells = [self.cell(method, table) for table in self.tables]
        return bool(cells) and all(len(cell.fits) + len(cell.failed) == self.splits for cell in cells)

    def shape(self, table: str) -> Fit:
        return next((fit for fit in self.fits if fit["table"] == table and "rows" in fit), {})

    def error(self, method: str, table: str) -> float | None:
        """The mean over the splits; infinite if one failed."""
        cell = self.cell(method, table)
        return math.inf if cell.failed else cell.mean("error")

    def ratios(self, over: str, under: str) -> dict[str, float]:
        """Per table, of those that both have: error of one / error of the other, each the mean of the splits both have."""
        found = {}
        for table in self.tables:
            ours = {fit["split"]: fit["error"] for fit in self.cell(over, table).fits}
            theirs = {fit["split"]: fit["error"] for fit in self.cell(under, table).fits}
            both = ours.keys() & theirs.keys()
            if both:
                found[table] = (max(statistics.mean(ours[s] for s in both), FLOOR)
                                / max(statistics.mean(theirs[s] for s in both), FLOOR))
        return found

    def pairs(self, over: str, under: str) -> list[tuple[Fit, Fit]]:
        theirs = {(fit["table"], fit["split"]): fit for fit in self.fits if fit["method"] == under and "failed" not in fit}
        return [(fit, theirs[fit["table"], fit["split"]]) for fit in self.fits
                if fit["method"] == over and "failed" not in fit and (fit["table"], fit["split"]) in theirs]


def geometric_mean(values: list[float]) -> float:
    return math.exp(statistics.mean(map(math.log, values)))


@dataclass(frozen=True)
class Figure:
    text: str
    must: str
    value: float | None
    verdict: str  # holds, does not hold, undecided
    note: str


def judged(text: str, must: float, value: float | None, why_not: str, note: str = "") -> Figure:
    verdict = "undecided" if why_not or value is None else "holds" if value <= must else "does not hold"
    return Figure(text, f"<= {must}", value, verdict, why_not or note)


def missing(summary: Summary, *methods: str) -> str:
    """Why a figure that needs these methods is open, if it is."""
    if len(summary.tables) < TABLES or summary.splits < SPLITS:
        return f"needs {TABLES} tables and {SPLITS} splits"
    for method in methods:
        if method not in summary.present:
            return f"no fits of {method}"
        if not summary.complete(method):
            return f"fits of {method} are missing"
        failed = [table for table in summary.tables if summary.cell(method, table).failed]
        if failed:
            return f"{method} failed on {', '.join(failed)}"
    return ""


def error_figure(summary: Summary, text: str, must: float, over: str, under: str) -> Figure:
    ratios = summary.ratios(over, under)
    if not ratios:
        return judged(text, must, None, missing(summary, over, under))
    note = f"{len(ratios)} tables, {min(ratios.values()):.2f} to {max(ratios.values()):.2f}"
    return judged(text, must, geometric_mean(list(ratios.values())), missing(summary, over, under), note)


def pair_figure(summary: Summary, text: str, must: float, quiet: bool, value: Callable[[list[tuple[Fit, Fit]]], float]) -> Figure:
    """Of Coppice's default and RealMLP-TD; with `quiet` only fits whose times count."""
    pairs = summary.pairs("coppice", "realmlp")
    why = missing(summary, "coppice", "realmlp")
    if quiet:
        timed = [pair for pair in pairs if not pair[0]["busy"] and not pair[1]["busy"]]
        if {pair[0]["table"] for pair in timed} == set(summary.tables):
            pairs = timed
        else:  # some tables alone would say something else
            why = why or "of a busy machine; times of a quiet one are missing: --retime"
    return judged(text, must, value(pairs) if pairs else None, why, f"{len(pairs)} pairs of fits")


def time_ratio(pairs: list[tuple[Fit, Fit]]) -> float:
    return sum(ours["train_seconds"] for ours, _ in pairs) / sum(theirs["train_seconds"] for _, theirs in pairs)


def size_ratio(pairs: list[tuple[Fit, Fit]]) -> float:
    return (statistics.median(ours["parameters"] for ours, _ in pairs)
            / statistics.median(theirs["parameters"] for _, theirs in pairs))


def figures(summary: Summary) -> list[Figure]:
    elsewhere = Figure("MNIST, poker, the paper's pages", "not worse", None, "elsewhere",
                       "other commands: results.md (as good as before), reproduction/")
    return [
        error_figure(summary, "default / before: error", 0.85, "coppice", "coppice-before"),
        error_figure(summary, "one net / before: error", 0.94, "coppice-single", "coppice-before"),
        error_figure(summary, "default / RealMLP-TD: error", 0.95, "coppice", "realmlp"),
        error_figure(summary, "default / CatBoost: error", 0.95, "coppice", "catboost"),
        pair_figure(summary, "default / RealMLP-TD: seconds of training, all tables", 0.5, True, time_ratio),
        pair_figure(summary, "default / RealMLP-TD: median of the parameters", 0.5, False, size_ratio),
        elsewhere,
    ]
