"""What the classifier and the regressor share."""

from __future__ import annotations

import os
import shutil
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ._base import BaseEstimator, NotFittedError
from ._columns import Array, Column, Numbers, Rows
from ._exports import Exports
from ._front import Front
from ._inputs import free_name, require_rows, target_array, weight_array
from ._library import library, text_of
from ._model import Model, Prediction
from ._order import Ordered, in_order
from ._output import like, require_output, table_like
from ._parameters import chosen_values, own, told_otherwise
from ._pick import PickSetting
from ._pictures import Pictures
from ._progress import progress
from ._result import Result
from ._rows import rows_of
from ._settings import settings
from ._spread import Work, spread
from ._training import EpochReport, trained, watcher_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._keywords import EstimatorSettings

_explained_rows = 256  # that importances are measured on

_fewest_rows = 8  # that a model is asked about at once


class Estimator(Pictures, Exports, BaseEstimator):
    """A net that finds its own size, as scikit-learn knows estimators."""

    task: ClassVar[str]
    device: str | None
    n_jobs: int | None
    row_order: str
    output: str
    verbose: int
    pick = PickSetting()

    if TYPE_CHECKING:  # with_settings gives the real one

        def __init__(self, **settings: Unpack[EstimatorSettings]) -> None: ...

    # ---- what the two differ in ----

    def _learn_target(self, y: Array) -> Array:
        """The answers as numbers that can be sorted."""
        raise NotImplementedError

    def _target_column(self, name: str, y: Array) -> Column:
        raise NotImplementedError

    # ---- learning ----

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        eval_set: Any = None,
        callbacks: Any = None,
        out: str | os.PathLike[str] | None = None,
        parallel: Any = None,
    ) -> Any:
        """Trains nets of many sizes and keeps the one that the settings pick.

        Parameters
        ----------
        X : array, DataFrame, Arrow stream, sparse matrix
            A row per sample. NaN, None and the like are missing.
        y : array
            The answers.
        sample_weight : array, optional
            How much each row counts.
        eval_set : (X, y), optional
            Rows that decide when to stop, instead of some of X. All of them count the same.
        callbacks : list, optional
            Functions that hear of every epoch, or objects with on_begin(info), on_epoch(report), on_end().
        out : path, optional
            A run directory, as the program writes it.
        parallel : joblib.Parallel, optional
            Trains each net as a task of its own, on any backend; the model is the same.
        """
        before = dict(self.__dict__)
        try:
            return self._fit(X, y, sample_weight, eval_set, callbacks, out, parallel)
        except BaseException:
            self.__dict__.clear()  # what failed, or was interrupted, changes nothing
            self.__dict__.update(before)
            raise

    def _fit(self, X: Any, y: Any, sample_weight: Any, eval_set: Any, callbacks: Any, out: Any, parallel: Any) -> Any:
        require_output(self.output)
        rows = rows_of(X)
        answers = target_array(y, type(self).__name__)
        require_rows(rows, answers)
        weights = weight_array(sample_weight, rows.count)
        target = self._learn_target(answers)
        name = free_name(_name_of(y), rows.names, rows.width)
        held = None if eval_set is None else self._held_out(eval_set, rows, name)
        ordered = in_order(self.row_order, rows, target, weights)
        values = {**chosen_values(self), "target": name, "task": self.task}
        if held is not None:
            ordered = replace(ordered, groups=None)  # nothing is split
        whole, named = self._training_rows(ordered, name, values)
        if held is not None and "weight" in named:
            held = held.with_column(Numbers(named["weight"], np.ones(held.count)))
        work = Work(whole, {**values, **named}, held)
        watchers = [watcher_of(one) for one in callbacks or ()]
        if self.verbose:
            watchers.append(progress())
        if parallel is not None:
            if out is not None:
                raise ValueError("parallel: a run directory is written by one process; leave out= away")
            result = spread(parallel, work, watchers)
        elif out is None:
            result = trained(library().train, [whole.table(), work.options()], watchers)
        else:
            result = trained(library().run_train_table, [whole.table(), work.options(), os.fsencode(out)], watchers)
        self._keep(result, rows, out)
        self._target_name = name
        return self

    def _training_rows(self, ordered: Ordered, name: str, values: dict[str, Any]) -> tuple[Rows, dict[str, str]]:
        """The rows with their answers and what else is told of them, and the settings that name those columns."""
        rows = ordered.rows.with_column(self._target_column(name, ordered.target))
        named: dict[str, str] = {}
        taken = [*(rows.names or []), name]
        if ordered.weights is not None:
            named["weight"] = free_name("weight", taken, 0)
            rows = rows.with_column(Numbers(named["weight"], ordered.weights))
        if ordered.groups is not None and _may_group(values, int(ordered.groups[-1])):
            named["group"] = free_name("group", taken, 0)
            rows = rows.with_column(Numbers(named["group"], ordered.groups.astype(np.int64)))
        return rows, named

    def _held_out(self, eval_set: Any, rows: Rows, name: str) -> Rows:
        """The rows to validate on, with the names of those to learn from."""
        pair = eval_set[0] if isinstance(eval_set, list) and len(eval_set) == 1 else eval_set
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise ValueError("eval_set: give one pair (X, y)")
        held = rows_of(pair[0])
        answers = target_array(pair[1], type(self).__name__)
        if held.count != len(answers):
            raise ValueError(f"eval_set: X has {held.count} rows, y has {len(answers)}; give as many")
        if held.names is None:
            held = held.renamed(rows.names)
        return held.with_column(self._target_column(name, self._codes_of(answers)))

    def _codes_of(self, y: Array) -> Array:
        """Answers of other rows, as those that were learned."""
        return y

    def _keep(self, result: Result, rows: Rows, out: Any) -> None:
        """What a fitted estimator knows."""
        model = result.model  # fails if no net fits the budget, and nothing is kept then
        for gone in ("feature_names_in_", "_importances"):
            self.__dict__.pop(gone, None)
        self._result: Result | None = result
        self._out: str | None = None if out is None else os.fspath(out)
        self._sample = rows.take(np.unique(np.linspace(0, rows.count - 1, _explained_rows).astype(np.int64)))
        self.n_features_in_ = rows.width
        if rows.names is not None:
            self.feature_names_in_ = np.array(rows.names, dtype=object)
        self.front_: Front = result.front
        self.nets_: list[Model] = result.nets
        self.history_: list[EpochReport] = result.history
        self.notes_: list[str] = result.notes
        self.settings_: dict[str, Any] = result.summary["options"]
        assert result.chosen is not None
        self._use(result.chosen, model)

    def _use(self, net: int, model: Model) -> None:
        record = self.front_[net]
        members = record["members"] or [net]
        self.front_ = self.front_.picking(net)
        self.model_ = model
        self.hidden_units_ = model.hidden_units
        self.validation_error_: float = record["validation_error"]
        self.n_iter_ = max(1, *(self.front_[one]["epochs"] for one in members))
        self.__dict__.pop("_importances", None)

    def repick(self, rule: str = "best", max_parameters: int | None = None, max_bytes: int | None = None) -> Any:
        """Makes another net of the front the model: the one that another rule, or another budget, chooses."""
        self._require_fit()
        if self._result is None:
            raise ValueError("an estimator that was unpickled has its picked net alone; pick before you pickle")
        net = self._result.pick(rule, max_parameters, max_bytes)
        self._use(net, self.nets_[net])
        return self

    # ---- answering ----

    def _require_fit(self) -> None:
        if "model_" not in self.__dict__:
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with appropriate arguments before "
                "using this estimator."
            )

    def __sklearn_is_fitted__(self) -> bool:
        return "model_" in self.__dict__

    def _rows_to_answer(self, X: Any) -> Rows:
        self._require_fit()
        rows = rows_of(X)
        known = self.__dict__.get("feature_names_in_")
        name = type(self).__name__
        if rows.names is not None and known is not None:
            return rows  # the model finds its columns
        if rows.width != self.n_features_in_:
            raise ValueError(f"X has {rows.width} features, but {name} is expecting {self.n_features_in_} features as input.")
        if rows.names is not None:
            warnings.warn(f"X has feature names, but {name} was fitted without feature names", stacklevel=4)
            return rows.renamed(None)
        if known is not None:
            warnings.warn(f"X does not have valid feature names, but {name} was fitted with feature names", stacklevel=4)
            return rows.renamed(list(known))
        return rows

    def _answers(self, X: Any, interval: float = 0) -> Prediction:
        rows = self._rows_to_answer(X)
        threads = max(self.n_jobs or 0, 0)
        cuda = str(self.device).startswith("cuda")
        return _unaffected(rows, lambda all: self.model_.predict_rows(all, threads, cuda, interval))

    def _given(self, X: Any, values: Array) -> Any:
        """Answers, one per row, as `output` says."""
        return like(X, values, self._target_name) if self._in_container() else values

    def _given_table(self, X: Any, values: Array, names: Sequence[Any]) -> Any:
        return table_like(X, values, names) if self._in_container() else values

    def _in_container(self) -> bool:
        require_output(self.output)
        return self.output == "container"

    @property
    def feature_importances_(self) -> Array:
        """How much each column contributes to what the model says: the mean size of its contributions, all together 1."""
        self._require_fit()
        if "_importances" not in self.__dict__:
            explained = self.model_.explain_rows(self._sample)
            names = self._sample.names or [f"column{i + 1}" for i in range(self._sample.width)]
            sizes = dict(zip(explained.columns, np.abs(explained.contributions).mean(axis=0), strict=True))
            found = np.array([sizes.get(name, 0.0) for name in names])
            self._importances: Array = found / found.sum() if found.sum() > 0 else found
        return self._importances

    def report(self, path: str | os.PathLike[str] | None = None) -> str:
        """Writes the report of a fit that had a run directory; tells where it lies."""
        self._require_fit()
        if self._out is None:
            raise ValueError("there is no run directory to report on; fit with out='runs/name'")
        written = text_of(library().run_report, os.fsencode(self._out))
        if path is None:
            return written
        shutil.copyfile(written, path)
        return os.fspath(path)

    # ---- around ----

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The settings as they were given."""
        return {**super().get_params(deep), "pick": vars(self)["pick"]}

    def __getstate__(self) -> Any:
        # Models are their bytes; what is left of a training stays behind.
        state = dict(super().__getstate__())
        return {**state, "_result": None} if "_result" in state else state

    def __setstate__(self, state: Any) -> None:
        # Pickles of earlier versions lack what came later.
        later = {**own, **dict.fromkeys(one.name for one in settings() if one.name not in told_otherwise)}
        super().__setstate__({**later, "_target_name": "target", **state})

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.input_tags.sparse = True
        return tags


def _unaffected(rows: Rows, predict: Callable[[Rows], Prediction]) -> Prediction:
    """What a row is answered must not depend on how many are asked about, but products of few rows are rounded otherwise
    than those of many: few rows are asked about several times."""
    if rows.count >= _fewest_rows:
        return predict(rows)
    found = predict(rows.repeated(_fewest_rows))
    of_rows: dict[str, Any] = {key: value[: rows.count] for key, value in vars(found).items() if isinstance(value, np.ndarray)}
    return replace(found, **of_rows)


def _may_group(values: dict[str, Any], groups: int) -> bool:
    """Whether a split by groups is not in the way of what was set."""
    if any(values[other] is not None for other in ("group", "time", "fold")):
        return False
    folds = values["ensemble"]
    return groups >= (folds if isinstance(folds, int) else 2)


def _name_of(y: Any) -> str:
    """The target's own name, as a csv file of it would have it."""
    name = getattr(y, "name", None)
    return name if isinstance(name, str) and name else "target"
