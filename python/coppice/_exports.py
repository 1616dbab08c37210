"""A fitted estimator for use without this package."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any


def _written(data: bytes, path: str | os.PathLike[str] | None) -> bytes:
    """Beside its place first: a file is there whole, or as it was."""
    if path is None:
        return data
    begun = Path(f"{os.fspath(path)}.{os.getpid()}.tmp")
    try:
        begun.write_bytes(data)
        begun.replace(path)
    except BaseException:
        begun.unlink(missing_ok=True)
        raise
    return data


class Exports:
    """What a fitted estimator can be written as."""

    def to_onnx(
        self: Any,
        path: str | os.PathLike[str] | None = None,
        *,
        inputs: str | None = None,
        texts: str | None = None,
        opset: int | None = None,
    ) -> bytes:
        """An ONNX graph from the columns of X to label and probabilities, or the value; written if a path is given.

        Parameters
        ----------
        inputs : "columns" or "matrix", optional
            One input for each column, or one for all numbers.
        texts : "strings" or "codes", optional
            How texts and classes stand there.
        opset : int, optional
            The version of the operators that the graph names: 13 to 17.
        """
        self._require_fit()
        return _written(self.model_.export("onnx", onnx_inputs=inputs, onnx_texts=texts, onnx_opset=opset), path)

    def to_c(
        self: Any,
        path: str | os.PathLike[str] | None = None,
        *,
        name: str = "model",
        int8: bool = False,
        calibrate: Any = None,
    ) -> bytes:
        """A C99 header that predicts; written if a path is given.

        Parameters
        ----------
        name : str
            What all names begin with.
        int8 : bool
            In 8 bits.
        calibrate : table, optional
            Rows such as those of training, which say what 8 bits stand for; with the target as a column of its name the header
            tells both errors. None: the rows that the estimator has kept, 256 of those it learned from.
        """
        self._require_fit()
        rows = self._sample if int8 and calibrate is None else calibrate
        return _written(self.model_.export("c", name=name, int8=int8, calibrate=rows), path)
