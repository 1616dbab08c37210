"""A trained network, usable by itself."""

from __future__ import annotations

import ctypes
import functools
import os
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ._columns import Array, Rows, Table
from ._errors import CoppiceWarning, in_python
from ._library import ExplainOptions, ExportOptions, Handle, PredictOptions, Text, json_of, library
from ._rows import rows_of, table_of

Bytes = bytes  # which is a method of models


class _Prediction(Handle):
    kind = "prediction"


class _Explanation(Handle):
    kind = "explanation"


@dataclass(frozen=True)
class Prediction:
    """What a model says about rows: classes and probabilities, or values."""

    class_names: list[str]
    classes: Array | None  # indices into class_names
    probabilities: Array | None
    values: Array | None
    # With an interval: bounds of values; of classes, whether each is in a row's set.
    lower: Array | None = None
    upper: Array | None = None
    sets: Array | None = None

    @property
    def labels(self) -> Array:
        """The class of each row by its name, or its value."""
        if self.classes is None:
            assert self.values is not None
            return self.values
        return np.array(self.class_names, dtype=object)[self.classes]


@dataclass(frozen=True)
class Explanation:
    """For each row: baseline + the sum of its contributions = score."""

    columns: list[str]
    contributions: Array
    baselines: Array
    scores: Array


def _copied(address: int | None, shape: tuple[int, ...], dtype: Any = np.float64) -> Array:
    """What lies there; the library frees its own. Nothing lies where there are no rows."""
    copy = np.empty(shape, dtype)
    if address:
        ctypes.memmove(copy.ctypes.data, address, copy.nbytes)
    return copy


