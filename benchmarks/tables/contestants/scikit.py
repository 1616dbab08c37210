"""scikit-learn's linear models and its MLP, on standardised columns and one-hot texts, as its documentation advises."""
from __future__ import annotations

import sklearn
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor, make_column_selector
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from .base import Contestant, Estimator, Size


def columns() -> ColumnTransformer:
    numbers = make_pipeline(SimpleImputer(), StandardScaler())
    texts = make_pipeline(SimpleImputer(strategy="constant", fill_value="missing", missing_values=None),
                          OneHotEncoder(handle_unknown="ignore"))
    return ColumnTransformer([("numbers", numbers, make_column_selector(dtype_include="number")),
                              ("texts", texts, make_column_selector(dtype_include=object))])


class Scikit(Estimator):
    def __init__(self, name: str, classes: int, seed: int) -> None:
        super().__init__(classes, seed)
        self.name = name
        if name == "linear":
            last = LogisticRegression(max_iter=1000) if classes else Ridge()
        elif classes:
            last = MLPClassifier(random_state=seed)
        else:
            last = TransformedTargetRegressor(MLPRegressor(random_state=seed), transformer=StandardScaler())
        self.model = make_pipeline(columns(), last)

    def size(self) -> Size:
        last = self.model[-1]
        if self.name == "linear":
            return Size(super().size().bytes, int(last.coef_.size + last.intercept_.size if self.classes
                                                  else last.coef_.size + 1))
        net = last if self.classes else last.regressor_
        return Size(super().size().bytes, sum(a.size for a in net.coefs_) + sum(a.size for a in net.intercepts_))

    def versions(self) -> str:
        return f"scikit-learn {sklearn.__version__}"


def make(name: str, classes: int, seed: int, program: str | None) -> Contestant:
    return Scikit(name, classes, seed)
