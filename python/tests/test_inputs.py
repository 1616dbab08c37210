"""What can be handed in, and what comes of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from coppice import CoppiceClassifier, CoppiceRegressor, CoppiceWarning
from coppice._from_numpy import rows_of_array


def model_of(X: Any, y: Any, quick: dict[str, Any]) -> bytes:
    return CoppiceClassifier(**quick).fit(X, y).model_.bytes()


def test_order_and_layout_do_not_matter(ring: Any, quick: dict[str, Any], tmp_path: Any) -> None:
    X, y = ring
    single = X.astype(np.float32)
    padded = np.zeros((len(X), 5), dtype=np.float32)
    padded[:, 1:3] = single
    readonly = single.copy()
    readonly.flags.writeable = False
    mapped = np.memmap(tmp_path / "x", dtype=np.float32, mode="w+", shape=single.shape)
    mapped[:] = single
    forms = [X, single, np.asfortranarray(X), np.asfortranarray(single), padded[:, 1:3], readonly, mapped, X.tolist()]
    forms += [np.repeat(single, 2, axis=0)[::2], single[::-1][::-1], X.astype(object)]
    assert len({model_of(form, y, quick) for form in forms}) == 1


def test_a_float32_array_is_not_copied(ring: Any) -> None:
    single = ring[0].astype(np.float32)
    rows = rows_of_array(single)
    assert rows.matrix is not None and np.shares_memory(rows.matrix, single)
    wide = np.zeros((10, 6), dtype=np.float32)
    rows = rows_of_array(wide[:, 2:5])
    assert rows.matrix is not None and np.shares_memory(rows.matrix, wide)


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int64", "bool", "float16", "float32", "float64"])
def test_every_kind_of_number(dtype: str, quick: dict[str, Any]) -> None:
    X = np.random.default_rng(0).integers(0, 2, size=(200, 3)).astype(dtype)
    y = X[:, 0].astype(int) ^ X[:, 1].astype(int)
    assert model_of(X, y, quick) == model_of(X.astype(np.float64), y, quick)


def test_sparse(ring: Any, quick: dict[str, Any]) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    X = np.where(np.abs(ring[0]) < 0.3, 0, ring[0])
    dense = model_of(X, ring[1], quick)
    for form in (sparse.csr_matrix, sparse.csc_array, sparse.coo_array):
        assert model_of(form(X), ring[1], quick) == dense


@pytest.mark.filterwarnings("ignore::coppice.CoppiceWarning")
def test_frames_of_others(quick: dict[str, Any]) -> None:
    pl = pytest.importorskip("polars")
    pa = pytest.importorskip("pyarrow")
    pd = pytest.importorskip("pandas")
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "number": random.normal(size=200),
            "whole": random.integers(0, 50, 200),
            "text": random.choice(["a", "b", None], 200),
            "flag": random.random(200) < 0.5,
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(random.integers(0, 300, 200), unit="D"),
            "category": pd.Categorical(random.choice(["x", "y"], 200)),
        }
    )
    y = random.random(200) < 0.5
    fitted = CoppiceClassifier(**quick).fit(frame, y)
    for form in (pl.from_pandas(frame), pa.Table.from_pandas(frame)):
        again = CoppiceClassifier(**quick).fit(form, y)
        assert again.model_.bytes() == fitted.model_.bytes()
        assert (again.predict_proba(frame) == fitted.predict_proba(form)).all()


def test_missing_is_missing(quick: dict[str, Any]) -> None:
    pd = pytest.importorskip("pandas")
    random = np.random.default_rng(0)
    X = random.normal(size=(200, 2))
    X[random.random(200) < 0.2, 0] = np.nan
    y = np.isnan(X[:, 0]) ^ (X[:, 1] > 0)
    fitted = CoppiceClassifier(effort="quick", ensemble="off").fit(X, y)
    assert fitted.score(X, y) > 0.9
    named = pd.DataFrame(X, columns=["a", "b"])
    nullable = named.convert_dtypes()
    assert model_of(named, y, quick) == model_of(nullable, y, quick)


def test_columns_are_found_by_name(ring: Any, quick: dict[str, Any]) -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(ring[0], columns=["x", "y"])
    fitted = CoppiceClassifier(**quick).fit(frame, ring[1])
    assert list(fitted.feature_names_in_) == ["x", "y"] and fitted.n_features_in_ == 2
    told = fitted.predict_proba(frame)
    assert (fitted.predict_proba(frame[["y", "x"]]) == told).all()
    with pytest.warns(CoppiceWarning, match="more"):
        assert (fitted.predict_proba(frame.assign(more=1)) == told).all()
    with pytest.raises(ValueError, match='"y"'):
        fitted.predict(frame[["x"]])
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        assert (fitted.predict_proba(ring[0]) == told).all()
    bare = CoppiceClassifier(**quick).fit(*ring)
    assert not hasattr(bare, "feature_names_in_")
    with pytest.warns(UserWarning, match="was fitted without feature names"):
        bare.predict(frame)
    with pytest.raises(ValueError, match="3 features, but CoppiceClassifier is expecting 2"):
        bare.predict(np.zeros((4, 3)))


def test_targets_may_be_called_as_columns_are(ring: Any, quick: dict[str, Any]) -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(ring[0], columns=["target", "weight"])
    y = pd.Series(ring[1], name="target")
    fitted = CoppiceClassifier(**quick).fit(frame, y, sample_weight=np.ones(len(y)) * 1.5)
    assert fitted.score(frame, y) > 0.5


@pytest.mark.parametrize(
    "labels",
    [[0, 1], [True, False], ["b", "a"], [-1.0, 7.0], ["NA", "x"], ["1", "1.0"], ["", "x"], ["ä,ö", "x=1"], [10, 9]],
)
def test_labels_come_back_as_they_were(ring: Any, quick: dict[str, Any], labels: list[Any]) -> None:
    y = np.array(labels)[(ring[1] == "in").astype(int)]
    fitted = CoppiceClassifier(**{**quick, "max_epochs": 60}).fit(ring[0], y)
    assert fitted.classes_.tolist() == sorted(labels)
    assert fitted.predict(ring[0]).dtype == y.dtype
    assert fitted.score(ring[0], y) > 0.8
    proba = fitted.predict_proba(ring[0])
    assert (fitted.classes_[proba.argmax(axis=1)] == fitted.predict(ring[0])).all()


def test_what_makes_no_sense_is_said(ring: Any, quick: dict[str, Any]) -> None:
    X, y = ring
    estimator = CoppiceClassifier(**quick)
    for wrong, word in [(X[:0], "0 sample"), (X[:, :0], "0 feature"), (X[:, 0], "Reshape"), (X[:5], "inconsistent")]:
        with pytest.raises(ValueError, match=word):
            estimator.fit(wrong, y)
    with pytest.raises(ValueError, match="one class"):
        estimator.fit(X, ["a"] * len(X))
    with pytest.raises(ValueError, match="infinity"):
        estimator.fit(np.where(X > 0.9, np.inf, X), y)
    with pytest.raises(ValueError, match="infinity"):
        estimator.fit(np.where(X > 0.9, 1e300, X), y)
    with pytest.raises(TypeError, match="dict"):
        estimator.fit(np.array([[{}, 1]] * len(X), dtype=object), y)
    with pytest.raises(ValueError, match="non-zero"):
        estimator.fit(X, y, sample_weight=np.zeros(len(X)))
    with pytest.raises(ValueError, match="numbers"):
        CoppiceRegressor(**quick).fit(X, y)
    with pytest.raises(ValueError, match="texts and numbers"):
        estimator.fit(X, np.array(["a", 1] * (len(X) // 2), dtype=object))
    assert not hasattr(estimator, "model_")


def test_the_sign_of_nothing_does_not_matter(quick: dict[str, Any]) -> None:
    X = np.random.default_rng(0).integers(-1, 2, size=(100, 2)).astype(np.float32)
    y = X[:, 0] > 0
    negative = np.where(X == 0, np.float32(-0.0), X)
    assert np.signbit(negative).sum() > np.signbit(X).sum()
    assert model_of(X, y, quick) == model_of(negative, y, quick)


cells = st.one_of(st.floats(-1e6, 1e6, width=32), st.just(float("nan")), st.sampled_from([0.0, -0.0, 1e-30, 3e38, 1.0]))


@settings(max_examples=25, deadline=None)
@given(
    X=arrays.arrays(np.float32, st.tuples(st.integers(6, 30), st.integers(1, 4)), elements=cells),
    turn=st.integers(0, 5),
)
@pytest.mark.filterwarnings("ignore")
def test_rows_in_any_order_give_the_same_model_or_the_same_complaint(X: Any, turn: int) -> None:
    y = np.arange(len(X)) % 2
    came: list[Any] = []
    for order in (np.arange(len(X)), np.roll(np.arange(len(X)), turn)):
        try:
            fitted = CoppiceClassifier(effort="quick", ensemble="off", lambda_=0.01, max_epochs=2).fit(X[order], y[order])
            came.append(fitted.model_.bytes())
            assert np.isfinite(fitted.predict_proba(X)).all()
        except ValueError as error:
            came.append(type(error))
    assert came[0] == came[1]
