"""Ctrl-C ends a training within a second, and nothing is left half fitted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest

import coppice

endless = {"effort": "quick", "ensemble": "off", "lambda_": 1e-4, "patience": 1e6, "grow_epochs": 10**9}

script = """
import sys, time
import numpy as np
import coppice

X = np.random.default_rng(0).normal(size=(2000, 10))
estimator = coppice.CoppiceClassifier(**{settings})
begun = []

def tell(report):
    if not begun:
        begun.append(1)
        print("training", flush=True)

try:
    estimator.fit(X, X[:, 0] * X[:, 1] > 0, callbacks=[tell], out={out})
except KeyboardInterrupt:
    print("interrupted", hasattr(estimator, "model_"), flush=True)
    sys.exit(0)
sys.exit(1)
"""


def interrupted(out: str | None) -> tuple[str, float]:
    code = textwrap.dedent(script).format(settings=repr(endless), out=repr(out))
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None and child.stdout.readline() == "training\n"
        since = time.monotonic()
        os.kill(child.pid, signal.SIGINT)
        said = child.stdout.readline()
        seconds = time.monotonic() - since
        assert child.wait(timeout=60) == 0
    return said, seconds


def test_sigint_in_memory() -> None:
    said, seconds = interrupted(None)
    assert said == "interrupted False\n" and seconds < 1


def test_sigint_leaves_a_run_that_goes_on(tmp_path: Path) -> None:
    said, seconds = interrupted(str(tmp_path / "run"))
    assert said == "interrupted False\n" and seconds < 1
    assert (tmp_path / "run" / "config.json").exists() and not (tmp_path / "run" / "summary.json").exists()


stopped_run = """
import sys, time
import pandas as pd
import coppice

def slowly(report):
    print(report.epoch, flush=True)
    time.sleep(0.05)

try:
    coppice.train(pd.read_csv({table}), "where", out={out}, callbacks=[slowly], **{settings})
except KeyboardInterrupt:
    sys.exit(3)
"""


def test_a_run_that_sigint_stopped_is_resumed(ring: Any, tmp_path: Path, quick: dict[str, Any]) -> None:
    pd = pytest.importorskip("pandas")
    table, out, settings = tmp_path / "table.csv", tmp_path / "run", {**quick, "max_epochs": 60}
    pd.DataFrame(ring[0], columns=["x", "y"]).assign(where=ring[1]).to_csv(table, index=False)
    code = stopped_run.format(table=repr(str(table)), out=repr(str(out)), settings=repr(settings))
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        while child.stdout.readline() != "5\n":
            pass
        os.kill(child.pid, signal.SIGINT)
        told = child.stdout.read().split()
        assert child.wait(timeout=60) == 3 and len(told) < 40
    frame = pd.read_csv(table)
    resumed = coppice.train(frame, "where", out=out, resume=True, **settings)
    assert resumed.model.bytes() == coppice.train(frame, "where", **settings).model.bytes()


def test_the_handler_of_the_caller_stays_and_is_asked(ring: Any, quick: dict[str, Any]) -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    own = signal.getsignal(signal.SIGINT)
    try:
        fitted = coppice.CoppiceClassifier(**quick)
        fitted.fit(*ring, callbacks=[lambda report: signal.raise_signal(signal.SIGINT)])
        assert signal.getsignal(signal.SIGINT) is own
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(heard) == quick["max_epochs"] and hasattr(fitted, "model_")


def test_a_stopped_run_is_resumed(ring: Any, tmp_path: Path, quick: dict[str, Any]) -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(ring[0], columns=["x", "y"]).assign(where=ring[1])
    settings = {**quick, "max_epochs": 60}

    def ctrl_c(report: Any) -> None:
        if report.epoch == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        coppice.train(frame, "where", out=tmp_path / "run", callbacks=[ctrl_c], **settings)
    resumed = coppice.train(frame, "where", out=tmp_path / "run", resume=True, **settings)
    assert resumed.model.bytes() == coppice.train(frame, "where", **settings).model.bytes()
    assert [report.epoch for report in resumed.history] == list(range(1, len(resumed.history) + 1))
    with pytest.raises(ValueError, match="out="):
        coppice.train(frame, "where", resume=True, **settings)
