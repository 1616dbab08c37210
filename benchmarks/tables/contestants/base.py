"""What a contestant does. Only `fit` and `predict` are timed; `take` gives the rows the form its users have them in."""
from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import Any

import numpy as np

from data import Table


@dataclass(frozen=True)
class Prediction:
    answers: np.ndarray  # codes of classes, or numbers
    probabilities: np.ndarray | None = None  # rows x classes


@dataclass(frozen=True)
class Size:
    bytes: int  # of the model as it is saved
    parameters: int | None = None  # of nets


class Contestant:
    def __init__(self, classes: int, seed: int) -> None:
        self.classes, self.seed = classes, seed

    def take(self, rows: Table) -> Any:
        return frame(rows)

    def fit(self, taken: Any, rows: Table) -> None:
        raise NotImplementedError

    def predict(self, taken: Any) -> Prediction:
        raise NotImplementedError

    def size(self) -> Size:
        raise NotImplementedError

    def versions(self) -> str:
        raise NotImplementedError


class Estimator(Contestant):
    """One with the functions of scikit-learn in `model`."""

    model: Any

    def fit(self, taken: Any, rows: Table) -> None:
        self.model.fit(taken, rows.target)

    def predict(self, taken: Any) -> Prediction:
        if not self.classes:
            return Prediction(np.asarray(self.model.predict(taken), dtype=float).ravel())
        probabilities = np.asarray(self.model.predict_proba(taken), dtype=float)
        return Prediction(probabilities.argmax(axis=1), probabilities)

    def size(self) -> Size:
        return Size(len(pickle.dumps(self.model)))


def frame(rows: Table) -> Any:
    """A pandas table: numbers, and texts as they are, None where missing."""
    import pandas

    columns = {}
    for column in rows.columns:
        texts = np.where(column.cells == "", None, column.cells)
        columns[column.name] = pandas.Series(texts, dtype=object) if column.numbers is None else column.numbers
    return pandas.DataFrame(columns)


def text_names(table: Any) -> list[str]:
    return [name for name in table.columns if table[name].dtype == object]


class Categories:
    """Texts as pandas categories; those that training did not show are missing."""

    def __init__(self, table: Any) -> None:
        self.known = {name: sorted(table[name].dropna().unique()) for name in text_names(table)}

    def __call__(self, table: Any) -> Any:
        import pandas

        return table.assign(**{name: pandas.Categorical(table[name], categories=known)
                               for name, known in self.known.items()})


class WithCategories(Estimator):
    """An estimator that knows pandas' categories and missing cells by itself."""

    def fit(self, taken: Any, rows: Table) -> None:
        self.categories = Categories(taken)
        super().fit(self.categories(taken), rows)

    def predict(self, taken: Any) -> Prediction:
        return super().predict(self.categories(taken))
