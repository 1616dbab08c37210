"""The shared library: found, loaded once, its functions declared, their failures raised."""

from __future__ import annotations

import ctypes
import functools
import json
import os
from ctypes import POINTER, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint32, c_void_p
from pathlib import Path
from typing import Any

from ._errors import error_of

_needed_version = 7
NO_NET = ctypes.c_size_t(-1).value


class Error(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("status", c_int),
        ("message", c_char_p),
        ("option", c_char_p),
        ("column", c_char_p),
        ("row", c_int64),
    ]


class Epoch(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("net", c_size_t),
        ("epoch", c_size_t),
        ("steps", c_size_t),
        ("phase", c_char_p),
        ("train_loss", c_double),
        ("validation_error", c_double),
        ("lambda_", c_double),
        ("hidden_units", POINTER(c_size_t)),
        ("hidden_layers", c_size_t),
        ("running", c_int),
        ("waited", c_double),
        ("patience", c_double),
        ("epochs_to_go", c_double),
    ]


OnText = ctypes.CFUNCTYPE(c_int, c_void_p, c_char_p)
OnEpoch = ctypes.CFUNCTYPE(c_int, c_void_p, POINTER(Epoch))
Stop = ctypes.CFUNCTYPE(c_int, c_void_p)


class Callbacks(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("user", c_void_p),
        ("on_begin", OnText),
        ("on_epoch", OnEpoch),
        ("on_note", OnText),
        ("stop", Stop),
    ]


class PredictOptions(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("threads", c_size_t),
        ("cuda", c_int),
        ("threshold", c_double),
        ("positive", c_char_p),
        ("interval", c_double),
    ]


class ExportOptions(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("name", c_char_p),
        ("int8", c_int),
        ("calibrate", c_void_p),
        ("onnx_inputs", c_char_p),
        ("onnx_texts", c_char_p),
        ("onnx_opset", c_size_t),
    ]


class ExplainOptions(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("threads", c_size_t),
        ("class_name", c_char_p),
        ("rows", POINTER(c_uint32)),
        ("row_count", c_size_t),
    ]


_handle = c_void_p
_place = POINTER(c_void_p)
_texts = POINTER(c_char_p)

# Functions with a status: what they take.
_calls: dict[str, list[Any]] = {
    "table_new": [_place],
    "table_matrix": [c_void_p, c_size_t, c_size_t, c_size_t, _texts, _place],
    "table_read": [c_char_p, _texts, c_size_t, _place],
    "table_add_f32": [_handle, c_char_p, c_void_p, c_size_t, c_void_p],
    "table_add_f64": [_handle, c_char_p, c_void_p, c_size_t, c_void_p],
    "table_add_i64": [_handle, c_char_p, c_void_p, c_size_t, c_void_p],
    "table_add_texts": [_handle, c_char_p, _texts, c_size_t],
    "table_add_codes": [_handle, c_char_p, c_void_p, c_size_t, _texts, c_size_t],
    "table_set_image": [_handle, c_size_t, c_size_t],
    "growing_table_new": [_handle, _place],
    "growing_table_add_f32": [_handle, c_char_p, c_void_p, c_size_t, c_void_p],
    "growing_table_add_f64": [_handle, c_char_p, c_void_p, c_size_t, c_void_p],
    "growing_table_add_i64": [_handle, c_char_p, c_void_p, c_size_t, c_void_p],
    "growing_table_add_texts": [_handle, c_char_p, _texts, c_size_t],
    "growing_table_add_codes": [_handle, c_char_p, c_void_p, c_size_t, _texts, c_size_t],
    "growing_table_finish": [_handle, _place],
    "settings_json": [_place],
    "options_new": [_place],
    "options_set": [_handle, c_char_p, _texts, c_size_t],
    "options_json": [_handle, _place],
    "options_set_table": [_handle, c_char_p, _handle],
    "options_set_rows": [_handle, c_char_p, c_void_p, c_size_t],
    "options_set_warm_start": [_handle, _handle],
    "train": [_handle, _handle, POINTER(Callbacks), _place],
    "training_new": [_handle, _handle, POINTER(Callbacks), _place],
    "training_train": [_handle, c_size_t, c_size_t, POINTER(Callbacks), _place],
    "training_take": [_handle, c_char_p, c_size_t, POINTER(Callbacks)],
    "training_finish": [_handle, POINTER(Callbacks), _place],
    "run_train": [c_char_p, _handle, c_char_p, POINTER(Callbacks), _place],
    "run_resume": [c_char_p, POINTER(Callbacks), _place],
    "run_train_table": [_handle, _handle, c_char_p, POINTER(Callbacks), _place],
    "run_resume_table": [c_char_p, _handle, _handle, POINTER(Callbacks), _place],
    "run_report": [c_char_p, _place],
    "result_pick": [_handle, c_char_p, c_size_t, c_size_t, POINTER(c_size_t)],
    "result_json": [_handle, _place],
    "result_epoch": [_handle, c_size_t, POINTER(Epoch)],
    "result_model": [_handle, c_size_t, _place],
    "model_load": [c_char_p, _place],
    "model_from_bytes": [c_char_p, c_size_t, _place],
    "model_bytes": [_handle, _place],
    "model_save": [_handle, c_char_p],
    "model_json": [_handle, c_int, _place],
    "model_predict": [_handle, _handle, POINTER(PredictOptions), _place],
    "model_evaluate": [_handle, _handle, POINTER(PredictOptions), _place],
    "model_explain": [_handle, _handle, POINTER(ExplainOptions), _place],
    "model_export": [_handle, c_char_p, POINTER(ExportOptions), _place],
}

