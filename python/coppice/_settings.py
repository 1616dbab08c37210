"""The settings of the library, as keywords. The library has the one list of them."""

from __future__ import annotations

import difflib
import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ._errors import python_name
from ._library import Handle, json_of, library, texts


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The nearest of these names, or nothing."""
    near = difflib.get_close_matches(name, list(known), n=1)
    return f" (did you mean {near[0]}?)" if near else ""


@dataclass(frozen=True)
class Setting:
    """One setting: its keyword, what to give, what it does, and what holds if it is not set ("": found from the data)."""

    name: str
    value: str
    help: str
    standard: str
    list: bool
    library_name: str

    def type_text(self) -> str:
        """What a type checker is told that it takes."""
        if self.value == "MODEL":
            return "Model | str | PathLike[str] | bool | None"
        if self.list:
            one = {"X": "float", "N": "int"}.get(self.value.split("[")[0], "str")
            more = " | Mapping[Any, float]" if "=W" in self.value else ""
            return f"{one} | Sequence[{one}]{more} | None"
        if self.value == "on|off":
            return "bool | None"
        if self.value == "K|auto|off":
            return "int | bool | str | None"
        return {"X": "float", "FRACTION": "float", "N": "int", "BYTES": "int | str"}.get(self.value, "str") + " | None"


@functools.cache
def settings() -> tuple[Setting, ...]:
    """All of them, in the order of the library."""
    return tuple(
        Setting(
            name=python_name(one["name"]),
            value=one["value"],
            help=one["help"],
            standard=one["standard"],
            list=one["list"],
            library_name=one["name"],
        )
        for one in json_of(library().settings_json)
    )


def _text_of(value: Any) -> str:
    if hasattr(value, "item"):
        value = value.item()  # a number of numpy
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def texts_of(value: Any) -> list[str]:
    """A value as the texts that the library takes."""
    if isinstance(value, Mapping):
        return [f"{name}={_text_of(weight)}" for name, weight in value.items()]
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [_text_of(one) for one in value]
    return [_text_of(value)]


class Options(Handle):
    """What is set; the library decides the rest from the data."""

    kind = "options"

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Options:
        """Keywords and their values; None is unset. A name that is none is a TypeError, as of any function."""
        options: Options = cls.made_by(library().options_new)
        known = {one.name: one for one in settings()}
        for name, value in values.items():
            if value is None:
                continue
            if name not in known:
                raise TypeError(f"there is no setting {name!r}{did_you_mean(name, known)}; coppice.settings() lists them")
            options._set(known[name], value)
        return options

    def _set(self, setting: Setting, value: Any) -> None:
        if setting.value == "MODEL":
            from ._model import Model

            model = value if isinstance(value, Model) else Model.load(value)
            library().options_set_warm_start(self, model)
            return
        values = texts_of(value)
        library().options_set(self, setting.library_name.encode(), texts(values), len(values))

    def set_table(self, name: str, table: Handle) -> None:
        library().options_set_table(self, name.encode(), table)

    def json(self) -> Any:
        return json_of(library().options_json, self)
