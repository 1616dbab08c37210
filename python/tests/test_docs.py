"""What docs/python.md shows does what it says."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path
from typing import Any

import pytest

page = Path(__file__).parents[2] / "docs" / "python.md"


class Trial:
    """As much of Optuna's as the page uses."""

    def suggest_int(self, name: str, low: int, high: int) -> int:
        assert (name, low, high) == ("hidden_layers", 1, 3)
        return low


@pytest.mark.filterwarnings("ignore::coppice.CoppiceWarning")
def test_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("sklearn")
    if not page.exists():
        pytest.skip("the page is not here")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    assert len(blocks) > 5
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, str(page), "exec"), names)
    assert Path("report.html").exists()
    assert 0 <= names["objective"](Trial()) <= 1
    logged: list[Any] = []
    clf = names["CoppiceClassifier"](effort="quick", ensemble="off", lambda_=0.01, max_epochs=3)
    log = lambda name, value, step: logged.append((name, step))  # noqa: E731
    clf.fit(names["X"], names["y"], callbacks=[lambda report: names["to_mlflow"](report, log)])
    assert logged == [("error of net 0", 1), ("error of net 0", 2), ("error of net 0", 3)]


@pytest.mark.parametrize("module", ["_classifier", "_regressor", "_functions", "_cross"])
@pytest.mark.filterwarnings("ignore::coppice.CoppiceWarning")
def test_docstrings(module: str) -> None:
    done = doctest.testmod(importlib.import_module(f"coppice.{module}"))
    assert done.attempted > 2 and done.failed == 0
