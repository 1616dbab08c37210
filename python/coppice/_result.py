"""What a training came to."""

from __future__ import annotations

import ctypes
import functools
from typing import TYPE_CHECKING, Any

from ._front import Front
from ._library import NO_NET, Epoch, Handle, json_of, library
from ._model import Model

if TYPE_CHECKING:
    from ._training import EpochReport


class Result(Handle):
    """Every net of a training, which of them is the model, and how it came to be."""

    kind = "result"

    @functools.cached_property
    def summary(self) -> dict[str, Any]:
        """Nets, notes, warnings, settings as they were decided, time."""
        found: dict[str, Any] = json_of(library().result_json, self)
        return found

    @property
    def warnings(self) -> list[str]:
        return list(self.summary["warnings"])

    @property
    def notes(self) -> list[str]:
        return list(self.summary["notes"])

    @functools.cached_property
    def front(self) -> Front:
        return Front.of(self.summary)

    @functools.cached_property
    def nets(self) -> list[Model]:
        """Every net as a model, in the order of the front's records."""
        return [self._model(i) for i in range(library().result_nets(self))]

    @functools.cached_property
    def model(self) -> Model:
        """The net that the settings pick; a ValueError if none fits the budget."""
        return self._model(NO_NET)

    def _model(self, index: int) -> Model:
        model: Model = Model.made_by(library().result_model, self, index)
        return model

    def pick(self, rule: str = "best", max_parameters: int | None = None, max_bytes: int | None = None) -> int:
        """The index of the net that another rule, or another budget, would choose."""
        net = ctypes.c_size_t()
        library().result_pick(self, rule.encode(), max_parameters or 0, max_bytes or 0, ctypes.byref(net))
        return net.value

    @property
    def chosen(self) -> int | None:
        """The index of the net that is the model."""
        index: int | None = self.summary["chosen"]
        return index

    @functools.cached_property
    def history(self) -> list[EpochReport]:
        """Every epoch of every net, as they ended."""
        from ._training import report_of

        found: list[EpochReport] = []
        for i in range(library().result_epochs(self)):
            epoch = Epoch(size=ctypes.sizeof(Epoch))
            library().result_epoch(self, i, ctypes.byref(epoch))
            found.append(report_of(epoch))
        return found
