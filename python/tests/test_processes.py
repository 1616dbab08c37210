"""Threads, children and many fits in one process."""

from __future__ import annotations

import gc
import multiprocessing
import resource
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from coppice import CoppiceClassifier


def model_of(ring: Any, quick: dict[str, Any], seed: int = 0) -> bytes:
    return CoppiceClassifier(**quick, n_jobs=1, seed=seed).fit(*ring).model_.bytes()


def test_fits_in_threads_come_out_the_same(ring: Any, quick: dict[str, Any]) -> None:
    alone = [model_of(ring, quick, seed) for seed in range(4)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda seed: model_of(ring, quick, seed), range(4)))
    assert together == alone


def test_two_fits_are_under_way_at_once(ring: Any, quick: dict[str, Any]) -> None:
    """Each waits after its first epoch until the other has had one: were they to take turns, neither would end."""
    both = threading.Barrier(2, timeout=300)

    def fit(seed: int) -> bytes:
        met: list[int] = []

        def meet(report: Any) -> None:
            if not met:
                met.append(both.wait())

        return CoppiceClassifier(**quick, n_jobs=1, seed=seed).fit(*ring, callbacks=[meet]).model_.bytes()

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(fit, range(2))) == [model_of(ring, quick, seed) for seed in range(2)]


def test_python_goes_on_during_a_fit(ring: Any, quick: dict[str, Any]) -> None:
    """The lock of the interpreter is free: another thread counts on."""
    counted = 0
    done = threading.Event()

    def count() -> None:
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.001)

    other = threading.Thread(target=count)
    other.start()
    since = time.monotonic()
    CoppiceClassifier(effort="quick", ensemble=3).fit(*ring)
    seconds = time.monotonic() - since
    done.set()
    other.join()
    assert counted > 100 * seconds


def test_one_model_many_threads(ring: Any, quick: dict[str, Any]) -> None:
    fitted = CoppiceClassifier(**quick).fit(*ring)
    told = fitted.predict_proba(ring[0])
    with ThreadPoolExecutor(8) as pool:
        for answer in pool.map(lambda _: fitted.predict_proba(ring[0]), range(64)):
            assert (answer == told).all()


def test_python_goes_on_during_a_prediction(ring: Any) -> None:
    fitted = CoppiceClassifier(fixed_size=[300, 300], optimizer="adam", max_epochs=1, ensemble="off").fit(*ring)
    many = np.random.default_rng(0).uniform(-1, 1, size=(200_000, 2)).astype(np.float32)
    counted = 0
    done = threading.Event()

    def count() -> None:
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.001)

    other = threading.Thread(target=count)
    other.start()
    since = time.monotonic()
    fitted.predict_proba(many)
    seconds = time.monotonic() - since
    done.set()
    other.join()
    assert counted > 50 * seconds


def fit_in_child(ring: Any, quick: dict[str, Any], queue: Any) -> None:
    queue.put(CoppiceClassifier(**quick).fit(*ring).model_.bytes())


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("way", ["fork", "spawn"])
def test_a_child_fits_after_its_parent(ring: Any, quick: dict[str, Any], way: str) -> None:
    here = CoppiceClassifier(**quick).fit(*ring).model_.bytes()
    context = multiprocessing.get_context(way)
    queue = context.Queue()
    child = context.Process(target=fit_in_child, args=(ring, quick, queue))
    child.start()
    there = queue.get(timeout=300)
    child.join(timeout=300)
    assert there == here and child.exitcode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="counts pages as Linux does")
def test_many_fits_do_not_grow(ring: Any) -> None:
    large: dict[str, Any] = {"fixed_size": [300, 300], "optimizer": "adam", "max_epochs": 1, "ensemble": "off"}

    def resident() -> int:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize()

    def fits(count: int) -> None:
        for _ in range(count):
            CoppiceClassifier(**large).fit(*ring).predict_proba(ring[0])
        gc.collect()

    fits(30)  # a net of them has 92,000 weights: 100 that stay are 37 MB
    grown = []  # the allocator may take a little more once; what leaks takes it every time
    for _ in range(3):
        before = resident()
        fits(100)
        grown.append(resident() - before)
    assert min(grown) < 10_000_000, grown
