"""Run directories such as coppice train writes, small and made up, for tests of the page."""

import json
import math
import os

HOSTILE = "</script><img src=x onerror=alert(1)>"


def journal(nets, epochs=40):
    lines = []
    for net in range(nets):
        widths, unit = [10, 10], 10
        for epoch in range(1, epochs + 1):
            at = {"net": net, "epoch": epoch}
            for layer in (1, 2):
                if epoch <= 20:
                    lines.append({"event": "born", **at, "layer": layer, "unit": unit})
                    widths[layer - 1] += 1
                elif epoch <= 28:
                    lines.append({"event": "died", **at, "layer": layer, "unit": 10 + layer - 1 + 2 * (epoch - 21)})
                    widths[layer - 1] -= 1
                unit += epoch <= 20
            lines.append({"event": "epoch", **at, "phase": "grow" if epoch <= 20 else "settle",
                          "train_loss": 0.3 + 1 / epoch, "validation_error": 0.1 + 0.05 * math.cos(epoch) / epoch,
                          "hidden_units": list(widths)})
            if epoch % 10 == 0:
                for layer in (1, 2):
                    units = list(range(10)) + ([10 + layer - 1] if epoch <= 20 else [])
                    lengths = [1 / (u + epoch) for u in units]
                    lines.append({"event": "lengths", **at, "layer": layer, "units": units, "fan_in": lengths,
                                  "fan_out": lengths})
            if epoch == 38:
                lines.append({"event": "rewind", **at, "to_epoch": 34, "phase": "polish"})
        lines.append({"event": "end", "net": net, "epoch": epochs, "phase": "done"})
    return "".join(json.dumps(line) + "\n" for line in lines)


def summary(task):
    nets = [{"id": i, "lambda": 0.1 / 3 ** i, "seed": 0, "hidden_units": [22, 22], "parameters": 100 * 3 ** i,
             "train_loss": 0.33, "validation_error": error, "test_error": error + 0.01, "standard_error": 0.01,
             "dominated": i == 2, "bytes": 1000 * (i + 1), "epochs": 40, "phase": "done", "model": f"net-{i}.coppice"}
            for i, error in enumerate((0.2, 0.1, 0.15))]
    return {"nets": nets, "best": 1, "chosen": 1, "task": task, "seconds": 3.5, "threads": 2, "device": "cpu",
            "version": "0.1.0", "pick": {"rule": "best", "max_parameters": None, "max_bytes": None}}


def analysis(kind):
    names = [HOSTILE, "b&b", "c"]
    layers = [{"kind": "input", "units": 3, "fan_in": [], "fan_out": [3, 2, 1], "names": names},
              {"kind": "hidden", "units": 22, "fan_in": [2, 1], "fan_out": [2, 1]},
              {"kind": "output", "units": 3, "fan_in": [1, 1, 1], "fan_out": [], "names": names}]
    links = [{"layer": 0, "from": i, "to": i % 2, "weight": 1 - i} for i in range(3)]
    links += [{"layer": 1, "from": i % 2, "to": i, "weight": i - 1.5} for i in range(3)]
    ranked = [{"column": name, "value": 0.3 - 0.1 * i} for i, name in enumerate(names)]
    bins = [{"confidence": c, "accuracy": c - 0.05, "rows": 30} for c in (0.45, 0.65, 0.95)]
    numbers = kind == "numbers"
    two = kind == "two"
    names = names[:2] if two else names
    target = {"name": HOSTILE, "kind": "number", "mean": 5, "deviation": 2, "min": 0, "max": 9} if numbers else {
        "name": HOSTILE, "kind": "classes", "classes": [{"name": name, "rows": 30} for name in names]}
    outputs = 1 if numbers else len(names)
    steps = [[x / 20 if k == outputs - 1 else (1 - x / 20) / max(outputs - 1, 1) for k in range(outputs)] for x in range(21)]
    dependence = [{"column": HOSTILE, "number": True, "values": [str(x) for x in range(21)], "answers": steps},
                  {"column": "a text of many letters, which is long", "number": False, "values": ["Ulm", HOSTILE, "x" * 60],
                   "answers": steps[3:6]}]
    interactions = [{"columns": names[:2], "values": [[str(100.5 * x) for x in range(8)], ["a long value " + str(x) for x in range(8)]],
                     "class": None if numbers else HOSTILE, "joint": 0.05,
                     "answers": [[x * y / 49 for x in range(8)] for y in range(8)]}]
    curves = [{"class": name, "auc": 0.9, "points": [[1 - x / 10, (x / 10) ** 2, x / 10, 1 - x / 20] for x in range(1, 11)]}
              for name in (names[1:] if two else names)]
    # Of 30 rows of the class so many are found, and so many of 60 others.
    at = [[x / 10, 30 - 3 * x, 6 * (10 - x) * (10 - x) // 10] for x in range(11)]
    return {
        "out_of_fold": False, "one_answer": False,
        "metrics": {"error": 0.1, "rmse": 0.5, "mae": 0.4, "r2": 0.9, "log_loss": 0.3, "auc": 0.9, "balanced_error": 0.1, "f1": 0.9},
        "per_class": [] if numbers else [{"class": name, "rows": 30, "precision": 0.9, "recall": 0.8, "f1": None} for name in names],
        "curves": [] if numbers else curves,
        "thresholds": {"class": names[1], "positives": 30, "negatives": 60, "at": at, "best_f1": 0.3,
                       "best_balanced_error": 0.21} if two else None,
        "averaged": 90, "dependence": [] if kind == "images" else dependence,
        "interactions": [] if kind == "images" else interactions,
        "typical": [{"column": name, "usual": "1", "values": ["1", "2"]} for name in names],
        "net": 1, "rows": "test", "n": 90,
        "data": {"file": f"/data/{HOSTILE}.csv", "format": "csv", "target": target, "columns_total": 3,
                 "rows": {"train": 300, "validation": 60, "test": 90},
                 "columns": [{"name": name, "kind": "number", "missing": 2, "inputs": 1, "mean": 1.5, "deviation": 0.5}
                             for name in names],
                 "image": {"rows": 8, "cols": 8} if kind == "images" else None},
        "confusion": None if numbers else {"classes": names, "counts": [[25, 5], [1, 29]] if two else [[25, 5, 0], [1, 29, 0], [2, 3, 25]]},
        "actual_predicted": {"actual": list(range(50)), "predicted": [1.1 * i for i in range(50)]} if numbers else None,
        "calibration": None if numbers else {"before": bins, "after": bins, "temperature": 0.5, "log_loss_before": 0.5,
                                             "log_loss_after": 0.4, "ece_before": 0.1, "ece_after": 0.05},
        "importance": None if kind == "images" else {"fan_out": ranked, "permutation": ranked},
        "image_importance": None if kind != "images" else {"rows": 8, "cols": 8, "fan_out": list(range(64)),
                                                           "permutation": [i % 8 for i in range(64)], "block": 1},
        "network": {"layers": layers, "links": links}}


def write_run(folder, kind):
    """`kind`: classes, two (of them), numbers or images."""
    os.makedirs(folder)
    task = "regression" if kind == "numbers" else "classification"
    files = {"config.json": {"data": f"/data/{HOSTILE}.csv", "target": HOSTILE, "task": task, "lambda": [0.1, 0.03],
                             "checksums": {"data": "e5ebefc4"}, "version": "0.1.0"},
             "summary.json": summary(task), "analysis.json": analysis(kind)}
    for name, value in files.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            json.dump(value, file)
    with open(os.path.join(folder, "journal.jsonl"), "w", encoding="utf-8") as file:
        file.write(journal(3))
