"""Every method that is compared, by name. A module per family makes them; it is imported only where it fits."""
from __future__ import annotations

import importlib
from dataclasses import dataclass

from .base import Contestant


@dataclass(frozen=True)
class Method:
    title: str
    module: str
    seconds: float  # of a fit of 5,000 rows, very roughly: for the first guess of how long all will take
    settings: str  # what differs from its defaults, and what it is given


# In the order in which they are fitted: the fast ones first.
METHODS = {
    "constant": Method("always the same", "constant", 0.1, "the most frequent class, the mean; not ranked"),
    "coppice": Method("Coppice", "program", 10, "`coppice train FILE --target target__`; --threads 1, --device cpu"),
    "coppice-single": Method("Coppice, one net", "program", 5, "the same with --ensemble off"),
    "coppice-before": Method("Coppice before", "program", 5, "the program of commit 1f6c748, as above"),
    "linear": Method("linear", "scikit", 0.5,
                     "scikit-learn: logistic (up to 1,000 iterations, so that it converges) or ridge regression; columns "
                     "standardised, gaps filled by the mean, texts one-hot"),
    "mlp": Method("scikit-learn MLP", "scikit", 5, "columns as for linear; numbers to predict standardised"),
    "histgb": Method("HistGradientBoosting", "hist", 3, "scikit-learn; texts as categories"),
    "lightgbm": Method("LightGBM", "lgbm", 2, "texts as categories"),
    "xgboost": Method("XGBoost", "xgb", 2, "texts as categories"),
    "realmlp": Method("RealMLP-TD", "tabkit", 60, "pytabkit; texts as categories, gaps in numbers filled by the mean "
                      "and marked by a column more"),
    "catboost": Method("CatBoost", "cat", 60, "texts as categories, a missing text as one more"),
    "tabm": Method("TabM-D", "tabkit", 200, "as RealMLP-TD"),
}
OURS = ("coppice", "coppice-single", "coppice-before")
PEERS = tuple(name for name in METHODS if name not in OURS and name != "constant")


def make(name: str, classes: int, seed: int, program: str | None) -> Contestant:
    module = importlib.import_module(f".{METHODS[name].module}", __name__)
    return module.make(name, classes, seed, program)
