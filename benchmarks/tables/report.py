"""The page docs/tables.md, and what the command prints."""
from __future__ import annotations

import math
import pathlib
import statistics

import contestants
import pictures
import ranks
from results import Results
from summary import FLOOR, Figure, Summary, figures, geometric_mean

COMMAND = "./run bench --tables --data DIR --results docs/tables.jsonl --write"
FAMILIES = {"histgb": "trees", "lightgbm": "trees", "xgboost": "trees", "catboost": "trees", "mlp": "nets",
            "realmlp": "nets", "tabm": "nets", "linear": "linear", **{name: "ours" for name in contestants.OURS}}
TITLES = {name: method.title for name, method in contestants.METHODS.items()}


def number(value: float | None, form: str = ".4f") -> str:
    return "–" if value is None else "failed" if math.isinf(value) else f"{value:{form}}"


def count(value: float | None) -> str:
    return "–" if value is None else f"{value:,.0f}"


def seconds(value: float | None) -> str:
    return "–" if value is None else f"{value:.{0 if value >= 100 else 1 if value >= 1 else 3}f}"


def table(header: list[str], rows: list[list[str]]) -> str:
    """Padded, so that it reads in a terminal too."""
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in [header, *rows]]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


class Page:
    def __init__(self, results: Results, splits: int, tables: list[str] | None) -> None:
        self.summary = Summary(results, splits, tables)
        self.methods = [name for name in contestants.METHODS if name in self.summary.present]
        self.reference = next((name for name in contestants.OURS if name in self.methods), None)

    def ranked(self) -> ranks.Ranks | None:
        """Of the methods that have every fit; a method that failed is the last on that table."""
        names = [name for name in self.methods if name != "constant" and self.summary.complete(name)]
        if len(names) < 3 or len(self.summary.tables) < 2:
            return None
        return ranks.rank({name: [self.summary.error(name, one) or 0.0 for one in self.summary.tables] for name in names})

    def figures(self) -> str:
        def cells(figure: Figure) -> list[str]:
            return [figure.text, figure.must, number(figure.value, ".3f"), figure.verdict, figure.note]
        return table(["", "must", "measured", "", ""], [cells(figure) for figure in figures(self.summary)])

    def means(self) -> str:
        ranked = self.ranked()
        places = dict(zip(ranked.methods, ranked.means)) if ranked else {}
        rows = [self.mean_row(method, places.get(method)) for method in self.methods]
        return table(["", f"error / {self.of_reference()}", "mean rank", "log-loss / its", "AUC, mean", "parameters, median",
                      "bytes, median", "s to train, all tables", "s to predict", "fits"], rows)

    def of_reference(self) -> str:
        return f"{TITLES[self.reference]}'s" if self.reference else "–"

    def mean_row(self, method: str, place: float | None) -> list[str]:
        fits = [fit for fit in self.summary.fits if fit["method"] == method]
        good = [fit for fit in fits if "failed" not in fit]
        ratios = self.summary.ratios(method, self.reference) if self.reference else {}
        losses = [self.loss_ratio(method, one) for one in self.summary.tables]
        known = [loss for loss in losses if loss is not None]
        wanted = self.summary.splits * len(self.summary.tables)
        failed = len(fits) - len(good)
        return [TITLES[method], number(geometric_mean(list(ratios.values())) if ratios else None, ".3f"), number(place, ".2f"),
                number(geometric_mean(known) if known else None, ".3f"),
                number(self.middle(good, "auc", statistics.mean), ".3f"), count(self.middle(good, "parameters")),
                count(self.middle(good, "bytes")), seconds(self.total(method, "train_seconds")),
                seconds(self.total(method, "predict_seconds")),
                f"{len(fits)} of {wanted}" + (f", {failed} failed" if failed else "")]

    @staticmethod
    def middle(fits: list[dict], what: str, of=statistics.median) -> float | None:
        found = [fit[what] for fit in fits if fit.get(what) is not None]
        return of(found) if found else None

    def loss_ratio(self, method: str, one: str) -> float | None:
        ours = self.summary.cell(method, one).mean("log_loss")
        theirs = self.summary.cell(self.reference, one).mean("log_loss") if self.reference else None
        return None if ours is None or theirs is None else max(ours, FLOOR) / max(theirs, FLOOR)

    def total(self, method: str, what: str) -> float | None:
        """Sum over the tables of the median split; only if every table has a time of a quiet machine."""
        found = [self.summary.cell(method, one).median(what, quiet=True) for one in self.summary.tables]
        return None if any(value is None for value in found) else sum(value for value in found if value is not None)

    def one_table(self, one: str) -> str:
        shape = self.summary.shape(one)
        classes = shape.get("classes", 0)
        rows = []
        for method in self.methods:
            cell = self.summary.cell(method, one)
            if not cell.fits and not cell.failed:
                continue
            errors = [fit["error"] for fit in cell.fits]
            error = f"{statistics.mean(errors):.4f}" + (f" ± {statistics.stdev(errors):.4f}" if len(errors) > 1 else "") if errors else ""
            if cell.failed:
                error = f"{error} failed ({len(cell.failed)} of {len(cell.failed) + len(errors)})".strip()
            own = ([number(cell.mean("log_loss")), number(cell.mean("auc"), ".3f")] if classes
                   else [number(cell.mean("rmse"), ".4g")])
            rows.append([TITLES[method], error, *own, count(cell.median("parameters")), count(cell.median("bytes")),
                         seconds(cell.median("train_seconds", quiet=True)), seconds(cell.median("predict_seconds", quiet=True))])
        header = ["", "error", *(["log-loss", "AUC"] if classes else ["rmse"]), "parameters", "bytes", "s to train", "s to predict"]
        kind = f"{classes} classes" if classes else "a number"
        return (f"### {one}\n\n{shape.get('rows', 0):,} rows, {shape.get('inputs', 0)} columns, {kind}\n\n" + table(header, rows))

    def failures(self) -> str:
        found = sorted({(TITLES[fit["method"]], fit["table"], fit["failed"]) for fit in self.summary.fits if "failed" in fit})
        return table(["method", "table", "what it said"], [list(row) for row in found]) if found else "No fit failed."

    def machine(self) -> str:
        processors = sorted({fit["processor"] for fit in self.summary.fits if "processor" in fit})
        versions = sorted({fit["versions"] for fit in self.summary.fits if "versions" in fit})
        return f"Processor: {'; '.join(processors)}. Versions: {'; '.join(versions)}."

    def text(self) -> str:
        return f"\n{self.means()}\n\n{self.figures()}\n" if self.summary.fits else "no results yet"

    def points(self, relative: bool) -> dict[str, list[pictures.Point]]:
        """Per table a point for each method that has results there."""
        found: dict[str, list[pictures.Point]] = {}
        for one in self.summary.tables:
            for method, family in FAMILIES.items():
                size = self.summary.cell(method, one).median("bytes")
                error = self.summary.cell(method, one).mean("error")
                if relative and self.reference:
                    error = self.summary.ratios(method, self.reference).get(one)
                if size and error is not None:
                    found.setdefault(one, []).append(pictures.Point(size, max(error, FLOOR), family, strong=method == self.reference))
        return found

    def mean_points(self) -> list[pictures.Point]:
        found = []
        for method, family in FAMILIES.items():
            ratios = self.summary.ratios(method, self.reference) if self.reference else {}
            sizes = [self.summary.cell(method, one).median("bytes") for one in ratios]
            if ratios:
                found.append(pictures.Point(geometric_mean([size for size in sizes if size]),
                                            geometric_mean(list(ratios.values())), family, TITLES[method]))
        return found

    def write(self, folder: pathlib.Path) -> None:
        ranked = self.ranked()
        drawn = {}
        if ranked:
            drawn["tables-ranks.svg"] = pictures.rank_picture(ranked, TITLES, FAMILIES)
        small = [point for points in self.points(True).values() for point in points]
        if self.reference and small:
            drawn["tables-bytes.svg"] = pictures.bytes_picture(small + self.mean_points(), TITLES[self.reference])
            drawn["tables-each.svg"] = pictures.each_picture(self.points(False))
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in {**drawn, "tables.md": self.markdown(ranked, drawn)}.items():
            beside = folder / f"{name}.new"
            beside.write_text(content)
            beside.replace(folder / name)

    def markdown(self, ranked: ranks.Ranks | None, drawn: dict[str, str]) -> str:
        def picture(name: str, words: str) -> str:
            return f"![{words}]({name})" if name in drawn else ""
        parts = ["# Real tables", f"    {COMMAND}", INTRODUCTION.format(
            tables=len(self.summary.tables), splits=self.summary.splits, machine=self.machine(), floor=FLOOR),
            "## What must hold", self.figures(), "## All tables", self.means(), MEANS, "## Ranks", self.ranks_told(ranked),
            picture("tables-ranks.svg", "mean ranks"), "## Error against bytes", BYTES,
            picture("tables-bytes.svg", "error against bytes of the model, all tables"),
            picture("tables-each.svg", "error against bytes of the model, table by table"), "## Table by table",
            *[self.one_table(one) for one in self.summary.tables], "## Failed", self.failures(), "## How each method is used",
            table(["", "settings"], [[TITLES[name], contestants.METHODS[name].settings] for name in self.methods])]
        return "\n\n".join(part for part in parts if part) + "\n"

    def ranks_told(self, ranked: ranks.Ranks | None) -> str:
        open_ones = [TITLES[name] for name in self.methods if name != "constant" and not self.summary.complete(name)]
        left_out = f" Not ranked, because fits are missing: {', '.join(open_ones)}." if open_ones else ""
        if not ranked:
            return f"Fewer than three methods have all their fits.{left_out}"
        chance = ranks.probability(ranked)
        return (f"Mean rank of the error over {ranked.tables} tables (of the mean of the splits; 1 is best, a method that "
                f"failed is last). Friedman's chi-square {ranked.chi_square:.1f}"
                + (f", by chance with probability {chance:.2g}" if chance is not None else "")
                + f". Ranks further apart than {ranked.difference:.2f} differ (Nemenyi, 0.05); bars join those that do not."
                + left_out)


