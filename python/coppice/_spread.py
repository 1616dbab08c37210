"""One training by many: each net is a task of its own, for joblib or whatever calls functions elsewhere.

Every process makes the same training of the same rows and settings, once. A task trains one net and gives its bytes; whoever
has taken the nets of a round knows which come next. So the models are those of a training by itself, byte for byte.
"""

from __future__ import annotations

import os
import threading
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ._columns import Rows
from ._library import Handle, Text, library
from ._result import Result
from ._settings import Options
from ._training import Guarded, told_of_the_end, warn_of


@dataclass(frozen=True)
class Work:
    """What is trained on and with: all that another process needs to know."""

    rows: Rows
    values: Mapping[str, Any]
    held: Rows | None = None  # to validate on
    name: str = field(default_factory=lambda: uuid.uuid4().hex)

    def options(self) -> Options:
        options = Options.of(self.values)
        if self.held is not None:
            options.set_table("validation", self.held.table())
        return options


class _Training(Handle):
    kind = "training"


class Sharer:
    """The training as one process has it. Its threads may train different nets at once."""

    def __init__(self, work: Work, guarded: Guarded) -> None:
        self.table = work.rows.table()  # is used as long as the training
        options = work.options()
        lib = library()
        self.training: _Training = guarded.during(
            lambda callbacks: _Training.made_by(lib.training_new, self.table, options, callbacks)
        )
        self.lock = threading.Lock()
        self.taken = 0
        self.stopping = False

    def waiting(self) -> list[int]:
        lib = library()
        return [lib.training_net(self.training, i) for i in range(lib.training_waiting(self.training))]

    def take(self, nets: Sequence[bytes], guarded: Guarded) -> None:
        """Those of all nets so far that it does not have."""
        with self.lock:
            for net in nets[self.taken :]:
                self.taken += 1
                guarded.during(
                    lambda callbacks, net=net: library().training_take(self.training, net, len(net), callbacks)  # type: ignore[misc]
                )

    def train(self, net: int, threads: int) -> bytes:
        call = library().training_train
        text: Text = Guarded(stop=lambda: self.stopping).during(
            lambda callbacks: Text.made_by(call, self.training, net, threads, callbacks)
        )
        return text.bytes()

    def finish(self, guarded: Guarded) -> Result:
        result: Result = guarded.during(lambda callbacks: Result.made_by(library().training_finish, self.training, callbacks))
        return result


_lock = threading.Lock()
_sharers: dict[str, Sharer] = {}  # of this process, by the names of their works
_own: set[str] = set()  # works that this process has given out


def _sharer_of(work: Work) -> Sharer:
    """That of this process. A process that trains for others has the last one only: trainings come one after another."""
    with _lock:
        if work.name not in _sharers:
            for other in set(_sharers) - _own:
                del _sharers[other]
            _sharers[work.name] = Sharer(work, Guarded())
        return _sharers[work.name]


def train_net(work: Work, net: int, nets: Sequence[bytes], threads: int) -> bytes:
    """A task: trains one net of the round that follows from `nets`."""
    sharer = _sharer_of(work)
    sharer.take(nets, Guarded())
    return sharer.train(net, threads)


def _threads_for(parallel: Any, values: Mapping[str, Any]) -> int:
    """For each net, so that all of them together have the processor; 0: as the settings say."""
    if values.get("threads") is not None:
        return 0
    jobs = getattr(parallel, "n_jobs", 1) or 1
    return 1 if jobs < 0 else max(1, (os.cpu_count() or 1) // jobs)


def _delayed(function: Callable[..., Any], *args: Any) -> Any:
    """A call as joblib.Parallel takes it."""
    return function, args, {}


def _results(parallel: Any, tasks: Iterable[Any]) -> Iterable[bytes]:
    results: Iterable[bytes] = parallel(tasks)
    return results


def spread(parallel: Any, work: Work, watchers: Sequence[Any] = ()) -> Result:
    """Trains by parallel(tasks), each task (function, args, kwargs): joblib.Parallel, or what is called like it."""
    if not callable(parallel):
        raise TypeError(f"parallel: {parallel!r} cannot be called; give joblib.Parallel(n_jobs=...)")
    guarded = Guarded(watchers)
    nets: list[bytes] = []
    threads = _threads_for(parallel, work.values)
    sharer: Sharer | None = None
    try:
        with told_of_the_end(watchers):
            sharer = Sharer(work, guarded)
            _own.add(work.name)
            _sharers[work.name] = sharer
            while (waiting := sharer.waiting()) and not guarded.stopping:
                known = tuple(nets)
                for net in _results(parallel, (_delayed(train_net, work, one, known, threads) for one in waiting)):
                    nets.append(net)
                    sharer.take(nets, guarded)
            result = sharer.finish(Guarded(watchers))
    finally:
        _own.discard(work.name)
        _sharers.pop(work.name, None)
        if sharer is not None:
            sharer.stopping = True  # its threads, if something was raised
    warn_of(result)
    return result
