"""What the library's failures are in Python."""

from __future__ import annotations

import keyword
import re


class CoppiceWarning(UserWarning):
    """Something about the data or the training that is worth knowing."""


class _Place:
    """Where the mistake is: a setting, a column, a row (from 0); None where it is about none."""

    option: str | None = None
    column: str | None = None
    row: int | None = None


class InputError(_Place, ValueError):
    """Data or a setting that makes no sense."""


class FileError(_Place, OSError):
    """A file that cannot be read or written."""


class MemoryRanOut(_Place, MemoryError):
    """More memory was needed than there is."""


class UnsupportedError(_Place, NotImplementedError):
    """What this build, or this machine, cannot do."""


class InternalError(_Place, RuntimeError):
    """A mistake of the library itself."""


class Interrupted(_Place, RuntimeError):
    """A training that was stopped before its end."""


def python_name(setting: str) -> str:
    """The keyword of a setting: dashes are underscores, and words of the language, as `lambda`, get another underscore."""
    name = setting.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def in_python(sentence: str) -> str:
    """Names of settings stand between backquotes."""
    return re.sub(r"`([a-z-]+)`", lambda found: f"`{python_name(found[1])}`", sentence)


# By coppice_status.
_kinds: dict[int, type[_Place]] = {
    1: InputError,
    2: InputError,
    3: FileError,
    4: MemoryRanOut,
    5: UnsupportedError,
    6: Interrupted,
}


def error_of(status: int, message: str, option: str, column: str, row: int) -> Exception:
    """The exception that a failed call is."""
    error = _kinds.get(status, InternalError)(in_python(message))  # type: ignore[call-arg]
    assert isinstance(error, Exception)
    error.option = python_name(option) or None
    error.column = column or None
    error.row = row if row >= 0 else None
    return error