INTRODUCTION = """Written by the command above; DIR holds the tables as NAME.csv.gz with the target in a column `target__`.
{tables} tables, {splits} splits of 70 % of the rows to train and 30 % to test, the same rows for every method, classes in the same
shares. One thread per fit, every method with its defaults, seeded by the number of the split. A column is one of numbers if all its
cells are, else one of texts. Error: share of wrong rows, or 1 - R2 for numbers; in ratios errors below {floor} count as {floor}.
{machine}"""
MEANS = """Ratios are geometric means over the tables; each compares means over the splits. "s to train" is the sum over the tables of the
median split, and so is "s to predict" (30 % of the rows); only fits that began at a load of at most 0.75 of the cores count, and – stands where
there are none. Coppice's seconds are those of the whole program: start, reading and writing csv files, and the report; the others' are
those of fit and predict in memory. Log-loss with probabilities of at least 1e-6; AUC of several classes is the mean of each against the rest."""
BYTES = """Bytes are those of the saved model: Coppice's model file, LightGBM's text, XGBoost's ubj, CatBoost's cbm, scikit-learn's pickle with what
prepares the columns; of pytabkit's nets the tensors alone, since its pickles hold much that no prediction needs. In the first picture small
marks are tables (those above the frame stand on its edge), large ones geometric means; in the second the largest mark is Coppice as it comes."""
