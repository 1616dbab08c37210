"""A table gives the same model from a csv file by the program and from memory by Python."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pd = pytest.importorskip("pandas")

import coppice

rows = 300


def table() -> Any:
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "number": random.normal(size=rows),
            "single": random.normal(size=rows).astype("float32"),
            "whole": random.integers(0, 1000, rows),
            "large": 1_700_000_000 + random.integers(0, 100_000, rows),
            "stamp": 1_700_000_000 + random.integers(0, 1000, rows) / 4,
            "few": random.integers(0, 4, rows),
            "small": random.integers(0, 100, rows).astype("uint8"),
            "text": random.choice(["red", "green", "blue"], rows),
            "category": pd.Categorical(random.choice(["low", "medium", "high"], rows)),
            "flag": random.random(rows) < 0.5,
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(random.integers(0, 300, rows), unit="D"),
            "moment": pd.Timestamp("2024-01-01") + pd.to_timedelta(random.integers(0, 90000, rows), unit="min"),
            "nullable": pd.array(np.where(random.random(rows) < 0.1, None, random.integers(0, 50, rows)), "Int64"),
            "string": pd.array(random.choice(["a", "b"], rows), dtype="string"),
            "maybe": pd.array(np.where(random.random(rows) < 0.1, None, random.random(rows) < 0.5), "boolean"),
        }
    )
    frame.loc[random.random(rows) < 0.1, ["number", "text"]] = [np.nan, None]
    return frame


def targets(frame: Any) -> dict[str, Any]:
    return {
        "text": pd.Series(np.where(frame["few"] + frame["number"].fillna(0) > 1, "yes", "no"), name="answer"),
        "whole": pd.Series((frame["few"] + frame["flag"]) % 3, name="answer"),
        "flag": pd.Series(frame["few"] > 1, name="answer"),
        "number": pd.Series(frame["whole"] * 0.01 + frame["few"], name="answer"),
    }


def by_program(program: Path, folder: Path, frame: Any, target: str, task: str) -> bytes:
    frame.to_csv(folder / "table.csv", index=False)
    flags = ["--effort", "quick", "--ensemble", "off", "--lambda", "0.01", "--max-epochs", "6", "--task", task]
    command = [program, "train", folder / "table.csv", "--target", target, "-o", folder / "run", "--quiet", *flags]
    subprocess.run(command, check=True, capture_output=True)
    return (folder / "run" / "model.coppice").read_bytes()


@pytest.mark.filterwarnings("ignore::coppice.CoppiceWarning")
@pytest.mark.parametrize("target", ["text", "whole", "flag", "number"])
@pytest.mark.parametrize("column", [*table().columns, None])
def test_estimator_is_the_program(program: Path, tmp_path: Path, column: str | None, target: str) -> None:
    frame = table()
    y = targets(frame)[target]
    X = frame if column is None else frame[[column]]
    kind: Any = coppice.CoppiceRegressor if target == "number" else coppice.CoppiceClassifier
    fitted = kind(effort="quick", ensemble="off", lambda_=0.01, max_epochs=6).fit(X, y)
    csv = by_program(program, tmp_path, pd.concat([X, y], axis=1), "answer", kind.task)
    assert fitted.model_.bytes() == csv


@pytest.mark.filterwarnings("ignore::coppice.CoppiceWarning")
def test_train_is_the_program(program: Path, tmp_path: Path) -> None:
    frame = table().assign(answer=targets(table())["text"])
    settings = {"effort": "quick", "ensemble": "off", "lambda_": 0.01, "max_epochs": 6}
    csv = by_program(program, tmp_path, frame, "answer", "classification")
    assert coppice.train(frame, "answer", **settings).model.bytes() == csv
    assert coppice.train(tmp_path / "table.csv", "answer", **settings).model.bytes() == csv
    coppice.train(frame, "answer", out=tmp_path / "from-memory", **settings)
    assert (tmp_path / "from-memory" / "model.coppice").read_bytes() == csv
    coppice.train(tmp_path / "table.csv", "answer", out=tmp_path / "from-file", **settings)
    assert coppice.load(tmp_path / "from-file").bytes() == csv


@pytest.mark.parametrize("dtype", ["float64", "float32", "Float64", "Int64"])
def test_many_different_numbers_with_gaps(program: Path, tmp_path: Path, dtype: str) -> None:
    """More than a column counts before it keeps numbers alone; some are missing before that, some after."""
    random = np.random.default_rng(0)
    numbers = pd.Series(random.permutation(3000) - 1500.0)
    numbers[random.random(3000) < 0.1] = np.nan
    frame = pd.DataFrame({"x": numbers.astype(dtype), "answer": np.where(numbers.fillna(0) > 0, "yes", "no")})
    fitted = coppice.CoppiceClassifier(effort="quick", ensemble="off", lambda_=0.01, max_epochs=6).fit(
        frame[["x"]], frame["answer"]
    )
    assert fitted.model_.bytes() == by_program(program, tmp_path, frame, "answer", "classification")


def test_threads_do_not_matter(ring: Any, quick: dict[str, Any]) -> None:
    models = {coppice.CoppiceClassifier(**quick, n_jobs=jobs).fit(*ring).model_.bytes() for jobs in (1, 2, -1)}
    assert len(models) == 1


@pytest.mark.filterwarnings("ignore::coppice.CoppiceWarning")
@pytest.mark.parametrize("kind", ["int64", "float64", "object"])
def test_arrays_keep_digits_beyond_float32(program: Path, tmp_path: Path, kind: str) -> None:
    random = np.random.default_rng(1)
    X = np.stack([1_700_000_000 + random.integers(0, 500, rows), random.integers(0, 9, rows)], axis=1)
    y = pd.Series(np.where(X[:, 0] % 500 > 250, "late", "soon"), name="answer")
    settings: Any = {"effort": "quick", "ensemble": "off", "lambda_": 0.01, "max_epochs": 6}
    fitted = coppice.CoppiceClassifier(**settings).fit(X.astype(kind), y)
    frame = pd.DataFrame(X, columns=["column1", "column2"]).assign(answer=y)
    assert fitted.model_.bytes() == by_program(program, tmp_path, frame, "answer", "classification")
    together = fitted.predict_proba(X.astype(kind))
    alone = [fitted.predict_proba(X[i : i + 1].astype(kind))[0] for i in range(5)]
    assert np.array_equal(together[:5], alone)
