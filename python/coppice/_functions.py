"""Training and loading for those who want no estimator: the program's own commands as functions."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ._library import library
from ._model import Model
from ._progress import progress
from ._result import Result
from ._rows import rows_of, table_of
from ._settings import Options
from ._spread import Work, spread
from ._training import trained, watcher_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._keywords import TrainSettings

Path = str | os.PathLike[str]


def train(
    data: Any,
    target: str | None = None,
    *,
    out: Path | None = None,
    resume: bool = False,
    callbacks: Any = None,
    parallel: Any = None,
    verbose: int = 0,
    **settings: Unpack[TrainSettings],
) -> Result:
    """Trains on a table, or a file that the program reads, as `coppice train` does: the same models, byte for byte.

    Parameters
    ----------
    data : DataFrame, Arrow stream, array, path
        A row per sample, the answers in a column of their own. Batches of an Arrow stream are taken one after another.
    target : str
        The column to predict.
    out : path, optional
        A run directory to write. An interrupted training can be resumed there.
    resume : bool
        Goes on with the run in `out`; data that came from memory is handed in again.
    parallel : joblib.Parallel, optional
        Trains each net as a task of its own, on any backend; the models are the same.
    settings
        As `coppice.settings()` lists them.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(200, 3))
    >>> result = train(X, "column3", effort="quick", ensemble="off", lambda_=[0.1, 0.01], max_epochs=5)
    >>> len(result.nets), result.front["lambda_"]
    (2, [0.1, 0.01])
    """
    watchers = [watcher_of(one) for one in callbacks or ()]
    if verbose:
        watchers.append(progress())
    if resume and out is None:
        raise ValueError("resume: name the run directory with out=")
    values = {"target": target, **settings}
    is_file = isinstance(data, (str, os.PathLike))
    if parallel is not None:
        if out is not None or is_file:
            raise ValueError("parallel: hand in rows in memory and no run directory")
        return spread(parallel, Work(rows_of(data), values), watchers)
    options = Options.of(values)
    lib = library()
    if resume and is_file:
        return trained(lib.run_resume, [os.fsencode(out or "")], watchers)
    if is_file:
        if out is None:
            from ._columns import Table

            return trained(lib.train, [Table.read(os.fspath(data)), options], watchers)
        return trained(lib.run_train, [os.fsencode(data), options, os.fsencode(out)], watchers)
    table = table_of(data, options)
    if out is None:
        return trained(lib.train, [table, options], watchers)
    if resume:
        return trained(lib.run_resume_table, [os.fsencode(out), table, options], watchers)
    return trained(lib.run_train_table, [table, options, os.fsencode(out)], watchers)


def load(path: Path) -> Model:
    """The model in a file, or in a run directory."""
    return Model.load(path)
