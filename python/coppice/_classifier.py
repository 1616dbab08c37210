"""The classifier."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._base import ClassifierMixin
from ._columns import Array, Codes, Column
from ._estimator import Estimator
from ._model import Prediction
from ._parameters import with_settings

_missing_words = {"", "na", "n/a", "nan", "null", "?"}


def _class_names(labels: Array) -> list[str]:
    """What the library calls the classes: their own names, unless it would take two for one or one for missing."""
    names = [_class_name(label) for label in labels.tolist()]
    if len({_value(name) for name in names}) == len(names) and not _missing_words & {n.strip().lower() for n in names}:
        return names
    return [f"{i}: {name}" for i, name in enumerate(names)]


def _class_name(label: Any) -> str:
    return str(int(label)) if isinstance(label, float) and label.is_integer() else str(label)


def _value(name: str) -> Any:
    """Numbers are the same class however they are written."""
    try:
        return float(name)
    except ValueError:
        return name.strip()


def _require_classes(y: Array) -> None:
    if y.dtype.kind == "f" and not bool((y == np.rint(y)).all()):
        raise ValueError(
            "Unknown label type: continuous. Maybe you are trying to fit a classifier, which expects discrete classes on a "
            "regression target with continuous values."
        )
    if y.dtype.kind == "O" and len({isinstance(label, str) for label in y}) > 1:
        raise ValueError("Unknown label type: unknown. Labels are texts and numbers mixed; convert them to texts")


@with_settings
class CoppiceClassifier(ClassifierMixin, Estimator):
    """Tells classes apart by neural networks that find their own size.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).uniform(-1, 1, size=(300, 2))
    >>> y = np.where((X**2).sum(axis=1) < 0.6, "inside", "outside")
    >>> fitted = CoppiceClassifier(effort="quick", ensemble="off", lambda_=0.001).fit(X, y)
    >>> fitted.predict([[0, 0], [1, 1]]).tolist()
    ['inside', 'outside']
    """

    task = "classification"
    classes_: Array

    def _learn_target(self, y: Array) -> Array:
        _require_classes(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"y has one class only, {self.classes_.tolist()[0]!r}; a classifier needs at least two classes")
        self._names = _class_names(self.classes_)
        return codes.astype(np.int32)

    def _codes_of(self, y: Array) -> Array:
        known = np.searchsorted(self.classes_, y)
        known[known == len(self.classes_)] = 0
        if bool((self.classes_[known] != y).any()):
            raise ValueError("eval_set: y has a class that the y to learn from has not")
        return known.astype(np.int32)

    def _target_column(self, name: str, y: Array) -> Column:
        return Codes(name, y, self._names)

    def _columns_of(self, prediction: Prediction) -> Array | None:
        """Where each class of the model stands among `classes_`; None: it has the same ones."""
        if prediction.class_names == self._names:
            return None
        place = {name: i for i, name in enumerate(self._names)}
        return np.array([place[name] for name in prediction.class_names])

    def predict(self, X: Any) -> Any:
        """The class of each row."""
        prediction = self._answers(X)
        assert prediction.classes is not None
        columns = self._columns_of(prediction)
        return self._given(X, self.classes_[prediction.classes if columns is None else columns[prediction.classes]])

    def _all_classes(self, prediction: Prediction, values: Array) -> Array:
        """A column for each of `classes_`, also for those that the model does not know."""
        columns = self._columns_of(prediction)
        if columns is None:
            return values
        all_classes = np.zeros((len(values), len(self.classes_)), values.dtype)
        all_classes[:, columns] = values
        return all_classes

    def _probabilities(self, X: Any) -> Array:
        prediction = self._answers(X)
        assert prediction.probabilities is not None
        return self._all_classes(prediction, prediction.probabilities)

    def predict_proba(self, X: Any) -> Any:
        """The probability of each class, in the order of `classes_`."""
        return self._given_table(X, self._probabilities(X), self.classes_.tolist())

    def predict_set(self, X: Any, level: float = 0.9) -> Any:
        """Whether each class, in the order of `classes_`, is in the row's set: right for this share of rows like those
        learned from."""
        prediction = self._answers(X, level)
        assert prediction.sets is not None
        return self._given_table(X, self._all_classes(prediction, prediction.sets), self.classes_.tolist())

    def predict_log_proba(self, X: Any) -> Any:
        """The logarithms of the probabilities."""
        with np.errstate(divide="ignore"):
            return self._given_table(X, np.asarray(np.log(self._probabilities(X))), self.classes_.tolist())
