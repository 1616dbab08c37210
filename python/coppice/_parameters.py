"""The constructor of the estimators: a keyword per setting of the library, and what scikit-learn's users expect beside them."""

from __future__ import annotations

import inspect
from typing import Any, TypeVar

from ._settings import did_you_mean, settings

T = TypeVar("T")

# What fit is told by its own arguments, and the class by its name.
told_otherwise = ("target", "weight", "task")

# Parameters that are not the library's.
own: dict[str, Any] = {"row_order": "auto", "output": "numpy", "random_state": None, "n_jobs": None, "verbose": 0}

own_help = {
    "row_order": "auto: up to 10,000 rows of arrays without names are sorted, and whole weights repeat rows, so that "
    "neither the order of rows nor how repetitions are told matters; given: rows stay as they come; sorted",
    "output": "numpy: answers are arrays; container: what X is, a Series or DataFrame of pandas or polars, an Array or Table of "
    "pyarrow",
    "random_state": "the same as seed; a RandomState or Generator of numpy draws one",
    "n_jobs": "processor threads; -1 or None: all; the same as threads",
    "verbose": "0: silent; 1: a bar",
}


def _signature() -> inspect.Signature:
    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    for setting in settings():
        if setting.name not in told_otherwise:
            parameters.append(inspect.Parameter(setting.name, keyword, default=None))
    parameters += [inspect.Parameter(name, keyword, default=value) for name, value in own.items()]
    return inspect.Signature(parameters)


def _help_text() -> str:
    lines = ["", "", "    Parameters", "    ----------"]
    for setting in settings():
        if setting.name not in told_otherwise:
            standard = f" [{setting.standard}]" if setting.standard else ""
            lines += [f"    {setting.name} : {setting.value}{standard}", f"        {setting.help}"]
    for name, text in own_help.items():
        lines += [f"    {name} : [{own[name]}]", f"        {text}"]
    return "\n".join(lines)


def with_settings(cls: type[T]) -> type[T]:
    """Gives a class the constructor, and its docstring the help."""
    signature = _signature()

    def __init__(self: Any, **values: Any) -> None:
        for name in values:
            if name not in signature.parameters:
                hint = did_you_mean(name, signature.parameters)
                raise TypeError(f"{type(self).__name__}() got an unexpected keyword argument '{name}'{hint}")
        bound = signature.bind(self, **values)
        bound.apply_defaults()
        for name, value in list(bound.arguments.items())[1:]:
            setattr(self, name, value)

    __init__.__signature__ = signature  # type: ignore[attr-defined]
    __init__.__qualname__ = f"{cls.__qualname__}.__init__"
    cls.__init__ = __init__  # type: ignore[method-assign]
    cls.__doc__ = (cls.__doc__ or "").rstrip() + _help_text()
    return cls


def seed_of(random_state: Any) -> int | None:
    if random_state is None:
        return None
    if hasattr(random_state, "randint"):
        return int(random_state.randint(0, 2**31 - 1))
    if hasattr(random_state, "integers"):
        return int(random_state.integers(0, 2**31 - 1))
    return int(random_state)


def chosen_values(estimator: Any) -> dict[str, Any]:
    """The settings of an estimator, for the library."""
    given = estimator.get_params(deep=False)
    values = {one.name: given[one.name] for one in settings() if one.name not in told_otherwise}
    if values["seed"] is None:
        values["seed"] = seed_of(estimator.random_state)
    if values["threads"] is None and estimator.n_jobs is not None and estimator.n_jobs > 0:
        values["threads"] = estimator.n_jobs
    if isinstance(values["warm_start"], bool):  # as scikit-learn knows it: go on with what was learned before
        values["warm_start"] = getattr(estimator, "model_", None) if values["warm_start"] else None
    return values
