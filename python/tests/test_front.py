"""The records of a training, and how far one is, on numbers written out."""

from __future__ import annotations

from typing import Any

from coppice._front import Front
from coppice._progress import Plan
from coppice._training import EpochReport


def net(parameters: int, error: float, dominated: bool) -> dict[str, Any]:
    known = dict.fromkeys(["train_loss", "standard_error", "log_loss", "test_error", "phase", "kind", "fold", "seed", "bytes"])
    measured = {"parameters": parameters, "validation_error": error, "dominated": dominated, "epochs": 3}
    return {**known, **measured, "lambda": 0.1, "hidden_units": [2, 1], "members": []}


def test_front() -> None:
    front = Front.of({"nets": [net(30, 0.1, False), net(40, 0.2, True), net(9, 0.3, False)], "chosen": 0})
    assert [one["net"] for one in front.nondominated()] == [2, 0]
    assert front["on_front"] == [True, False, True] and front["picked"] == [True, False, False]
    assert front.picking(2)["picked"] == [False, False, True] and front["picked"] == [True, False, False]
    assert front[1]["lambda_"] == 0.1 and front[1]["hidden_units"] == (2, 1)
    assert len(front) == 3 and [one["parameters"] for one in front] == [30, 40, 9]
    shown = front._repr_html_()
    assert "<td>9</td>" in shown and "<td>40</td>" not in shown and shown.count("bold") == 1


def report(net: int, epoch: int, to_go: float) -> EpochReport:
    return EpochReport(net, epoch, "grow", 0.1, 0.2, 0.1, (3, 2), to_go > 0, to_go)


def test_plan() -> None:
    plan = Plan(nets=3)
    assert plan.total() == 3
    plan.count(report(0, 1, 9))
    assert plan.total() == 1 + 9 + 2 * 9  # nets that have not begun take as long as the longest that runs
    plan.count(report(0, 2, 0))
    assert plan.total() == 2 + 2 * 2  # or as those that have ended took
    plan.count(report(1, 1, 5))
    assert plan.total() == 3 + 5 + 2
