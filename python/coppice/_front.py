"""Every net of a training as a table: sizes, errors, which is on the front, which is the model."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from typing import Any

_shown = [
    "lambda_",
    "hidden_units",
    "parameters",
    "train_loss",
    "validation_error",
    "standard_error",
    "log_loss",
    "test_error",
    "epochs",
    "phase",
    "kind",
    "fold",
    "members",
    "seed",
    "bytes",
]


class Front(Sequence[dict[str, Any]]):
    """A record per net. `front["parameters"]` is a column, `front[0]` a record, `front.to_pandas()` a DataFrame."""

    def __init__(self, records: list[dict[str, Any]]) -> None:
        self._records = records

    @classmethod
    def of(cls, summary: dict[str, Any]) -> Front:
        """Of what the library says about a training."""
        records: list[dict[str, Any]] = []
        for index, net in enumerate(summary["nets"]):
            known = {**net, "lambda_": net["lambda"], "hidden_units": tuple(net["hidden_units"])}
            records.append(
                {
                    "net": index,
                    **{name: known[name] for name in _shown},
                    "on_front": not net["dominated"],
                    "picked": summary["chosen"] == index,
                }
            )
        return cls(records)

    def picking(self, net: int) -> Front:
        """The same with another net picked."""
        return Front([{**one, "picked": one["net"] == net} for one in self._records])

    @property
    def columns(self) -> list[str]:
        return list(self._records[0]) if self._records else []

    def __len__(self) -> int:
        return len(self._records)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return [one[key] for one in self._records]
        return self._records[key]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self._records)

    def to_pandas(self) -> Any:
        import pandas

        return pandas.DataFrame(self._records)

    def nondominated(self) -> list[dict[str, Any]]:
        """The nets that no other beats in both size and error, by size."""
        return sorted((one for one in self._records if one["on_front"]), key=lambda one: one["parameters"])

    def __repr__(self) -> str:
        names = ["net", "lambda_", "hidden_units", "parameters", "validation_error", "picked"]
        lines = [names, *([_cell(one[name]) for name in names] for one in self._records)]
        widths = [max(len(line[i]) for line in lines) for i in range(len(names))]
        rows = ("  ".join(c.rjust(w) for c, w in zip(line, widths, strict=True)) for line in lines)
        return "\n".join(rows)

    def _repr_html_(self) -> str:
        names = ["net", "lambda_", "hidden_units", "parameters", "validation_error", "test_error", "epochs"]
        head = "".join(f"<th>{name}</th>" for name in names)
        body = ""
        for one in self.nondominated():
            cells = "".join(f"<td>{html.escape(_cell(one[name]))}</td>" for name in names)
            style = ' style="font-weight:bold"' if one["picked"] else ""
            body += f"<tr{style}>{cells}</tr>"
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, tuple):
        return "-".join(map(str, value))
    return "" if value is None else str(value)
