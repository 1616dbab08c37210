"""A fitted estimator for use without this package."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any


def _written(data: bytes, path: str | os.PathLike[str] | None) -> bytes:
    if path is not None:
        Path(path).write_bytes(data)
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

    def to_c(self: Any, path: str | os.PathLike[str] | None = None, *, name: str = "model", int8: bool = False) -> bytes:
        """A C99 header that predicts; in 8 bits it is calibrated on rows of the training. Written if a path is given."""
        self._require_fit()
        return _written(self.model_.export("c", name=name, int8=int8, calibrate=self._sample if int8 else None), path)
