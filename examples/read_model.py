#!/usr/bin/env python3
"""Predicts with a model file as docs/model-format.md tells it, with numpy alone: read_model.py MODEL DATA.csv"""
import csv, json, struct, sys, zlib
import numpy as np
from derived_columns import derived_columns  # dates, and words with an order

MISSING = ["", "?", "na", "n/a", "nan", "null"]
ACTIVATIONS = {"relu": lambda y: np.maximum(y, 0), "leaky-relu": lambda y: np.maximum(y, 0.01 * y), "abs": np.abs,
               "tanh": np.tanh, "identity": lambda y: y}

def opened(path):  # the header, and a function that takes the next tensor
    data = open(path, "rb").read()
    magic, version, checksum, size = struct.unpack_from("<8sIIQ", data.ljust(24))
    if magic != b"COPPICE\n" or version not in (1, 2, 4, 7, 8) or zlib.crc32(data[16:]) != checksum:
        sys.exit(f"{path}: no intact model file of version 1, 2, 4, 7 or 8")
    floats = iter(np.frombuffer(data, "<f4", offset=24 + size).astype(float))
    return json.loads(data[24:24 + size]), lambda *shape: np.fromiter(floats, float, np.prod(shape)).reshape(shape)

def raw_inputs(column, cells):  # of each network input whether it is a bin, and its numbers
    if column["kind"] == "text":
        known = column["categories"]
        return [(False, cells == text) for text in known] + [(False, ~np.isin(cells, known))]
    x = (np.where(cells == "", "nan", cells).astype(float) - column.get("base", 0)).astype(np.float32).astype(float)
    gaps, x = np.isnan(x), np.where(np.isnan(x), column["fill"], x)
    squash, edges = column.get("squash", {"median": 0, "factor": 1, "limit": np.inf}), column.get("edges", [])
    z = (x - squash["median"]) * squash["factor"]
    inputs = [(False, z / np.sqrt(1 + (z / squash["limit"]) ** 2))] + [(False, gaps)] * column["indicator"]
    return inputs + [(True, np.clip((x - a) / (b - a), 0, 1)) for a, b in zip(edges, edges[1:])]

def predict(path, table):  # texts by columns, "" if missing; classes, and for each row their probabilities, or a value
    model, take = opened(path)
    encoding, target, nets = model["encoding"], model["encoding"]["target"], [model, *model.get("others", [])]
    table = table | derived_columns(encoding.get("derived", []), table)
    pairs = [pair for column in encoding["columns"] for pair in raw_inputs(column, table[column["name"]])]
    bins, raw = np.array([is_bin for is_bin, _ in pairs]), np.column_stack([numbers for _, numbers in pairs])
    inputs, scores = (raw - take(len(bins))) * take(len(bins)), 0
    for net in nets:
        x = inputs[:, ~bins] if net.get("plain") else inputs
        for layer in net["layers"]:
            units = layer["units"]
            x = (x @ take(units, layer["fan_in"]).T - take(units)) / take(units)
            if layer is not net["layers"][-1]:
                scale, shift = take(units, 2).T if model.get("norm") == "batchnorm-affine" else (1, 0)
                x = ACTIVATIONS[model["activation"]](scale * x + shift)
        scores = scores + (x + (take(units) if model["prior_offset"] else 0)) / len(nets)
    if encoding["task"] == "classification":
        chances = np.exp((scores - scores.max(axis=1, keepdims=True)) / model["temperature"])
        return target["classes"], chances / chances.sum(axis=1, keepdims=True)
    if target.get("transform") != "log": return [], target["mean"] + target["deviation"] * scores
    return [], np.exp(np.minimum(target["mean"] + target["deviation"] * np.minimum(scores, 10), 700))

if __name__ == "__main__":
    header, *rows = csv.reader(open(sys.argv[2], newline="", encoding="utf-8"))
    cells = np.char.strip(rows)
    cells[np.isin(np.char.lower(cells), MISSING)] = ""
    classes, answers = predict(sys.argv[1], dict(zip(header, cells.T)))
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["prediction", *("probability_" + name for name in classes)])
    out.writerows([classes[row.argmax()], *row] if classes else row for row in answers)
