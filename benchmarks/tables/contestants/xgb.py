"""XGBoost, with its own treatment of pandas' categories."""
from __future__ import annotations

import xgboost

from .base import Contestant, Size, WithCategories


class XgBoost(WithCategories):
    def __init__(self, classes: int, seed: int) -> None:
        super().__init__(classes, seed)
        self.model = (xgboost.XGBClassifier if classes else xgboost.XGBRegressor)(
            random_state=seed, n_jobs=1, enable_categorical=True)

    def size(self) -> Size:
        return Size(len(self.model.get_booster().save_raw("ubj")))

    def versions(self) -> str:
        return f"XGBoost {xgboost.__version__}"


def make(name: str, classes: int, seed: int, program: str | None) -> Contestant:
    return XgBoost(classes, seed)
