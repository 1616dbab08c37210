"""Writes coppice/_keywords.py: the settings of the library as a type checker and an editor are told of them.

Run it after the settings of the library change; a test says when that is.
"""

from __future__ import annotations

import textwrap
from pathlib import Path

from coppice._parameters import own_help, told_otherwise
from coppice._settings import settings

own_types = {
    "row_order": "str",
    "output": "str",
    "random_state": "Any",
    "n_jobs": "int | None",
    "verbose": "int",
}

head = '''"""The keywords of the estimators and of train.

Written by python/write_keywords.py: change the library's settings instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from ._model import Model


class Settings(TypedDict, total=False):
'''


def entry(name: str, type_text: str, help_text: str) -> str:
    comment = textwrap.indent("\n".join(textwrap.wrap(help_text, 110)), "    # ")
    return f"{comment}\n    {name}: {type_text}\n"


def written() -> str:
    text = head
    for setting in settings():
        if setting.name not in told_otherwise:
            text += entry(setting.name, setting.type_text(), setting.help)
    text += "\n\nclass EstimatorSettings(Settings, total=False):\n"
    for name, type_text in own_types.items():
        text += entry(name, type_text, own_help[name])
    text += "\n\nclass TrainSettings(Settings, total=False):\n"
    for setting in settings():
        if setting.name in told_otherwise and setting.name != "target":
            text += entry(setting.name, setting.type_text(), setting.help)
    return text


def place() -> Path:
    return Path(__file__).parent / "coppice" / "_keywords.py"


if __name__ == "__main__":
    place().write_text(written())
