"""CatBoost; texts are given as they are, a missing one as a text of its own, as it takes no gaps there."""
from __future__ import annotations

import pathlib
import tempfile
from typing import Any

import catboost

from data import Table

from .base import Contestant, Estimator, Size, frame, text_names


class CatBoost(Estimator):
    def __init__(self, classes: int, seed: int) -> None:
        super().__init__(classes, seed)
        self.model = (catboost.CatBoostClassifier if classes else catboost.CatBoostRegressor)(
            random_seed=seed, thread_count=1, verbose=False, allow_writing_files=False)

    def take(self, rows: Table) -> Any:
        table = frame(rows)
        return table.fillna({name: "missing" for name in text_names(table)})

    def fit(self, taken: Any, rows: Table) -> None:
        self.model.fit(taken, rows.target, cat_features=text_names(taken))

    def size(self) -> Size:
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "model.cbm"
            self.model.save_model(str(file))
            return Size(file.stat().st_size)

    def versions(self) -> str:
        return f"CatBoost {catboost.__version__}"


def make(name: str, classes: int, seed: int, program: str | None) -> Contestant:
    return CatBoost(classes, seed)