class Model(Handle):
    """A model as the program writes it: the same file, the same bytes.

    Pickled, it is those bytes.
    """

    kind = "model"

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Model:
        """Reads a model file, or the model of a run directory."""
        where = Path(path)
        if where.is_dir():
            where = where / "model.coppice"
        model: Model = cls.made_by(library().model_load, os.fsencode(where))
        return model

    @classmethod
    def from_bytes(cls, data: bytes) -> Model:
        model: Model = cls.made_by(library().model_from_bytes, data, len(data))
        return model

    def bytes(self) -> bytes:
        """The model as a file."""
        text: Text = Text.made_by(library().model_bytes, self)
        return text.bytes()

    def save(self, path: str | os.PathLike[str]) -> None:
        library().model_save(self, os.fsencode(path))

    def json(self, weights: bool = False) -> dict[str, Any]:
        """What it is and how it was made; with all that is needed to rebuild it."""
        found: dict[str, Any] = json_of(library().model_json, self, int(weights))
        return found

    @functools.cached_property
    def _facts(self) -> dict[str, Any]:
        return self.json()

    @property
    def hidden_units(self) -> list[tuple[int, ...]]:
        """Hidden units per layer, of each of its nets."""
        others = self._facts.get("others", [])
        return [tuple(self._facts["hidden_units"]), *(tuple(other["hidden_units"]) for other in others)]

    @property
    def parameters(self) -> int:
        return int(self._facts["parameters"])

    def predict(self, data: Any, threads: int = 0, cuda: bool = False, interval: float = 0) -> Prediction:
        """What it says about the rows of a table. Columns are found by their names.

        With an interval, such as 0.9, also where the target lies, right for this share of rows.
        """
        return self.predict_rows(table_of(data), threads, cuda, interval)

    def predict_rows(self, rows: Rows | Table, threads: int = 0, cuda: bool = False, interval: float = 0) -> Prediction:
        return self._predict(rows if isinstance(rows, Table) else rows.table(), threads, cuda, interval)

    def _predict(self, table: Table, threads: int, cuda: bool, interval: float) -> Prediction:
        lib = library()
        options = PredictOptions(ctypes.sizeof(PredictOptions), threads, int(cuda), 0, None, interval)
        handle = _Prediction.made_by(lib.model_predict, self, table, ctypes.byref(options))
        at = handle
        for i in range(lib.prediction_warning_count(at)):
            warnings.warn(in_python(lib.prediction_warning(at, i).decode()), CoppiceWarning, stacklevel=4)
        rows = lib.prediction_rows(at)
        count = lib.prediction_class_count(at)
        if count == 0:
            values = _copied(lib.prediction_values(at), (rows,))
            if not interval:
                return Prediction([], None, None, values)
            bounds = [_copied(find(at), (rows,)) for find in (lib.prediction_lower, lib.prediction_upper)]
            return Prediction([], None, None, values, *bounds)
        return Prediction(
            class_names=self._class_names(at, count),
            classes=_copied(lib.prediction_classes(at), (rows,), np.uint32),
            probabilities=_copied(lib.prediction_probabilities(at), (rows, count)),
            values=None,
            sets=_copied(lib.prediction_sets(at), (rows, count), np.bool_) if interval else None,
        )

    def _class_names(self, prediction: Any, count: int) -> list[str]:
        """The same for every prediction, so asked for once."""
        if "_names" not in self.__dict__:
            name = library().prediction_class_name
            self._names = [name(prediction, i).decode() for i in range(count)]
        return self._names

    def evaluate(self, data: Any) -> dict[str, Any]:
        """Error, log-loss, confusion and the like on rows with the answers."""
        table = Table.read(os.fspath(data)) if isinstance(data, (str, os.PathLike)) else table_of(data)
        found: dict[str, Any] = json_of(library().model_evaluate, self, table, None)
        return found

    def explain(self, data: Any, threads: int = 0) -> Explanation:
        """What each column contributes to what the model says about each row."""
        return self.explain_rows(rows_of(data), threads)

    def explain_rows(self, rows: Rows, threads: int = 0) -> Explanation:
        lib = library()
        table = rows.table()
        options = ExplainOptions(ctypes.sizeof(ExplainOptions), threads, None, None, 0)
        handle = _Explanation.made_by(lib.model_explain, self, table, ctypes.byref(options))
        at = handle
        count = lib.explanation_column_count(at)
        names = [lib.explanation_column_name(at, i).decode() for i in range(count)]
        return Explanation(
            columns=names,
            contributions=_copied(lib.explanation_contributions(at), (rows.count, count)),
            baselines=_copied(lib.explanation_baselines(at), (rows.count,)),
            scores=_copied(lib.explanation_scores(at), (rows.count,)),
        )

    def export(
        self,
        to: str,
        *,
        name: str = "model",
        int8: bool = False,
        calibrate: Any = None,
        onnx_inputs: str | None = None,
        onnx_texts: str | None = None,
        onnx_opset: int | None = None,
    ) -> Bytes:
        """The model for use without this package: "onnx", "c" (a header) or "json".

        Parameters
        ----------
        name : str
            Of C: what all names begin with.
        int8 : bool
            Of C: in 8 bits; `calibrate` are rows such as those of training.
        onnx_inputs : "columns" or "matrix", optional
        onnx_texts : "strings" or "codes", optional
        onnx_opset : int, optional
            The version of the operators that the graph names: 13 to 17.
        """
        if onnx_opset is not None and onnx_opset < 1:
            raise ValueError(f"onnx_opset {onnx_opset}: there is no such opset; give one from 13 to 17, or None")
        rows = calibrate if calibrate is None or isinstance(calibrate, Rows) else rows_of(calibrate)
        table = None if rows is None else rows.table()
        options = ExportOptions(
            size=ctypes.sizeof(ExportOptions),
            name=name.encode(),
            int8=int(int8),
            calibrate=None if table is None else table._as_parameter_,
            onnx_inputs=None if onnx_inputs is None else onnx_inputs.encode(),
            onnx_texts=None if onnx_texts is None else onnx_texts.encode(),
            onnx_opset=onnx_opset or 0,
        )
        text: Text = Text.made_by(library().model_export, self, to.encode(), ctypes.byref(options))
        return text.bytes()

    def __reduce__(self) -> Any:
        return Model.from_bytes, (self.bytes(),)

    def __repr__(self) -> str:
        units = ", ".join("-".join(map(str, net)) for net in self.hidden_units)
        return f"<coppice.Model: hidden units {units}; {self.parameters} parameters>"
