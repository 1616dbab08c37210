"""PyTorch and scikit-learn in the same process, before and after and at the same time, with their threads and ours."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("torch")

begin = """
import hashlib
import threading
import numpy as np
{imports}

random = np.random.default_rng(0)
X = random.uniform(-1, 1, size=(300, 2))
y = (X**2).sum(axis=1) < 0.6

def ours():
    from coppice import CoppiceClassifier
    fitted = CoppiceClassifier(effort="quick", ensemble="off", lambda_=[0.01, 0.001], n_jobs=2).fit(X, y)
    return hashlib.sha256(fitted.model_.bytes()).hexdigest()

def of_torch():
    torch.set_num_threads(2)
    torch.manual_seed(0)
    a = torch.randn(400, 400, requires_grad=True)
    (a @ a).relu().sum().backward()
    return float(a.grad.abs().sum())
"""

in_turn = """
{order}()
print(ours(), of_torch(), ours())
"""

at_once = """
from sklearn.ensemble import HistGradientBoostingClassifier

def of_sklearn():
    return float(HistGradientBoostingClassifier(max_iter=20).fit(X, y).predict_proba(X)[:, 1].sum())

said = {}
def repeat(name, work, times):
    said[name] = {work() for _ in range(times)}

parts = [("ours", ours, 2), ("torch", of_torch, 20), ("sklearn", of_sklearn, 3)]
threads = [threading.Thread(target=repeat, args=part) for part in parts]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert all(len(said[name]) == 1 for name, _, _ in parts), said
assert said["sklearn"] == {of_sklearn()} and said["torch"] == {of_torch()}, said
print(*said["ours"], ours())
"""

ours_first = "from coppice import CoppiceClassifier\nimport torch"
theirs_first = "import torch\nfrom coppice import CoppiceClassifier"


def said(text: str, imports: str, order: str = "") -> list[str]:
    text = (begin.format(imports=imports) + text).replace("{order}", order)
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_both_orders_give_the_same() -> None:
    before = said(in_turn, theirs_first, "of_torch")
    after = said(in_turn, ours_first, "ours")
    assert before[0] == before[2] == after[0] == after[2] and before[1] == after[1]


@pytest.mark.parametrize("imports", [ours_first, theirs_first])
def test_all_at_once(imports: str) -> None:
    pytest.importorskip("sklearn")
    alone = said(in_turn, theirs_first, "ours")
    at_the_same_time, afterwards = said(at_once, imports)
    assert at_the_same_time == afterwards == alone[0]
