"""`pick`: a setting, and what picks another net afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._estimator import Estimator


class Pick:
    """What `estimator.pick` is: it equals the setting as it was given, and picks another net when it is called."""

    def __init__(self, estimator: Estimator, setting: Any) -> None:
        self._estimator = estimator
        self._setting = setting

    def __call__(self, rule: str = "best", *, max_parameters: int | None = None, max_bytes: int | None = None) -> Any:
        """Makes another net of the front the model: the one that this rule, or this budget, chooses."""
        return self._estimator.repick(rule, max_parameters, max_bytes)

    def __eq__(self, other: object) -> bool:
        return bool(self._setting == (other._setting if isinstance(other, Pick) else other))

    def __hash__(self) -> int:
        return hash(self._setting)

    def __repr__(self) -> str:
        return repr(self._setting)


class PickSetting:
    """The attribute of the class: the setting itself lies among the estimator's own, where get_params finds it."""

    def __get__(self, estimator: Estimator | None, kind: type | None = None) -> Any:
        if estimator is None:
            return self
        if "pick" not in vars(estimator):
            raise AttributeError("pick")
        return Pick(estimator, vars(estimator)["pick"])

    def __set__(self, estimator: Estimator, setting: Any) -> None:
        vars(estimator)["pick"] = setting
