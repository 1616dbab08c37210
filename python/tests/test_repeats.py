"""A row and its repetitions are on one side of every split."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from coppice import CoppiceClassifier
from coppice._columns import Rows
from coppice._order import in_order


def groups_of(X: Any, y: Any, weights: Any = None) -> Any:
    return in_order("auto", Rows.of_matrix(np.asarray(X, np.float32)), np.asarray(y), weights).groups


def test_repetitions_are_groups() -> None:
    random = np.random.default_rng(0)
    X, y = random.normal(size=(30, 3)), random.integers(0, 2, 30)
    weights = random.integers(0, 5, 30).astype(float)
    groups = groups_of(X, y, weights)
    assert sorted(np.bincount(groups)[1:]) == sorted(weights[weights > 0])
    assert (groups == groups_of(X.repeat(weights.astype(int), axis=0), y.repeat(weights.astype(int)))).all()
    assert groups_of(X, y) is None
    # Another answer to the same row is another row.
    assert groups_of(np.vstack([X, X[:1]]), [*y, 1 - y[0]]) is None


def test_missing_cells_and_whole_numbers() -> None:
    random = np.random.default_rng(1)
    pixels = random.integers(0, 17, (40, 20)).astype(float)
    pixels[random.random((40, 20)) < 0.1] = np.nan
    y = random.integers(0, 2, 40)
    assert len(np.unique(groups_of(pixels, y, np.full(40, 2.0)))) == 40


def test_rows_that_are_the_same_by_chance_are_none() -> None:
    random = np.random.default_rng(2)
    X = random.integers(0, 3, (200, 3))
    assert groups_of(X, random.integers(0, 2, 200)) is None
    assert groups_of(X, random.integers(0, 2, 200), np.full(200, 2.0)) is None
    assert groups_of(np.zeros((10, 2)), np.zeros(10)) is None


def test_noise_cannot_be_learned_from_repetitions(quick: dict[str, Any]) -> None:
    """Answers by chance: who finds a row among those to learn from and among those to validate on is right more often."""
    random = np.random.default_rng(3)
    X, y = random.normal(size=(150, 8)), random.integers(0, 2, 150)
    nets = {"fixed_size": [100], "optimizer": "adam", "max_epochs": 200, "ensemble": "off"}
    weighted = CoppiceClassifier(**nets).fit(X, y, sample_weight=np.full(150, 8))
    assert weighted.validation_error_ > 0.3
    assert CoppiceClassifier(**nets).fit(X.repeat(8, axis=0), y.repeat(8)).model_.bytes() == weighted.model_.bytes()


@pytest.mark.parametrize("settings", [{"group": "column3"}, {"fold": "column3"}, {"ensemble": 40}])
def test_what_is_set_about_splits_stays(settings: dict[str, Any]) -> None:
    random = np.random.default_rng(4)
    X = np.column_stack([random.normal(size=(30, 2)), np.arange(30) % 5])
    y = np.arange(30) % 2
    fitted = CoppiceClassifier(effort="quick", lambda_=0.01, max_epochs=3, **settings).fit(X.repeat(3, axis=0), y.repeat(3))
    assert fitted.settings_.get("group") == settings.get("group")
