"""Pictures of a fitted estimator, drawn by matplotlib; each returns its axes."""

from __future__ import annotations

import html
from typing import Any

import numpy as np


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots()[1]


class Pictures:
    """What a fitted estimator can draw."""

    def plot_front(self: Any, ax: Any = None) -> Any:
        """Size against error of every net; the front as a line, the picked net marked."""
        self._require_fit()
        ax = _axes(ax)
        ax.plot(self.front_["parameters"], self.front_["validation_error"], "o", color="0.75", label="nets")
        front = self.front_.nondominated()
        ax.plot([n["parameters"] for n in front], [n["validation_error"] for n in front], "o-", label="front")
        picked = [n for n in self.front_ if n["picked"]]
        ax.plot([n["parameters"] for n in picked], [n["validation_error"] for n in picked], "*", ms=15, label="picked")
        ax.set(xscale="log", xlabel="parameters", ylabel="validation error")
        ax.legend()
        return ax

    def plot_growth(self: Any, ax: Any = None) -> Any:
        """Hidden units of each net over its epochs."""
        self._require_fit()
        ax = _axes(ax)
        for net in sorted({report.net for report in self.history_}):
            own = [report for report in self.history_ if report.net == net]
            ax.plot([r.epoch for r in own], [sum(r.hidden_units) for r in own], label=f"{own[-1].lambda_:.2g}")
        ax.set(xlabel="epoch", ylabel="hidden units")
        ax.legend(title="lambda", fontsize="small", ncols=2)
        return ax

    def plot_importance(self: Any, ax: Any = None, most: int = 20) -> Any:
        """The columns that contribute most."""
        importances = self.feature_importances_
        names = getattr(self, "feature_names_in_", [f"column {i + 1}" for i in range(len(importances))])
        ax = _axes(ax)
        order = np.argsort(importances)[-most:]
        ax.barh([str(names[i]) for i in order], importances[order])
        ax.set(xlabel="importance")
        return ax

    def plot_calibration(self: Any, X: Any, y: Any, ax: Any = None, bins: int = 10) -> Any:
        """Of a classifier: how often the predicted class is right, by how likely it was said to be."""
        self._require_fit()
        if not hasattr(self, "classes_"):
            raise TypeError(f"{type(self).__name__} has no probabilities to calibrate; predict_interval tells how sure it is")
        probabilities = self._probabilities(X)
        likely = probabilities.max(axis=1)
        right = self.classes_[probabilities.argmax(axis=1)] == np.asarray(y)
        where = np.minimum((likely * bins).astype(int), bins - 1)
        filled = [b for b in range(bins) if bool((where == b).any())]
        ax = _axes(ax)
        ax.plot([0, 1], [0, 1], "--", color="0.75")
        ax.plot([likely[where == b].mean() for b in filled], [right[where == b].mean() for b in filled], "o-")
        ax.set(xlabel="said probability", ylabel="share that is right")
        return ax

    def _repr_html_(self: Any) -> str:
        """A fitted estimator shows its front, in notebooks; another what it is."""
        if "model_" not in self.__dict__:
            shown: str = super()._repr_html_() if hasattr(super(), "_repr_html_") else html.escape(repr(self))  # type: ignore[misc]
            return shown
        units = ", ".join("-".join(map(str, net)) for net in self.hidden_units_)
        return (
            f"<div><b>{type(self).__name__}</b>: hidden units {units}; {self.model_.parameters} parameters; validation "
            f"error {self.validation_error_:.4g}{self.front_._repr_html_()}</div>"
        )

    def _repr_mimebundle_(self: Any, **_: Any) -> dict[str, str]:
        """What notebooks ask for first."""
        return {"text/plain": repr(self), "text/html": self._repr_html_()}
