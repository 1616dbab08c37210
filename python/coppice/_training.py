"""A training from Python: who watches it, how it is interrupted, what it warns of."""

from __future__ import annotations

import contextlib
import ctypes
import json
import signal
import threading
import warnings
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from ._errors import CoppiceWarning, Interrupted, in_python
from ._library import Callbacks, Epoch, OnEpoch, OnText, Stop
from ._result import Result

T = TypeVar("T")


@dataclass(frozen=True)
class EpochReport:
    """One epoch of one net."""

    net: int
    epoch: int
    phase: str
    train_loss: float
    validation_error: float
    lambda_: float
    hidden_units: tuple[int, ...]
    running: bool
    epochs_to_go: float


def report_of(epoch: Epoch) -> EpochReport:
    return EpochReport(
        net=epoch.net,
        epoch=epoch.epoch,
        phase=epoch.phase.decode(),
        train_loss=epoch.train_loss,
        validation_error=epoch.validation_error,
        lambda_=epoch.lambda_,
        hidden_units=tuple(epoch.hidden_units[i] for i in range(epoch.hidden_layers)),
        running=bool(epoch.running),
        epochs_to_go=epoch.epochs_to_go,
    )


class StopTraining(Exception):
    """Raised by a callback: the training ends with the nets as they are."""


class Watcher:
    """Hears of every epoch. `on_begin(info)`, `on_epoch(report)` and `on_end()` may be defined, or none."""

    def on_begin(self, info: dict[str, Any]) -> None: ...
    def on_epoch(self, report: EpochReport) -> None: ...
    def on_end(self) -> None: ...


class _Function(Watcher):
    """A plain function hears of epochs."""

    def __init__(self, function: Callable[[EpochReport], Any]) -> None:
        self.on_epoch = function  # type: ignore[method-assign, assignment]


def watcher_of(callback: Any) -> Any:
    if hasattr(callback, "on_epoch") or hasattr(callback, "on_begin"):
        return callback
    if callable(callback):
        return _Function(callback)
    raise TypeError(f"callbacks: {callback!r} is neither a function nor has it on_epoch(report)")


class Guarded:
    """Callbacks for the library. What they raise ends the training and is raised again after it: exceptions, Ctrl-C's too,
    cannot pass through C."""

    def __init__(self, watchers: Sequence[Any] = (), stop: Callable[[], bool] = lambda: False) -> None:
        self.watchers = watchers
        self.stop = stop  # asked too
        self.raised: BaseException | None = None
        self.stopping = False
        self.struct = Callbacks(
            size=ctypes.sizeof(Callbacks),
            on_begin=OnText(self._on_begin),
            on_epoch=OnEpoch(self._on_epoch),
            on_note=OnText(self._on_note),
            stop=Stop(self._stop),
        )

    def _tell(self, method: str, make: Callable[[], Any]) -> int:
        try:
            heard = [getattr(one, method) for one in self.watchers if hasattr(one, method)]
            if heard:
                value = make()
                for hear in heard:
                    hear(value)
        except StopTraining:
            self.stopping = True
        except BaseException as error:
            self.raised = self.raised or error
            return 1
        return 0

    def _on_begin(self, _: Any, info: bytes) -> int:
        return self._tell("on_begin", lambda: json.loads(info))

    def _on_epoch(self, _: Any, epoch: Any) -> int:
        return self._tell("on_epoch", lambda: report_of(epoch.contents))

    def _on_note(self, _: Any, note: bytes) -> int:
        return self._tell("on_note", lambda: in_python(note.decode()))

    def _stop(self, _: Any) -> int:
        # Python runs its handlers of signals when this is called, several times a second.
        return 1 if self.stopping or self.raised is not None or self.stop() else 0

    @contextlib.contextmanager
    def heeding_ctrl_c(self) -> Generator[None]:
        """Ctrl-C is kept until the library returns: a handler that raises would do so inside a callback, and be lost."""
        own = signal.getsignal(signal.SIGINT)
        if threading.current_thread() is not threading.main_thread() or not callable(own):
            yield
            return

        def keep(number: int, frame: Any) -> None:
            try:
                own(number, frame)
            except BaseException as error:
                self.raised = self.raised or error

        signal.signal(signal.SIGINT, keep)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, own)

    def during(self, call: Callable[[Any], T]) -> T:
        """What call(callbacks) gives; what was raised meanwhile is raised after it."""
        try:
            with self.heeding_ctrl_c():
                given = call(ctypes.byref(self.struct))
        except Interrupted:
            if self.raised is not None:
                raise self.raised from None
            raise
        if self.raised is not None:
            raise self.raised
        return given


@contextlib.contextmanager
def told_of_the_end(watchers: Sequence[Any]) -> Generator[None]:
    """However it ends."""
    try:
        yield
    finally:
        for one in watchers:
            if hasattr(one, "on_end"):
                one.on_end()


def warn_of(result: Result) -> None:
    """What the library warns of, to whoever called the function that was called by the user."""
    for warning in result.warnings:
        warnings.warn(in_python(warning), CoppiceWarning, stacklevel=5)


def trained(call: Any, args: Sequence[Any], watchers: Sequence[Any] = ()) -> Result:
    """Calls a function of the library that trains, its callbacks after `args`; warns of what it warns of."""
    with told_of_the_end(watchers):
        result: Result = Guarded(watchers).during(lambda callbacks: Result.made_by(call, *args, callbacks))
    warn_of(result)
    return result
