"""scikit-learn's base classes where it is installed; as much of them as the estimators need where it is not."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:

    class BaseEstimator:
        def get_params(self, deep: bool = True) -> dict[str, Any]: ...
        def set_params(self, **params: Any) -> Any: ...
        def __sklearn_tags__(self) -> Any: ...
        def _repr_html_(self) -> str: ...
        def __getstate__(self) -> Any: ...
        def __setstate__(self, state: Any) -> None: ...

    class ClassifierMixin:
        def score(self, X: Any, y: Any, sample_weight: Any = None) -> float: ...

    class RegressorMixin:
        def score(self, X: Any, y: Any, sample_weight: Any = None) -> float: ...

    class NotFittedError(ValueError, AttributeError): ...

    class DataConversionWarning(UserWarning): ...

else:
    try:
        from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
        from sklearn.exceptions import DataConversionWarning, NotFittedError
    except ImportError:
        import numpy as np

        class NotFittedError(ValueError, AttributeError):
            """An estimator is used before it is fitted."""

        class DataConversionWarning(UserWarning):
            """Data was taken in another shape than it came in."""

        class BaseEstimator:
            """Parameters by the names of the constructor."""

            def get_params(self, deep: bool = True) -> dict[str, Any]:
                names = inspect.signature(type(self).__init__).parameters
                return {name: getattr(self, name) for name in names if name != "self"}

            def set_params(self, **params: Any) -> Any:
                known = self.get_params()
                for name, value in params.items():
                    if name not in known:
                        raise ValueError(f"Invalid parameter {name!r} for estimator {type(self).__name__}.")
                    setattr(self, name, value)
                return self

            def __getstate__(self) -> Any:
                return dict(self.__dict__)

            def __setstate__(self, state: Any) -> None:
                self.__dict__.update(state)

            def __repr__(self) -> str:
                given = ", ".join(f"{k}={v!r}" for k, v in self.get_params().items() if v is not None)
                return f"{type(self).__name__}({given})"

        class ClassifierMixin:
            def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
                """The share of rows whose class is predicted."""
                return float(np.average(self.predict(X) == np.asarray(y), weights=sample_weight))

        class RegressorMixin:
            def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
                """R2: 1 - squared error over the variance."""
                y = np.asarray(y, dtype=float)
                wrong = np.average((y - self.predict(X)) ** 2, weights=sample_weight)
                spread = np.average((y - np.average(y, weights=sample_weight)) ** 2, weights=sample_weight)
                return float(1 - wrong / spread)
