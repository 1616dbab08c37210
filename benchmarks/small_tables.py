#!/usr/bin/env python3
"""Coppice without flags beyond --target on small tables, beside scikit-learn's defaults.

    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install scikit-learn pandas
    /tmp/peers/bin/python benchmarks/small_tables.py

Each table is split once, 70 % to train and 30 % to test; coppice trains 5 seeds, scikit-learn's network too.
Errors are shares of wrong rows, or 1 - R2 for the tables of numbers; median and worst of the seeds.
"""
import json
import pathlib
import statistics
import subprocess
import tempfile
import warnings

import numpy as np
import pandas as pd
from sklearn import datasets
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

ROOT = pathlib.Path(__file__).resolve().parent.parent
SEEDS = 5


def people(rows=3000):
    """Numbers, texts and missing cells, with an interaction that no linear model sees."""
    rng = np.random.default_rng(0)
    age, income = rng.normal(40, 12, rows), np.exp(rng.normal(10, 0.6, rows))
    sex = rng.choice(["m", "f"], rows)
    city = rng.choice(["Paris", "Rome", "Oslo", "Bonn"], rows, p=[0.5, 0.3, 0.15, 0.05]).astype(object)
    score = 0.05 * (age - 40) * np.where(sex == "m", 1, -1) + (np.log(income) - 10) ** 2 - 0.5
    score += np.where(city == "Rome", 1.5, 0) - np.where(city == "Oslo", 1, 0) + rng.normal(0, 0.5, rows)
    age[rng.random(rows) < 0.1] = np.nan
    city[rng.random(rows) < 0.05] = None
    frame = pd.DataFrame({"age": age, "sex": sex, "city": city, "income": income})
    return frame, np.where(score > 0, "yes", "no")


def tables():
    for load in (datasets.load_iris, datasets.load_wine, datasets.load_breast_cancer, datasets.load_digits):
        data = load(as_frame=True)
        names = np.array([str(name) for name in data.target_names])
        yield load.__name__[5:], data.data, names[data.target], True
    points, labels = datasets.make_moons(500, noise=0.2, random_state=0)
    yield "moons", pd.DataFrame(points, columns=["x", "y"]), np.array(["a", "b"])[labels], True
    yield ("people", *people(), True)
    points, labels = datasets.make_classification(50000, 20, n_informative=10, n_redundant=4, n_classes=4,
                                                  n_clusters_per_class=4, class_sep=1.2, random_state=1)
    yield "clusters", pd.DataFrame(points).add_prefix("x"), np.array(list("abcd"))[labels], True
    data = datasets.load_diabetes(as_frame=True)
    yield "diabetes", data.data, data.target, False
    points, values = datasets.make_friedman1(2000, noise=1.0, random_state=0)
    yield "friedman", pd.DataFrame(points).add_prefix("x"), values, False


def peers(train, test, classes):
    numbers = make_pipeline(SimpleImputer(), StandardScaler())
    texts = make_pipeline(SimpleImputer(strategy="constant", fill_value="-"), OneHotEncoder(handle_unknown="ignore"))
    prepare = make_column_transformer((numbers, make_column_selector(dtype_include=np.number)),
                                      (texts, make_column_selector(dtype_exclude=np.number)))
    models = [[LogisticRegression(max_iter=1000) if classes else Ridge()],
              [(MLPClassifier if classes else MLPRegressor)(max_iter=500, random_state=s) for s in range(SEEDS)],
              [HistGradientBoostingClassifier() if classes else HistGradientBoostingRegressor()]]
    for group in models:
        errors = [1 - make_pipeline(prepare, model).fit(train.drop(columns="target"), train.target)
                  .score(test.drop(columns="target"), test.target) for model in group]
        yield statistics.median(errors)


def coppice(train, test, folder):
    train.to_csv(folder / "train.csv", index=False)
    test.to_csv(folder / "test.csv", index=False)
    subprocess.run([ROOT / "build/bin/coppice", "train", folder / "train.csv", "--target", "target", "--test",
                    folder / "test.csv", "--seeds", str(SEEDS), "--quiet", "-o", folder / "run"], check=True)
    return json.loads((folder / "run/summary.json").read_text())


def main():
    warnings.filterwarnings("ignore")
    print("| table | rows | coppice: median error (worst) | units | seconds for 5 nets | linear | MLP | boosted trees |")
    print("|---|---|---|---|---|---|---|---|")
    for name, frame, target, classes in tables():
        frame = frame.assign(target=target)
        train, test = train_test_split(frame, test_size=0.3, random_state=0, stratify=target if classes else None)
        with tempfile.TemporaryDirectory() as folder:
            summary = coppice(train, test, pathlib.Path(folder))
        errors = sorted(net["test_error"] for net in summary["nets"])
        middle = sorted(summary["nets"], key=lambda net: net["parameters"])[SEEDS // 2]
        show = (lambda e: f"{100 * e:.1f} %") if classes else (lambda e: f"{e:.3f}")
        cells = [name, len(frame), f"{show(statistics.median(errors))} ({show(errors[-1])})",
                 "-".join(map(str, middle["hidden_units"])), f"{summary['seconds']:.0f}"]
        cells += [show(error) for error in peers(train, test, classes)]
        print("| " + " | ".join(map(str, cells)) + " |", flush=True)


if __name__ == "__main__":
    main()
