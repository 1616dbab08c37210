"""Who is compared: each makes C sources of several sizes out of training rows."""
from __future__ import annotations

import contextlib
import json
import pathlib
import subprocess
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import emlearn
import m2cgen
import numpy as np
from device import Source
from sklearn.ensemble import RandomForestClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

LEAVES = (4, 8, 16, 32, 64, 128, 256, 512, 1024)
FORESTS = ((5, 8), (10, 8), (30, 8), (5, 32), (10, 32), (30, 32), (5, 128), (10, 128))
LAYERS = ((2,), (4,), (8,), (16,), (32,), (64,), (16, 16), (32, 32))


@dataclass(frozen=True)
class Rows:
    """Numbers with NaN where a cell is missing, and classes as whole numbers."""

    columns: list[str]
    cells: np.ndarray
    classes: np.ndarray
    names: list[str]


@dataclass(frozen=True)
class Made:
    family: str
    size: str
    source: Source


def floats(name: str, values: np.ndarray) -> str:
    return f"static const float {name}[] = {{{', '.join(f'{float(value):.9e}f' for value in values)}}};\n"


class Filling:
    """What peers need before their models: medians for missing cells, in Python and in C. Nothing where no cell is missing."""

    def __init__(self, cells: np.ndarray) -> None:
        self.needed = bool(np.isnan(cells).any())
        self.medians = np.nanmedian(cells, axis=0)
        self.whole = bool((self.full(cells) == np.round(self.full(cells))).all() and np.abs(self.full(cells)).max() < 16000)

    def full(self, cells: np.ndarray) -> np.ndarray:
        return np.where(np.isnan(cells), self.medians, cells) if self.needed else cells

    def doubled(self, cells: np.ndarray) -> np.ndarray:
        return self.full(cells) * (2 if self.whole else 1)

    def constants(self) -> str:
        return floats("medians", self.medians) if self.needed else ""

    def cell(self, k: str) -> str:
        return f"(row[{k}] != row[{k}] ? medians[{k}] : row[{k}])" if self.needed else f"row[{k}]"


def written(folder: pathlib.Path, name: str, text: str, rows: Rows, more: tuple[str, ...] = ()) -> Source:
    place = folder / name
    place.mkdir()
    path = place / "model.c"
    path.write_text(text)
    return Source(path, [str(place), str(emlearn.includedir), *more], len(rows.columns))


def by_emlearn(model: object, folder: pathlib.Path, name: str, rows: Rows, filling: Filling, votes: int = 0) -> Iterator[Source]:
    """Trees in both forms that emlearn has: branches, and a table of nodes, which takes whole numbers alone. Of these it cuts
    thresholds to whole ones, so the trees are told twice the cells: thresholds lie between two of them. Leaves vote for one class, or
    have shares of all in so many bits."""
    count = len(rows.columns)
    kind = "int16_t" if filling.whole else "float"
    for form in ("inline", "loadable") if filling.whole else ("inline",):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            text = emlearn.convert(model, method=form, dtype=kind, leaf_bits=votes).save(name="trees", inference=[form])
        yield written(folder, f"{name}-{form}-{votes}", text + filling.constants() + f"""
int predict(const float *row) {{
  {kind} cells[{count}];
  int k;
  for (k = 0; k < {count}; k++) cells[k] = ({kind}){filling.cell("k")}{" * 2" if filling.whole else ""};
  return (int)trees_predict(cells, {count});
}}
""", rows)


def by_m2cgen(model: object, folder: pathlib.Path, name: str, rows: Rows, filling: Filling) -> Source:
    count, classes = len(rows.columns), len(rows.names)
    return written(folder, name, m2cgen.export_to_c(model) + filling.constants() + f"""
int predict(const float *row) {{
  double cells[{count}], chances[{classes}];
  int k, best = 0;
  for (k = 0; k < {count}; k++) cells[k] = (double){filling.cell("k")};
  score(cells, chances);
  for (k = 1; k < {classes}; k++)
    if (chances[k] > chances[best]) best = k;
  return best;
}}
""", rows)


