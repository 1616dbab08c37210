"""The notebook among the examples runs from its first cell to its last."""

from __future__ import annotations

from pathlib import Path

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("ipykernel")
pytest.importorskip("matplotlib")
pytest.importorskip("pandas")

notebook = Path(__file__).parents[2] / "examples" / "tables.ipynb"


@pytest.mark.filterwarnings("ignore")
def test_the_notebook(tmp_path: Path) -> None:
    if not notebook.exists():
        pytest.skip("the notebook is not here")
    read = nbformat.read(notebook, as_version=4)
    assert not any(cell.get("outputs") for cell in read.cells), "clear the outputs before you commit"
    nbclient.NotebookClient(read, timeout=300, kernel_name="python3").execute(cwd=str(tmp_path))
    shown = [output for cell in read.cells for output in cell.get("outputs", [])]
    assert any("<table>" in output.get("data", {}).get("text/html", "") for output in shown)
    assert sum("image/png" in output.get("data", {}) for output in shown) == 3
    score = next(
        output.data["text/plain"] for cell in read.cells if "score(table[check]" in cell.source for output in cell.outputs
    )
    assert float(score) > 0.8
