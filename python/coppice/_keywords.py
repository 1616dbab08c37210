"""The keywords of the estimators and of train.

Written by python/write_keywords.py: change the library's settings instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from ._model import Model


class Settings(TypedDict, total=False):
    # columns to leave out
    ignore: str | Sequence[str] | None
    # columns that name a row: not inputs, passed through by predict
    id: str | Sequence[str] | None
    # columns to take as categories even if they hold numbers
    categorical: str | Sequence[str] | None
    # how much the rows of each class count, beside their own weight; balanced: all classes count the same together
    # (default: none)
    class_weights: str | Sequence[str] | Mapping[Any, float] | None
    # inputs: each column (numbers squashed, so that none lies far out), each column as the paper would (standard:
    # mean 0, deviation 1), all together, or as they are; auto: images global, tables column, with `effort` paper
    # standard
    scale: str | None
    # columns of numbers: one input, or beside it up to eight bins, each rising from one quantile to the next; auto:
    # both are tried, and validation rows choose; plain where lambdas, sizes, seeds, a budget, a warm start or
    # `effort` paper are given
    encode: str | None
    # what is learned of a target of numbers: the numbers, or their logarithms; auto: log for numbers above 0 of
    # which few lie far above the others (not with `effort` paper)
    target_transform: str | None
    # rows that decide when to stop (default: a tenth of a table's, a sixth of images)
    validation: float | None
    # nets that answer together, each validated on one of K folds of the rows; auto: 5, or 10 of 200 to 5,000 rows,
    # for tables of up to 100,000, unless rows to validate on, a budget, lambdas, sizes or seeds are given
    ensemble: int | bool | str | None
    # with `ensemble` off: nets on folds of the rows come first, and the one net learns to answer as they do
    # together, on the rows and on others between them; auto: of tables of up to 10,000 rows, unless rows to
    # validate on, a budget, lambdas, sizes, seeds, effort quick or `refit` on are given
    distil: str | None
    # in the end the best net, or ensemble, goes on for a few epochs with the rows that validated it; auto: of
    # tables, where it has learned much, unless lambdas, sizes, a budget or seeds are given
    refit: str | None
    # rows that only the final error is measured on
    test: float | None
    # column that groups rows: none of its groups is on both sides of a split
    group: str | None
    # column of times (numbers, ISO dates or times): the last rows validate, and of all rows the last test if a
    # share is asked for
    time: str | None
    # column that names folds: the rows of the first one validate; with `seeds` those of each in turn
    fold: str | None
    # names every random number of the run
    seed: int | None
    # begin with this model's network instead of small random ones
    warm_start: Model | str | PathLike[str] | bool | None
    # number of hidden layers; their widths are found
    hidden_layers: int | None
    # units of each hidden layer at the start
    start_units: int | None
    # hidden units per layer of a net that does not grow; with `lambda` it shrinks
    fixed_size: int | Sequence[int] | None
    # normalisation of hidden layers; batch normalisation with `fixed-size` only
    norm: str | None
    # nonlinearity
    activation: str | None
    # CapNorm on the output layer too
    output_capnorm: bool | None
    # CapNorm on the output layer of nets with batch normalisation too, for study
    capped_batchnorm: bool | None
    # how far the kinks of hidden units are spread around the mean of their input, in its deviations; 0: all lie at
    # the mean
    kinks: float | None
    # kinks learn: by how much they move in a step, as a part of the angle that fan-ins turn by; 0: they stay; not
    # on a GPU
    kink_step: float | None
    # the outputs have a common factor that learns: by how much its logarithm moves in a step, as a part of the
    # angle that fan-ins turn by; 0: there is none; not on a GPU
    output_scale_step: float | None
    # rows that CapNorm's statistics reach back over while training, over more than one batch; 0: those of the
    # batch; not on a GPU
    capnorm_rows: int | None
    # class scores start from the classes' frequencies
    prior_offset: bool | None
    # strength of the size penalty, one net per value: larger gives smaller nets (default: a path of values found
    # from the data)
    lambda_: float | Sequence[float] | None
    # whose lengths the penalty sums up
    regularizer: str | None
    # 2: the penalty takes whole units away; 1: single weights
    penalty_power: int | None
    # factors on lambda, one for the weights of each layer, the output layer's last
    layer_lambdas: float | Sequence[float] | None
    # lambdas that a path begins with; it goes on at both ends while that pays
    path: int | None
    # nets per lambda, with seeds seed, seed+1, ...
    seeds: int | None
    # trainings, each with other seeds and other rows held out for validation and test: median and range of what
    # they come to; the first is the model
    repeat: int | None
    # what decides when to stop and which net is best: of classes error, log-loss, auc, balanced-error or f1, of
    # numbers rmse or mae (default: log-loss, error in effort paper; rmse)
    metric: str | None
    # which net is the model: lowest error, smallest within a standard error of it, or where the front bends
    pick: str | None
    # weights that the model may have
    max_parameters: int | None
    # bytes that the model file may have
    max_bytes: int | None
    # what `max-bytes` counts: the model file, or constants of the C header that it is exported to, in floats or in
    # 8 bits
    for_: str | None
    # training algorithm: adarad and adarad-m turn fan-ins, the others take steps
    optimizer: str | None
    # quick: a first answer; normal: as good as paper in a third of the epochs; paper: its protocol to the letter
    effort: str | None
    # radians that a fan-in turns by per step (default: from batch size and steps)
    angle: float | None
    # alpha_phi: turns fan-ins as in the paper, instead of angle
    angular_step: float | None
    # step of optimizers without angles (default: 0.001 for rmsprop and adam, 0.1 of a batch's mean gradient for
    # others; from unit-lifetime where units come and go)
    step: float | None
    # epochs that a useless new unit lives
    unit_lifetime: float | None
    # alpha_r; overrides unit-lifetime
    radial_step: float | None
    # units per addition and hidden layer; not whole: Poisson
    add_units: float | None
    # how often units are added
    additions_per_epoch: float | None
    # beta: share of the new gradient in running means of squares
    mixing_rate: float | None
    # share of the new gradient in running means of gradients (adarad-m, momentum, nesterov, adam)
    momentum_rate: float | None
    # keeps a division finite
    epsilon: float | None
    # c: the length of a fan-in is multiplied by no more than c and no less than 1/c in a step, before it shrinks;
    # 0: by anything
    trust_region: float | None
    # what is added to the size of a unit's angular part before that is normalised, as a share of the net's largest
    relative_epsilon: float | None
    # a fan-in longer than 1 is shortened by a share of its length in a step, as one of length 1 is
    relative_shrinkage: bool | None
    # what a radial step makes of a length that the gradient shortens: 1 - alpha_r c of it, which may be negative,
    # or exp(-alpha_r c)
    radial_rule: str | None
    # epochs after which the largest angular part there was, which angular-step goes by, is half forgotten; 0: never
    peak_half_life: float | None
    # of classes: the share of every label that all classes get alike, in training alone
    label_smoothing: float | None
    # rows per step (default: 1000, less for small data)
    batch_size: int | None
    # units are added for so many epochs (default: until patience ends it)
    grow_epochs: int | None
    # times that growing goes on with a third of the step where it has learned nothing (default: 3; 0 in effort
    # paper)
    softenings: int | None
    # epochs without a better validation error that end a phase
    patience: float | None
    # epochs that settle, the phase in which redundant units die out, lasts at most
    settle_epochs: float | None
    # the same while the step is annealed
    fine_patience: float | None
    # stop each net after so many epochs
    max_epochs: int | None
    # stop each net after so many iterations; 0 writes the initial net
    max_steps: int | None
    # rounding of matrix products; auto: tf32 on GPUs; on processors bf16 for images if they have it, else fp32
    precision: str | None
    # products, sums and functions that round the same on every processor, so that models are the same bytes
    # everywhere; not on a GPU; images in bf16, whether the processor has it or not (default: off)
    portable_math: bool | None
    # which state of a net that was stopped is written
    keep: str | None
    # seconds; then every net's kept state is written
    time_limit: float | None
    # where to compute; auto: on an NVIDIA GPU if there is one; cuda:0,1: on these, which share the nets
    device: str | None
    # processor threads (default: all); results do not depend on it
    threads: int | None
    # the ranks of mpirun, 1, 2, 4 or 8, hold a part of the rows each and pass over every batch together: for rows
    # that fit no machine's memory (default: off; then ranks train a net each)
    rows_over_ranks: bool | None
    # what a training may take, such as 500M or 2G (default: 90 % of the machine's or the container's); rows beyond
    # half of it lie in a scratch file in TMPDIR or /var/tmp; results do not depend on it
    memory: int | str | None


class EstimatorSettings(Settings, total=False):
    # auto: up to 10,000 rows of arrays without names are sorted, and whole weights repeat rows, so that neither the
    # order of rows nor how repetitions are told matters; given: rows stay as they come; sorted
    row_order: str
    # numpy: answers are arrays; container: what X is, a Series or DataFrame of pandas or polars, an Array or Table
    # of pyarrow
    output: str
    # the same as seed; a RandomState or Generator of numpy draws one
    random_state: Any
    # processor threads; -1 or None: all; the same as threads
    n_jobs: int | None
    # 0: silent; 1: a bar
    verbose: int


class TrainSettings(Settings, total=False):
    # column that says how much each row counts, 0 or more; no input
    weight: str | None
    # what to predict: a class or a number
    task: str | None
