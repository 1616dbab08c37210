"""A csv file of made numbers."""

from __future__ import annotations

from pathlib import Path


def write_numbers(path: Path, rows: int, columns: int, labels: bool = True) -> None:
    """Normal numbers of six decimals, and a class at the end."""
    import numpy as np

    random = np.random.default_rng(0)
    with path.open("w") as file:
        file.write(",".join([*(f"x{i}" for i in range(columns)), *(["label"] if labels else [])]) + "\n")
        for first in range(0, rows, 20_000):
            block = random.normal(size=(min(20_000, rows - first), columns))
            for row in block:
                file.write(",".join(f"{x:.6f}" for x in row) + (f",{int(row[0] > 0)}\n" if labels else "\n"))
