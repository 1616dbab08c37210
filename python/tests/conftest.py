"""What the tests share: a small table, settings of a second or so, the program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import settings

from coppice._program import program_path

# The same tables every time; --hypothesis-profile=default tries others.
settings.register_profile("same", derandomize=True)
settings.load_profile("same")

QUICK: dict[str, Any] = {"effort": "quick", "ensemble": "off", "lambda_": 0.01, "max_epochs": 12}


@pytest.fixture
def quick() -> dict[str, Any]:
    """One net, few epochs."""
    return dict(QUICK)


@pytest.fixture(scope="session")
def ring() -> tuple[Any, Any]:
    """Points of the plane, and whether they are inside a circle."""
    points = np.random.default_rng(1).uniform(-1, 1, size=(300, 2))
    return points, np.where((points**2).sum(axis=1) < 0.6, "in", "out")


@pytest.fixture(scope="session")
def program() -> Path:
    path = program_path()
    if not path.exists():
        pytest.skip(f"there is no program at {path}")
    return path
