"""What estimators know, and how they live among scikit-learn's tools."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coppice import CoppiceClassifier, CoppiceRegressor, Model, StopTraining
from coppice._errors import InputError

two_nets = {"effort": "quick", "ensemble": "off", "lambda_": [0.03, 0.0003], "seed": 1}


def test_fitted_attributes(ring: Any) -> None:
    fitted = CoppiceClassifier(**two_nets).fit(*ring)
    assert fitted.classes_.tolist() == ["in", "out"]
    assert len(fitted.front_) == len(fitted.nets_) == 2
    record = next(net for net in fitted.front_ if net["picked"])
    assert fitted.validation_error_ == record["validation_error"]
    assert fitted.hidden_units_ == [record["hidden_units"]]
    assert fitted.n_iter_ == record["epochs"] >= 1
    assert fitted.model_.bytes() == fitted.nets_[record["net"]].bytes()
    assert {report.net for report in fitted.history_} == {0, 1}
    assert sum(1 for report in fitted.history_ if not report.running) == 2
    assert fitted.settings_["effort"] == "quick" and fitted.settings_["hidden-layers"] == 2
    assert fitted.feature_importances_.sum() == pytest.approx(1)


def test_every_net_of_the_front_predicts(ring: Any) -> None:
    fitted = CoppiceClassifier(**two_nets).fit(*ring)
    labels = [net.predict(ring[0]).labels for net in fitted.nets_]
    assert (labels[fitted.front_["picked"].index(True)] == fitted.predict(ring[0])).all()


def test_repick(ring: Any) -> None:
    fitted = CoppiceClassifier(**two_nets).fit(*ring)
    sizes = fitted.front_["parameters"]
    small = sizes.index(min(sizes))
    assert sizes[0] != sizes[1]
    assert fitted.repick("best", max_parameters=min(sizes)) is fitted
    assert fitted.front_[small]["picked"] and sum(fitted.front_["picked"]) == 1
    assert fitted.model_.parameters == min(sizes)
    assert fitted.hidden_units_ == [fitted.front_[small]["hidden_units"]]
    with pytest.raises(InputError, match="`max_parameters` 1") as caught:
        fitted.repick(max_parameters=1)
    assert caught.value.option == "max_parameters"
    with pytest.raises(ValueError, match="before you pickle"):
        pickle.loads(pickle.dumps(fitted)).repick()


def test_pick_is_a_setting_and_picks_afterwards(ring: Any) -> None:
    sklearn_base = pytest.importorskip("sklearn.base")
    fitted = CoppiceClassifier(**two_nets, max_epochs=20, pick="knee").fit(*ring)
    assert fitted.pick == "knee" and fitted.get_params()["pick"] == "knee"
    assert sklearn_base.clone(fitted).get_params()["pick"] == "knee"
    assert "pick='knee'" in repr(fitted) and repr(fitted.pick) == "'knee'"
    few = min(fitted.front_["parameters"])
    assert fitted.pick(max_parameters=few) is fitted and fitted.model_.parameters == few
    assert fitted.pick("best").validation_error_ == min(fitted.front_["validation_error"])
    assert fitted.pick == "knee", "the setting is what the next fit does"
    assert fitted.set_params(pick=None).get_params()["pick"] is None
    assert pickle.loads(pickle.dumps(fitted)).get_params()["pick"] is None
    with pytest.raises(ValueError, match="not fitted"):
        CoppiceClassifier().pick("knee")


def test_an_ensemble_tells_of_all_its_nets(ring: Any) -> None:
    fitted = CoppiceClassifier(effort="quick", ensemble=3).fit(*ring)
    record = next(net for net in fitted.front_ if net["picked"])
    assert len(record["members"]) == 3 == len(fitted.hidden_units_)
    assert fitted.hidden_units_ == [fitted.front_[net]["hidden_units"] for net in record["members"]]
    assert fitted.n_iter_ == max(fitted.front_[net]["epochs"] for net in record["members"])


def test_importance_finds_the_column_that_matters() -> None:
    X = np.random.default_rng(0).normal(size=(300, 4))
    fitted = CoppiceRegressor(effort="quick", ensemble="off").fit(X, np.sin(2 * X[:, 2]))
    assert fitted.feature_importances_.argmax() == 2 and fitted.feature_importances_[2] > 0.6
    assert fitted.score(X, np.sin(2 * X[:, 2])) > 0.9


def test_pickles_are_model_bytes(ring: Any, quick: dict[str, Any]) -> None:
    fitted = CoppiceClassifier(**quick).fit(*ring)
    again = pickle.loads(pickle.dumps(fitted))
    assert again.model_.bytes() == fitted.model_.bytes() and fitted.model_.bytes() in pickle.dumps(fitted)
    assert (again.predict_proba(ring[0]) == fitted.predict_proba(ring[0])).all()
    assert (again.feature_importances_ == fitted.feature_importances_).all()
    assert again.front_["validation_error"] == fitted.front_["validation_error"]
    model = pickle.loads(pickle.dumps(fitted.model_))
    assert isinstance(model, Model) and model.bytes() == fitted.model_.bytes()


def test_joblib_keeps_it(ring: Any, quick: dict[str, Any], tmp_path: Any) -> None:
    joblib = pytest.importorskip("joblib")
    fitted = CoppiceClassifier(**quick).fit(*ring)
    joblib.dump(fitted, tmp_path / "fitted.joblib", compress=3)
    again = joblib.load(tmp_path / "fitted.joblib")
    assert again.model_.bytes() == fitted.model_.bytes()
    assert (again.predict_proba(ring[0]) == fitted.predict_proba(ring[0])).all()


def test_weights_are_repetitions(ring: Any, quick: dict[str, Any]) -> None:
    X, y = ring
    weights = np.random.default_rng(3).integers(0, 4, len(X))
    weighted = CoppiceClassifier(**quick).fit(X, y, sample_weight=weights)
    repeated = CoppiceClassifier(**quick).fit(X.repeat(weights, axis=0), y.repeat(weights))
    turned = CoppiceClassifier(**quick).fit(X[::-1], y[::-1], sample_weight=weights[::-1])
    assert weighted.model_.bytes() == repeated.model_.bytes() == turned.model_.bytes()
    shares = CoppiceClassifier(**quick).fit(X, y, sample_weight=weights + 0.5)
    assert shares.model_.bytes() != weighted.model_.bytes()
    given = CoppiceClassifier(**quick, row_order="given")
    assert given.fit(X, y).model_.bytes() != given.fit(X[::-1], y[::-1]).model_.bytes()
    with pytest.raises(ValueError, match="row_order"):
        CoppiceClassifier(**quick, row_order="shuffled").fit(X, y)


def test_eval_set_decides(ring: Any, quick: dict[str, Any]) -> None:
    X, y = ring
    plain = CoppiceClassifier(**quick).fit(X[:200], y[:200])
    held = CoppiceClassifier(**quick).fit(X[:200], y[:200], eval_set=(X[200:], y[200:]))
    assert held.model_.bytes() != plain.model_.bytes()
    wrong = float((held.predict(X[200:]) != y[200:]).mean())
    assert held.validation_error_ == pytest.approx(wrong)
    number = CoppiceRegressor(**quick).fit(X[:200], X[:200, 0], eval_set=[(X[200:], X[200:, 0])])
    assert 1 - number.validation_error_ == pytest.approx(number.score(X[200:], X[200:, 0]), abs=1e-3)
    with pytest.raises(ValueError, match="a class that"):
        CoppiceClassifier(**quick).fit(X, y, eval_set=(X[:2], ["in", "elsewhere"]))
    with pytest.raises(ValueError, match="one pair"):
        CoppiceClassifier(**quick).fit(X, y, eval_set=X)


def test_callbacks_hear_and_stop(ring: Any, quick: dict[str, Any]) -> None:
    heard: list[Any] = []
    CoppiceClassifier(**quick).fit(*ring, callbacks=[heard.append])
    assert len(heard) == quick["max_epochs"] and heard[-1].running is False

    def enough(report: Any) -> None:
        if report.epoch == 2:
            raise StopTraining

    stopped = CoppiceClassifier(**{**quick, "max_epochs": 100000, "patience": 100000}).fit(*ring, callbacks=[enough])
    assert stopped.score(*ring) >= 0

    def broken(report: Any) -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        CoppiceClassifier(**quick).fit(*ring, callbacks=[broken])
    with pytest.raises(TypeError, match="neither a function"):
        CoppiceClassifier(**quick).fit(*ring, callbacks=[3])


def test_a_fit_that_fails_changes_nothing(ring: Any, quick: dict[str, Any]) -> None:
    X, y = ring

    def ctrl_c(report: Any) -> None:
        raise KeyboardInterrupt

    estimator = CoppiceClassifier(**quick)
    with pytest.raises(KeyboardInterrupt):
        estimator.fit(X, y, callbacks=[ctrl_c])
    assert vars(estimator) == vars(CoppiceClassifier(**quick))
    told = estimator.fit(X, y).predict(X)
    with pytest.raises(KeyboardInterrupt):
        estimator.fit(X[:, :1], np.where(y == "in", 3, 4), callbacks=[ctrl_c])
    assert (estimator.predict(X) == told).all() and estimator.n_features_in_ == 2


def test_warm_start(ring: Any, quick: dict[str, Any], tmp_path: Any) -> None:
    first = CoppiceClassifier(**quick).fit(*ring)
    first.model_.save(tmp_path / "first.coppice")
    plain = CoppiceClassifier(**{**quick, "max_epochs": 1}).fit(*ring)
    warm = [
        CoppiceClassifier(**{**quick, "max_epochs": 1}, warm_start=start).fit(*ring)
        for start in (first.model_, tmp_path / "first.coppice", str(tmp_path / "first.coppice"))
    ]
    assert len({one.model_.bytes() for one in warm}) == 1 and warm[0].model_.bytes() != plain.model_.bytes()
    again = first.set_params(warm_start=True, max_epochs=1).fit(*ring)
    assert again.model_.bytes() == warm[0].model_.bytes()


def test_among_the_tools_of_scikit_learn(ring: Any, quick: dict[str, Any]) -> None:
    pytest.importorskip("sklearn")
    import sklearn
    from sklearn.base import clone
    from sklearn.model_selection import GridSearchCV, cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    X, y = ring
    estimator = CoppiceClassifier(**quick)
    copy = clone(estimator.fit(X, y))
    assert copy.get_params() == estimator.get_params() and not hasattr(copy, "model_")
    assert cross_val_score(estimator, X, y, cv=3).shape == (3,)
    search = GridSearchCV(estimator, {"hidden_layers": [1, 2]}, cv=2, n_jobs=2).fit(X, y)
    assert search.best_params_["hidden_layers"] in (1, 2)
    pipeline = make_pipeline(StandardScaler().set_output(transform="default"), estimator)
    assert pipeline.fit(X, y).predict(X).shape == y.shape
    with sklearn.config_context(enable_metadata_routing=True):
        routed = CoppiceClassifier(**quick).set_fit_request(sample_weight=True)
        weights = np.arange(len(X)) % 3
        whole = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), routed).fit(X, y, sample_weight=weights)
        by_hand = CoppiceClassifier(**quick).fit(StandardScaler().fit_transform(X), y, sample_weight=weights)
        assert whole[-1].model_.bytes() == by_hand.model_.bytes()
        scored = routed.set_score_request(sample_weight=True)
        folds = cross_val_score(scored, X, y, cv=2, params={"sample_weight": weights})
        plain = cross_val_score(CoppiceClassifier(**quick), X, y, cv=2)
        assert folds.shape == plain.shape and (folds != plain).any()


def test_set_output_pandas(ring: Any, quick: dict[str, Any]) -> None:
    pytest.importorskip("sklearn")
    pytest.importorskip("pandas")
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    pipeline = make_pipeline(StandardScaler(), CoppiceClassifier(**quick)).set_output(transform="pandas")
    assert list(pipeline.fit(*ring)[-1].feature_names_in_) == ["x0", "x1"]


def test_a_row_is_answered_without_reading_files(ring: Any, quick: dict[str, Any]) -> None:
    counts = Path("/proc/self/io")
    if not counts.exists():
        pytest.skip("this system does not count what a process reads")

    def reads() -> int:
        return int(next(line for line in counts.read_text().splitlines() if line.startswith("syscr")).split()[1])

    fitted = CoppiceClassifier(**quick).fit(*ring)
    fitted.predict(ring[0][:1])
    before = reads()
    for _ in range(50):
        fitted.predict(ring[0][:1])
    assert reads() - before < 50, "files are read for every row"


def test_random_state(ring: Any, quick: dict[str, Any]) -> None:
    models = [
        CoppiceClassifier(**quick, **seed).fit(*ring).model_.bytes()
        for seed in ({"seed": 5}, {"random_state": 5}, {"random_state": np.random.RandomState(5)}, {})
    ]
    assert models[0] == models[1] and len(set(models)) == 3
