"""scikit-learn's models. Each fit is one task with one thread; `fit` gives error, size and seconds."""
import time
import warnings

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

TRIALS = 50
SEARCH_ROWS = 5000  # larger tables are searched with so many rows; the widths found are then trained with all


def prepare(table):
    """The same treatment that coppice gives: images scaled as one, columns each on its own, texts as indicators."""
    if table.image:
        mean, deviation = table.inputs.mean(), table.inputs.std()
        return FunctionTransformer(lambda x: (x - mean) / deviation)
    numbers = make_pipeline(SimpleImputer(), StandardScaler())
    if table.inputs.dtype != object:
        return numbers
    texts = make_pipeline(SimpleImputer(strategy="constant", fill_value="-", missing_values=None),
                          OneHotEncoder(handle_unknown="ignore"))
    is_text = [any(isinstance(cell, str) for cell in column) for column in table.inputs.T]
    return ColumnTransformer([("numbers", numbers, [i for i, text in enumerate(is_text) if not text]),
                              ("texts", texts, [i for i, text in enumerate(is_text) if text])])


def widths(trial, seed):
    """One to three layers of 10 to 500 units, evenly over the logarithm."""
    rng = np.random.default_rng([seed, trial])
    return tuple(int(round(w)) for w in np.exp(rng.uniform(np.log(10), np.log(500), rng.integers(1, 4))))


def make(method, classes, seed, rows, layers=None):
    if method == "linear":
        return LogisticRegression(max_iter=1000) if classes else Ridge()
    if method == "boosting":
        return (HistGradientBoostingClassifier if classes else HistGradientBoostingRegressor)(random_state=seed)
    network = MLPClassifier if classes else MLPRegressor
    if method == "mlp":
        return network(random_state=seed)
    # A small table is one batch of 200 rows: the usual ten epochs of patience would be ten steps.
    patience = max(10, 100 // (rows // 200 + 1))
    return network(hidden_layer_sizes=layers, early_stopping=True, validation_fraction=1 / 6, n_iter_no_change=patience,
                   max_iter=400, random_state=seed)


def size(model):
    """Weights and biases; of trees, all nodes."""
    if hasattr(model, "_predictors"):
        return sum(len(tree.nodes) for stage in model._predictors for tree in stage)
    if hasattr(model, "coefs_"):
        return sum(a.size for a in model.coefs_) + sum(a.size for a in model.intercepts_)
    return int(np.size(model.coef_) + np.size(model.intercept_))


def fit(train, test, method, seed, layers=None):
    warnings.filterwarnings("ignore")
    transform = prepare(train)
    model = make(method, train.classes, seed, len(train.target), layers)
    mean, deviation = (0, 1) if train.classes else (train.target.mean(), train.target.std())
    goal = (lambda target: target) if train.classes else (lambda target: (target - mean) / deviation)
    start = time.perf_counter()
    model.fit(transform.fit_transform(train.inputs), goal(train.target))
    seconds = time.perf_counter() - start
    result = {"error": 1 - model.score(transform.transform(test.inputs), goal(test.target)), "seconds": seconds,
              "parameters": int(size(model))}
    if layers:
        result.update(layers=layers, validation=float(1 - model.best_validation_score_), loss=float(model.loss_))
    return result
