"""What importing costs, and that numpy is all that is needed."""

from __future__ import annotations

import subprocess
import sys

import coppice


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_import_brings_nothing_along() -> None:
    loaded = run("import sys, coppice; print([m for m in ('numpy', 'sklearn', 'pandas', 'ctypes') if m in sys.modules])")
    assert loaded.strip() == "[]"


def test_names() -> None:
    assert set(coppice.__all__) <= set(dir(coppice))
    assert all(getattr(coppice, name) is not None for name in coppice.__all__)
    try:
        coppice.nothing  # noqa: B018
    except AttributeError as error:
        assert "nothing" in str(error)
    else:
        raise AssertionError("there is no such name")


only_numpy = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("sklearn", "pandas", "scipy", "pyarrow", "polars", "tqdm", "matplotlib"):
            raise ImportError(name)

sys.meta_path.insert(0, Blocked())
import numpy as np
from coppice import CoppiceClassifier, CoppiceRegressor

X = np.random.default_rng(0).normal(size=(200, 2))
y = X[:, 0] * X[:, 1] > 0
c = CoppiceClassifier(effort="quick", ensemble="off", lambda_=0.001, verbose=1)
try:
    c.predict(X)
except ValueError as error:
    assert "not fitted" in str(error)
assert c.get_params()["effort"] == "quick" and "lambda_=0.001" in repr(c)
assert c.fit(X, y).score(X, y) > 0.8
c.set_params(hidden_layers=1)
assert c.hidden_layers == 1
try:
    c.set_params(nothing=1)
except ValueError as error:
    assert "nothing" in str(error)
assert CoppiceRegressor(effort="quick", ensemble="off").fit(X, X[:, 0]).score(X, X[:, 0]) > 0.8
import pickle
assert (pickle.loads(pickle.dumps(c)).predict(X) == c.predict(X)).all()
assert "<table>" in c._repr_html_() and "Coppice" in CoppiceRegressor()._repr_html_()
print("fine")
"""


def test_numpy_is_enough() -> None:
    assert run(only_numpy).strip() == "fine"
