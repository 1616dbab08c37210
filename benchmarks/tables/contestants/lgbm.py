"""LightGBM; it takes pandas' categories as such by default."""
from __future__ import annotations

import lightgbm

from .base import Contestant, Size, WithCategories


class LightGbm(WithCategories):
    def __init__(self, classes: int, seed: int) -> None:
        super().__init__(classes, seed)
        self.model = (lightgbm.LGBMClassifier if classes else lightgbm.LGBMRegressor)(
            random_state=seed, n_jobs=1, verbose=-1)

    def size(self) -> Size:
        return Size(len(self.model.booster_.model_to_string().encode()))

    def versions(self) -> str:
        return f"LightGBM {lightgbm.__version__}"


def make(name: str, classes: int, seed: int, program: str | None) -> Contestant:
    return LightGbm(classes, seed)
