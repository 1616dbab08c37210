#!/usr/bin/env python3
"""Predicts with a model file as docs/model-format.md tells it, with numpy alone: read_model.py MODEL DATA.csv"""
import csv, datetime, json, sys, zlib
import numpy as np

MISSING = {"", "?", "na", "n/a", "nan", "null"}
ACTIVATIONS = {"relu": lambda y: np.maximum(y, 0), "leaky-relu": lambda y: np.where(y > 0, y, 0.01 * y), "abs": np.abs,
               "tanh": np.tanh, "identity": lambda y: y}

def width(column):  # network inputs that a column becomes
    bins = max(len(column.get("edges", [])) - 1, 0)
    return len(column["categories"]) + 1 if column["kind"] == "text" else 1 + column["indicator"] + bins

def load(path):
    data = open(path, "rb").read()
    version, checksum = np.frombuffer(data, "<u4", 2, 8)
    if data[:8] != b"COPPICE\n" or version not in (1, 2, 4, 7) or zlib.crc32(data[16:]) != checksum:
        sys.exit(f"{path}: no intact model file of version 1, 2, 4 or 7")
    size = int(np.frombuffer(data, "<u8", 1, 16)[0])
    model, floats = json.loads(data[24:24 + size]), iter(np.frombuffer(data, "<f4", -1, 24 + size).astype(float))
    take = lambda *shape: np.fromiter(floats, float, int(np.prod(shape))).reshape(shape)
    inputs = sum(map(width, model["encoding"]["columns"]))
    model["offset"], model["factor"], model["nets"] = take(inputs), take(inputs), [model, *model.get("others", [])]
    for net in model["nets"]:
        for layer in net["layers"]:
            units, last = layer["units"], layer is net["layers"][-1]
            layer.update(weights=take(units, layer["fan_in"]), mean=take(units), divisor=take(units))
            affine = model.get("norm") == "batchnorm-affine" and not last
            layer["scale"], layer["shift"] = take(units, 2).T if affine else (1, 0)
        net["class_offset"] = take(units) if model["prior_offset"] else 0
    return model

def derived(cell, kind, made):  # the number that a text becomes, by the name of the column made of it
    part, utc = made["name"].rsplit(" ", 1)[1], datetime.timezone.utc
    if cell.lower() in MISSING: return np.nan
    if part == "rank":
        word = " ".join(cell.lower().replace("_", " ").split())
        return kind["order"].index(word) if word in kind["order"] else np.nan
    if kind["kind"] == "time": return sum(float(x) / 60 ** i for i, x in enumerate(cell.split(":")))
    moment = datetime.datetime.fromisoformat(cell.replace("Z", "+00:00"))
    moment = moment.astimezone(utc) if moment.tzinfo else moment.replace(tzinfo=utc)
    days = (moment - datetime.datetime(1970, 1, 1, tzinfo=utc)) / datetime.timedelta(days=1)
    return {"day": days - kind.get("origin", 0), "month": moment.month, "weekday": moment.isoweekday(), "hour": days % 1 * 24}[part]

def raw_inputs(column, cells):  # one row per cell
    if column["kind"] == "text":
        places = {text: k for k, text in enumerate(column["categories"])}
        keys = ["" if cell.lower() in MISSING else cell for cell in cells]
        return np.eye(width(column))[[places.get(key, len(places)) for key in keys]]
    x = np.array([np.nan if str(cell).lower() in MISSING else float(cell) for cell in cells], np.float32).astype(float)
    gaps, x = np.isnan(x), np.where(np.isnan(x), column["fill"], x)
    squash, edges = column.get("squash"), np.array(column.get("edges", []))
    z = (x - squash["median"]) * squash["factor"] if squash else x
    values = [z / np.sqrt(1 + (z / squash["limit"]) ** 2) if squash else z] + [gaps] * column["indicator"]
    return np.column_stack(values + [np.clip((x - a) / (b - a), 0, 1) for a, b in zip(edges, edges[1:])])

def predict(model, table):
    encoding, raws, plain = model["encoding"], [], []
    made = {f"{kind['source']} {part}": kind for kind in encoding.get("derived", []) for part in ("day", "month", "weekday", "hour", "rank")}
    for column in encoding["columns"]:
        kind = made.get(column["name"])
        cells = [derived(cell, kind, column) for cell in table[kind["source"]]] if kind else table[column["name"]]
        raws.append(raw_inputs(column, cells))
        plain += [True] * width({**column, "edges": []}) + [False] * max(len(column.get("edges", [])) - 1, 0)
    inputs, scores, target = (np.hstack(raws) - model["offset"]) * model["factor"], 0, encoding["target"]
    for net in model["nets"]:
        x = inputs[:, plain] if net.get("plain") else inputs
        for layer in net["layers"]:
            y = (x @ layer["weights"].T - layer["mean"]) / layer["divisor"] * layer["scale"] + layer["shift"]
            x = y if layer is net["layers"][-1] else ACTIVATIONS[model["activation"]](y)
        scores = scores + (x + net["class_offset"]) / len(model["nets"])
    if encoding["task"] == "regression":
        log = target.get("transform") == "log"
        value = target["mean"] + target["deviation"] * (np.minimum(scores, 10) if log else scores)
        return np.exp(np.minimum(value, 700)) if log else value
    chances = np.exp((scores - scores.max(axis=1, keepdims=True)) / model["temperature"])
    return chances / chances.sum(axis=1, keepdims=True)

if __name__ == "__main__":
    model = load(sys.argv[1])
    header, *rows = csv.reader(open(sys.argv[2], newline="", encoding="utf-8"))
    answers = predict(model, {name: [row[i].strip() for row in rows] for i, name in enumerate(header)})
    classes, out = model["encoding"]["target"]["classes"], csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["prediction", *("probability_" + name for name in classes)])
    for row in answers:
        out.writerow([classes[row.argmax()], *(f"{p:.6f}" for p in row)] if classes else [f"{row[0]:.7g}"])
