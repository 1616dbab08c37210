"""Coppice: neural networks that find their own size.

Estimators for scikit-learn (`CoppiceClassifier`, `CoppiceRegressor`) and the plain functions `train`, `load` and `cv`.
Names are imported when they are first used: ``import coppice`` itself costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._classifier import CoppiceClassifier as CoppiceClassifier
    from ._cross import cv as cv
    from ._errors import CoppiceWarning as CoppiceWarning
    from ._functions import load as load
    from ._functions import train as train
    from ._model import Model as Model
    from ._regressor import CoppiceRegressor as CoppiceRegressor
    from ._result import Result as Result
    from ._settings import settings as settings
    from ._training import EpochReport as EpochReport
    from ._training import StopTraining as StopTraining

    __version__: str

_homes = {
    "CoppiceClassifier": "_classifier",
    "CoppiceRegressor": "_regressor",
    "CoppiceWarning": "_errors",
    "EpochReport": "_training",
    "Model": "_model",
    "Result": "_result",
    "StopTraining": "_training",
    "cv": "_cross",
    "load": "_functions",
    "settings": "_settings",
    "train": "_functions",
}

__all__ = [
    "CoppiceClassifier",
    "CoppiceRegressor",
    "CoppiceWarning",
    "EpochReport",
    "Model",
    "Result",
    "StopTraining",
    "cv",
    "load",
    "settings",
    "train",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from ._library import version

        return version()
    if name not in _homes:
        raise AttributeError(f"module 'coppice' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"coppice.{_homes[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
