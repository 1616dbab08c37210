"""How far a training is, as a bar of tqdm, in notebooks too; as lines where tqdm is not installed."""

from __future__ import annotations

import sys
import time
from typing import Any

from ._training import EpochReport, Watcher


class Plan:
    """How many epochs there will be: those that have ended, those that running nets need at least, and for nets that have
    not begun as many as an ended net took."""

    def __init__(self, nets: int) -> None:
        self.nets = nets
        self.done = 0
        self.to_go: dict[int, float] = {}
        self.ended: dict[int, int] = {}

    def count(self, report: EpochReport) -> None:
        self.done += 1
        if report.running:
            self.to_go[report.net] = report.epochs_to_go
        else:
            self.to_go.pop(report.net, None)
            self.ended[report.net] = report.epoch

    def total(self) -> int:
        each = sum(self.ended.values()) / len(self.ended) if self.ended else max(self.to_go.values(), default=1)
        waiting = max(0, self.nets - len(self.to_go) - len(self.ended))
        return self.done + round(sum(self.to_go.values()) + waiting * each)


def status(report: EpochReport) -> str:
    units = "-".join(map(str, report.hidden_units))
    return f"net {report.net} {report.phase} units {units} error {report.validation_error:.4g}"


class Bar(Watcher):
    """A bar of tqdm."""

    def __init__(self, tqdm: Any) -> None:
        self.tqdm = tqdm
        self.bar: Any = None
        self.plan = Plan(1)

    def on_begin(self, info: dict[str, Any]) -> None:
        self.plan = Plan(info["nets"])
        self.bar = self.tqdm(total=self.plan.total(), unit="epoch")

    def on_epoch(self, report: EpochReport) -> None:
        self.plan.count(report)
        self.bar.total = self.plan.total()
        self.bar.set_postfix_str(status(report), refresh=False)
        self.bar.update()

    def on_end(self) -> None:
        if self.bar is not None:
            self.bar.total = self.bar.n
            self.bar.close()


class Lines(Watcher):
    """A line every second at most."""

    def __init__(self) -> None:
        self.plan = Plan(1)
        self.last = 0.0

    def on_begin(self, info: dict[str, Any]) -> None:
        self.plan = Plan(info["nets"])

    def on_epoch(self, report: EpochReport) -> None:
        self.plan.count(report)
        if time.monotonic() - self.last >= 1:
            self.last = time.monotonic()
            print(f"epoch {self.plan.done} of about {self.plan.total()}: {status(report)}", file=sys.stderr)


def progress() -> Watcher:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return Lines()
    return Bar(tqdm)
