"""scikit-learn's HistGradientBoosting; it takes pandas' categories as such by default."""
from __future__ import annotations

import sklearn
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

from .base import Contestant, WithCategories


class Hist(WithCategories):
    def __init__(self, classes: int, seed: int) -> None:
        super().__init__(classes, seed)
        self.model = (HistGradientBoostingClassifier if classes else HistGradientBoostingRegressor)(random_state=seed)

    def versions(self) -> str:
        return f"scikit-learn {sklearn.__version__}"


def make(name: str, classes: int, seed: int, program: str | None) -> Contestant:
    return Hist(classes, seed)
