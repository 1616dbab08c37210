"""Mean ranks over tables, Friedman's test and Nemenyi's critical difference (Demsar, JMLR 7, 2006)."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from metrics import mean_ranks

# Studentised range / sqrt(2) at 0.05 for 2, 3, ... methods and infinitely many degrees of freedom.
NEMENYI = (1.960, 2.344, 2.569, 2.728, 2.850, 2.948, 3.031, 3.102, 3.164, 3.219, 3.268, 3.313, 3.354, 3.391)


@dataclass(frozen=True)
class Ranks:
    methods: list[str]  # best first
    means: list[float]
    tables: int
    chi_square: float  # Friedman's
    difference: float  # mean ranks that differ by more differ at 0.05

    def groups(self) -> list[tuple[int, int]]:
        """The longest runs of methods, first to last, that do not differ; no run lies in another."""
        runs: list[tuple[int, int]] = []
        for first, mean in enumerate(self.means):
            last = max(i for i, other in enumerate(self.means) if other - mean <= self.difference)
            if last > first and not (runs and runs[-1][1] >= last):
                runs.append((first, last))
        return runs


def rank(errors: dict[str, list[float]]) -> Ranks:
    """errors: of each method one per table, the same tables for all; infinite where it failed."""
    names = list(errors)
    matrix = np.array([errors[name] for name in names])
    count, tables = matrix.shape
    means = np.mean([mean_ranks(column) for column in matrix.T], axis=0)
    chi_square = 12 * tables / (count * (count + 1)) * (np.sum(means**2) - count * (count + 1) ** 2 / 4)
    difference = NEMENYI[count - 2] * (count * (count + 1) / (6 * tables)) ** 0.5
    order = np.argsort(means, kind="stable")
    return Ranks([names[i] for i in order], [float(means[i]) for i in order], tables, float(chi_square), difference)


def probability(ranks: Ranks) -> float | None:
    """How often chance alone gives ranks that differ as much (Iman and Davenport's F); needs scipy."""
    try:
        from scipy.stats import f
    except ImportError:
        return None
    count, tables = len(ranks.methods), ranks.tables
    rest = tables * (count - 1) - ranks.chi_square
    return 0.0 if rest <= 0 else float(f.sf((tables - 1) * ranks.chi_square / rest, count - 1, (count - 1) * (tables - 1)))
