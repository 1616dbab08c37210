"""Coppice itself, started as a user would."""
import csv
import json
import pathlib
import subprocess
import tempfile
import time


def write_csv(table, file):
    with open(file, "w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow([f"x{i}" for i in range(table.inputs.shape[1])] + ["target"])
        for row, target in zip(table.inputs.tolist(), table.target.tolist()):
            writer.writerow(["" if cell is None or cell != cell else cell for cell in row] + [target])


def train(program, train_table, test_table, seed, flags):
    """Trains with no flag but those given and what names the data. The net that the run chose counts."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        write_csv(train_table, folder / "train.csv")
        write_csv(test_table, folder / "test.csv")
        scale = ["--scale", "global"] if train_table.image else []
        start = time.perf_counter()
        subprocess.run([program, "train", folder / "train.csv", "--target", "target", "--test", folder / "test.csv",
                        "--seed", str(seed), "--quiet", "-o", folder / "run", *scale, *flags], check=True,
                       stderr=subprocess.DEVNULL)
        seconds = time.perf_counter() - start
        summary = json.loads((folder / "run/summary.json").read_text())
    net = summary["nets"][summary.get("chosen", summary["best"])]
    return {"error": net["test_error"], "seconds": seconds, "parameters": net["parameters"],
            "units": net["hidden_units"], "lambda": net["lambda"], "epochs": net["epochs"]}
