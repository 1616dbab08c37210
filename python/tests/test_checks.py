"""scikit-learn's own checks, all of them."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("sklearn")
from sklearn.utils.estimator_checks import check_estimator

from coppice import CoppiceClassifier, CoppiceRegressor


def failures(estimator: Any) -> list[str]:
    results = check_estimator(estimator, on_skip=None, on_fail=None)
    assert len(results) > 50
    # Skipped: what needs an environment variable of scipy.
    return [f"{r['check_name']}: {r['exception']}" for r in results if r["status"] not in ("passed", "skipped")]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", [CoppiceClassifier, CoppiceRegressor])
def test_every_check_passes(kind: Any) -> None:
    assert failures(kind(effort="quick", ensemble="off", max_epochs=60)) == []


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", [CoppiceClassifier, CoppiceRegressor])
def test_every_check_passes_as_it_comes(kind: Any) -> None:
    assert failures(kind()) == []