def trees(rows: Rows, folder: pathlib.Path) -> Iterator[Made]:
    filling = Filling(rows.cells)
    for leaves in LEAVES:
        model = DecisionTreeClassifier(max_leaf_nodes=leaves, random_state=1)
        doubled = model.fit(filling.doubled(rows.cells), rows.classes)
        for source in by_emlearn(doubled, folder, f"tree{leaves}", rows, filling):
            yield Made("tree, emlearn", f"{leaves} leaves", source)
        model.fit(filling.full(rows.cells), rows.classes)
        yield Made("tree, m2cgen", f"{leaves} leaves", by_m2cgen(model, folder, f"tree{leaves}-m2cgen", rows, filling))


def forests(rows: Rows, folder: pathlib.Path) -> Iterator[Made]:
    filling = Filling(rows.cells)
    for count, leaves in FORESTS:
        model = RandomForestClassifier(count, max_leaf_nodes=leaves, random_state=1)
        size = f"{count} trees of {leaves} leaves"
        doubled = model.fit(filling.doubled(rows.cells), rows.classes)
        for votes in (0, 8):
            for source in by_emlearn(doubled, folder, f"forest{count}-{leaves}", rows, filling, votes):
                yield Made("forest, emlearn", size, source)
        model.fit(filling.full(rows.cells), rows.classes)
        yield Made("forest, m2cgen", size, by_m2cgen(model, folder, f"forest{count}-{leaves}-m2cgen", rows, filling))


def perceptrons(rows: Rows, folder: pathlib.Path) -> Iterator[Made]:
    """Scaled inputs, as scikit-learn asks for; m2cgen has no such nets."""
    filling, count = Filling(rows.cells), len(rows.columns)
    scaler = StandardScaler().fit(filling.full(rows.cells))
    scaled = scaler.transform(filling.full(rows.cells))
    for layers in LAYERS:
        # emlearn makes numpy raise, and compiles in ./tmp
        with warnings.catch_warnings(), np.errstate(all="ignore"), contextlib.chdir(folder):
            warnings.simplefilter("ignore")
            model = MLPClassifier(layers, max_iter=500, random_state=1).fit(scaled, rows.classes)
            text = emlearn.convert(model).save(name="net")
        size = "-".join(map(str, layers))
        yield Made("MLP, emlearn", size, written(folder, f"mlp{size}", text + filling.constants() + floats("means", scaler.mean_)
                                                + floats("factors", 1 / scaler.scale_) + f"""
int predict(const float *row) {{
  float cells[{count}];
  int k;
  for (k = 0; k < {count}; k++) cells[k] = ({filling.cell("k")} - means[k]) * factors[k];
  return (int)net_predict(cells, {count});
}}
""", rows))


def ours(program: pathlib.Path, table: pathlib.Path, rows: Rows, folder: pathlib.Path, flags: list[str], run: pathlib.Path) -> Iterator[Made]:
    """The front of one training, by its validation rows, in floats and in 8 bits. A training that is there already is taken as it is."""
    if not (run / "summary.json").exists():
        subprocess.run([program, "train", table, "--target", "target__", "--ensemble", "off", "--threads", "1", *flags, "-o", run],
                       check=True, capture_output=True)
    for net in json.loads((run / "summary.json").read_text())["nets"]:
        if net["dominated"]:
            continue
        model, size = run / net["model"], "-".join(map(str, net["hidden_units"])) + (", bins" if net["bins"] else "")
        features = json.loads(subprocess.run([program, "export", model, "--to", "json"], check=True, capture_output=True).stdout)
        if any(feature["part"] != "number" for feature in features["features"]):
            raise SystemExit(f"{table}: only tables of numbers are compared")
        places = [rows.columns.index(feature["column"]) for feature in features["features"]]
        names = [rows.names.index(name) for name in features["classes"]]
        for family, more in (("Coppice, floats", []), ("Coppice, 8 bits", ["--int8", "--calibrate", table])):
            header = folder / f"{family[9:].replace(' ', '')}{net['id']}.h"
            subprocess.run([program, "export", model, "--to", "c", "--name", "net", "-o", header, *more], check=True)
            yield Made(family, size, written(folder, header.stem, f"""#include "{header.name}"
int predict(const float *row) {{
  static const unsigned char places[] = {{{", ".join(map(str, places))}}}, names[] = {{{", ".join(map(str, names))}}};
  float cells[NET_CELLS], out[NET_OUTPUTS];
  int k;
  for (k = 0; k < NET_CELLS; k++) cells[k] = row[places[k]];
  k = net_predict(cells, out);
  return k < 0 ? k : names[k];
}}
""", rows, (str(folder),)))