# Functions without one: what they give, and take.
_plain: dict[str, tuple[Any, list[Any]]] = {
    "version": (c_char_p, []),
    "c_version": (c_int, []),
    "last_error": (None, [POINTER(Error)]),
    "text_data": (c_void_p, [_handle]),
    "text_size": (c_size_t, [_handle]),
    "table_rows": (c_size_t, [_handle]),
    "training_waiting": (c_size_t, [_handle]),
    "training_net": (c_size_t, [_handle, c_size_t]),
    "result_nets": (c_size_t, [_handle]),
    "result_epochs": (c_size_t, [_handle]),
    "prediction_rows": (c_size_t, [_handle]),
    "prediction_class_count": (c_size_t, [_handle]),
    "prediction_class_name": (c_char_p, [_handle, c_size_t]),
    "prediction_classes": (c_void_p, [_handle]),
    "prediction_probabilities": (c_void_p, [_handle]),
    "prediction_values": (c_void_p, [_handle]),
    "prediction_lower": (c_void_p, [_handle]),
    "prediction_upper": (c_void_p, [_handle]),
    "prediction_sets": (c_void_p, [_handle]),
    "prediction_warning_count": (c_size_t, [_handle]),
    "prediction_warning": (c_char_p, [_handle, c_size_t]),
    "explanation_rows": (c_size_t, [_handle]),
    "explanation_column_count": (c_size_t, [_handle]),
    "explanation_column_name": (c_char_p, [_handle, c_size_t]),
    "explanation_contributions": (c_void_p, [_handle]),
    "explanation_baselines": (c_void_p, [_handle]),
    "explanation_scores": (c_void_p, [_handle]),
    "explanation_classes": (c_void_p, [_handle]),
    **{
        f"{kind}_free": (None, [_handle])
        for kind in ("text", "table", "growing_table", "options", "training", "result", "model", "prediction", "explanation")
    },
}


def library_path() -> Path:
    """Where the library lies: in the package, or where COPPICE_LIBRARY says."""
    if named := os.environ.get("COPPICE_LIBRARY"):
        return Path(named)
    return Path(__file__).parent / "lib" / "libcoppice.so"


class _Library:
    """The functions of the C interface by their names without the prefix."""

    def __init__(self) -> None:
        path = library_path()
        try:
            loaded = ctypes.CDLL(str(path))
        except OSError as error:
            raise ImportError(f"{path}: cannot be loaded ({error}); install the package anew") from error
        loaded.coppice_c_version.restype = c_int
        if loaded.coppice_c_version() < _needed_version:
            raise ImportError(f"{path}: is older than this package; install the package anew")
        for name, takes in _calls.items():
            function = getattr(loaded, f"coppice_{name}")
            function.argtypes = takes
            function.restype = c_int
            setattr(self, name, self._checked(function))
        for name, (gives, takes) in _plain.items():
            function = getattr(loaded, f"coppice_{name}")
            function.argtypes = takes
            function.restype = gives
            setattr(self, name, function)

    def _checked(self, function: Any) -> Any:
        def call(*args: Any) -> None:
            status = function(*args)
            if status != 0:
                raise self._last_error()

        return call

    def _last_error(self) -> Exception:
        error = Error(size=ctypes.sizeof(Error))
        self.last_error(ctypes.byref(error))
        return error_of(error.status, error.message.decode(), error.option.decode(), error.column.decode(), error.row)

    def __getattr__(self, name: str) -> Any:  # for type checkers: __init__ sets them all
        raise AttributeError(name)


@functools.cache
def library() -> _Library:
    """The library, loaded when it is first needed."""
    return _Library()


def version() -> str:
    text: bytes = library().version()
    return text.decode()


class Handle:
    """Something that the library made; it is freed with this."""

    kind = ""

    def __init__(self, pointer: c_void_p) -> None:
        self._as_parameter_ = pointer  # so that a call takes the handle itself, which lives until it returns

    @classmethod
    def made_by(cls, call: Any, *args: Any) -> Any:
        """What a call hands out by its last argument."""
        place = c_void_p()
        call(*args, ctypes.byref(place))
        return cls(place)

    def __del__(self) -> None:
        pointer = self.__dict__.get("_as_parameter_")
        if pointer:
            getattr(library(), self.kind + "_free")(pointer)


class Text(Handle):
    kind = "text"

    def bytes(self) -> bytes:
        size = library().text_size(self)
        return ctypes.string_at(library().text_data(self), size)


def text_of(call: Any, *args: Any) -> str:
    """The text that a call hands out by its last argument."""
    handle: Text = Text.made_by(call, *args)
    return handle.bytes().decode()


def json_of(call: Any, *args: Any) -> Any:
    """The same, read as JSON."""
    return json.loads(text_of(call, *args))


def texts(values: list[str]) -> Any:
    """A list of texts as C has it."""
    return (c_char_p * len(values))(*[value.encode() for value in values])
