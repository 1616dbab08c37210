"""The regressor."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._base import RegressorMixin
from ._columns import Array, Column, Numbers
from ._estimator import Estimator
from ._parameters import with_settings


@with_settings
class CoppiceRegressor(RegressorMixin, Estimator):
    """Predicts numbers by neural networks that find their own size.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).uniform(-1, 1, size=(300, 2))
    >>> fitted = CoppiceRegressor(effort="quick", ensemble="off", lambda_=0.001).fit(X, np.sin(3 * X[:, 0]))
    >>> bool(abs(fitted.predict([[0.5, 0]])[0] - np.sin(1.5)) < 0.2)
    True
    """

    task = "regression"

    def _learn_target(self, y: Array) -> Array:
        try:
            return y.astype(np.float64)
        except (TypeError, ValueError):
            raise ValueError("y: a regressor learns numbers; CoppiceClassifier learns classes") from None

    def _codes_of(self, y: Array) -> Array:
        return self._learn_target(y)

    def _target_column(self, name: str, y: Array) -> Column:
        return Numbers(name, y)

    def predict(self, X: Any) -> Any:
        """The value of each row."""
        values = self._answers(X).values
        assert values is not None
        return self._given(X, values)

    def predict_interval(self, X: Any, level: float = 0.9) -> tuple[Any, Any]:
        """Bounds of each row's value, right for this share of rows like those learned from."""
        found = self._answers(X, level)
        assert found.lower is not None and found.upper is not None
        return self._given(X, found.lower), self._given(X, found.upper)
