"""PyTorch in the same process, before and after, with its threads and ours."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("torch")

code = """
import numpy as np
{first}
{second}

def ours():
    from coppice import CoppiceClassifier
    X = np.random.default_rng(0).uniform(-1, 1, size=(300, 2))
    y = (X**2).sum(axis=1) < 0.6
    return CoppiceClassifier(effort="quick", ensemble="off", lambda_=0.001).fit(X, y).model_.bytes()

def theirs():
    torch.manual_seed(0)
    a = torch.randn(400, 400, requires_grad=True)
    (a @ a).relu().sum().backward()
    return float(a.grad.abs().sum())

{order}()
import hashlib
print(hashlib.sha256(ours()).hexdigest(), theirs(), hashlib.sha256(ours()).hexdigest())
"""


def said(first: str, second: str, order: str) -> list[str]:
    text = code.format(first=first, second=second, order=order)
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True, timeout=300)
    return done.stdout.split()


def test_both_orders_give_the_same() -> None:
    before = said("import torch", "import coppice", "theirs")
    after = said("from coppice import CoppiceClassifier", "import torch", "ours")
    assert before[0] == before[2] == after[0] == after[2] and before[1] == after[1]
