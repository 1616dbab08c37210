"""How good predictions are. Classes: share of wrong rows, log-loss, AUC. Numbers: 1 - R2, root mean squared error."""
from __future__ import annotations

import numpy as np

SMALLEST_PROBABILITY = 1e-6  # the program prints six digits; the same bound for all


def log_loss(target: np.ndarray, probabilities: np.ndarray) -> float:
    probabilities = np.asarray(probabilities, dtype=float)
    probabilities = probabilities / probabilities.sum(axis=1, keepdims=True)
    return float(-np.mean(np.log(np.clip(probabilities[np.arange(len(target)), target], SMALLEST_PROBABILITY, 1))))


def mean_ranks(values: np.ndarray) -> np.ndarray:
    """Ranks from 1; equal values share the mean of their ranks."""
    _, group, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return (ends - (counts - 1) / 2)[group]


def auc_of_two(positive: np.ndarray, scores: np.ndarray) -> float:
    """Chance that a positive row has a higher score than a negative one; ties count half."""
    count = int(positive.sum())
    rank_sum = mean_ranks(scores)[positive].sum()
    return float((rank_sum - count * (count + 1) / 2) / (count * (len(positive) - count)))


def auc(target: np.ndarray, probabilities: np.ndarray) -> float | None:
    """With more than two classes the mean over those that are tested, each against the rest."""
    classes = probabilities.shape[1]
    found = [auc_of_two(target == code, probabilities[:, code]) for code in ([1] if classes == 2 else range(classes))
             if 0 < np.sum(target == code) < len(target)]
    return float(np.mean(found)) if found else None


def of_classes(target: np.ndarray, answers: np.ndarray, probabilities: np.ndarray) -> dict[str, float | None]:
    return {"error": float(np.mean(answers != target)), "log_loss": log_loss(target, probabilities),
            "auc": auc(target, probabilities)}


def of_numbers(target: np.ndarray, answers: np.ndarray) -> dict[str, float | None]:
    squared = float(np.mean((target - answers) ** 2))
    return {"error": squared / float(np.var(target)), "rmse": squared**0.5}
