"""Cross-validation: the nets of all folds are trained as one population."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ._columns import Array, Numbers
from ._inputs import free_name
from ._library import library
from ._result import Result
from ._rows import rows_of
from ._settings import Options
from ._training import trained


@dataclass(frozen=True)
class CrossValidation:
    """Validation errors of each lambda: `errors` has a row per lambda, a column per fold."""

    lambdas: list[float]
    errors: Array
    result: Result

    @property
    def mean(self) -> Array:
        return np.asarray(self.errors.mean(axis=1))

    @property
    def standard_error(self) -> Array:
        return np.asarray(self.errors.std(axis=1, ddof=1) / np.sqrt(self.errors.shape[1]))

    @property
    def best(self) -> float:
        """The lambda with the lowest mean."""
        return self.lambdas[int(self.mean.argmin())]


def _folds(rows: int, folds: int, seed: int) -> Array:
    """A fold for each row, as many rows in each as can be."""
    return np.random.default_rng(seed).permutation(np.arange(rows) % folds).astype(np.int64)


def cv(
    data: Any, target: str, *, folds: Any = 5, lambda_: Any = (0.01, 0.003, 0.001), seed: int = 0, **settings: Any
) -> CrossValidation:
    """Trains a net for each lambda and fold, all of them side by side, and tells the error of each on its fold.

    A fold also decides when its net stops, so the errors are a little too good; they are for choosing among lambdas.

    Parameters
    ----------
    data : DataFrame, Arrow stream, array
        With the answers in the column `target`.
    folds : int or array
        How many, or the fold of each row.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(200, 3))
    >>> crossed = cv(X, "column3", folds=3, lambda_=[0.1, 0.01], effort="quick", max_epochs=5)
    >>> crossed.errors.shape, crossed.best in (0.1, 0.01)
    ((2, 3), True)
    """
    rows = rows_of(data)
    given = _folds(rows.count, folds, seed) if isinstance(folds, int) else np.unique(folds, return_inverse=True)[1]
    count = len(np.unique(given))
    if count < 2:
        raise ValueError("folds: needs at least 2")
    name = free_name("fold", rows.names, rows.width)
    lambdas = [float(one) for one in np.atleast_1d(lambda_)]
    wanted = {"target": target, "fold": name, "seeds": count, "seed": seed, "lambda_": lambdas, "ensemble": "off"}
    options = Options.of({**wanted, **settings})
    table = rows.with_column(Numbers(name, np.asarray(given, dtype=np.int64))).table()
    result = trained(library().train, [table, options])
    errors = [
        [net["validation_error"] for net in result.front if net["lambda_"] == one and net["kind"] == "grown"] for one in lambdas
    ]
    return CrossValidation(lambdas=lambdas, errors=np.array(errors), result=result)
