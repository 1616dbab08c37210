"""Keywords are the settings of the library, and only those."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from typing import Any

import pytest

import coppice
from coppice import CoppiceClassifier, CoppiceRegressor
from coppice._errors import InputError
from coppice._parameters import own, told_otherwise
from coppice._settings import Options, settings


def test_every_setting_is_a_keyword() -> None:
    known = {setting.name for setting in settings()}
    assert len(known) > 50 and "lambda_" in known and "hidden_layers" in known
    for kind in (CoppiceClassifier, CoppiceRegressor):
        assert set(inspect.signature(kind).parameters) == known - set(told_otherwise) | set(own)
        assert all(setting.help in (kind.__doc__ or "") for setting in settings() if setting.name not in told_otherwise)


def test_keywords_for_type_checkers_are_up_to_date() -> None:
    sys.path.insert(0, str(Path(__file__).parent.parent))
    import write_keywords

    if not write_keywords.place().exists():
        pytest.skip("the sources are not here")
    assert write_keywords.place().read_text() == write_keywords.written(), "run python/write_keywords.py"


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ({"patience": 20}, {"patience": 20.0}),
        ({"lambda_": [0.1, 1e-3]}, {"lambda": [0.1, 1e-3]}),
        ({"lambda_": 0.1}, {"lambda": [0.1]}),
        ({"output_capnorm": False}, {"output-capnorm": "off"}),
        ({"ensemble": False}, {"ensemble": "off"}),
        ({"fixed_size": (5, 3)}, {"fixed-size": [5, 3]}),
        ({"batch_size": 20.0}, {"batch-size": 20}),
        ({"class_weights": {"a": 2, 1: 0.5}}, {"class-weights": ["a=2", "1=0.5"]}),
        ({"max_parameters": None}, {}),
    ],
)
def test_values_arrive(given: dict[str, Any], shown: dict[str, Any]) -> None:
    assert Options.of(given).json() == shown


def test_wrong_ones_are_named(ring: Any) -> None:
    with pytest.raises(TypeError, match=r"CoppiceClassifier\(\) got .* 'paitence' \(did you mean patience\?\)"):
        CoppiceClassifier(paitence=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="did you mean lambda_"):
        CoppiceRegressor(**{"lambda": 1})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="'qqqq'$"):
        CoppiceClassifier(qqqq=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"'paitence' \(did you mean patience\?\)"):
        coppice.train(ring[0], "column1", paitence=3)  # type: ignore[call-arg]
    with pytest.raises(InputError, match="`hidden_layers`") as caught:
        CoppiceClassifier(hidden_layers=-1).fit(*ring)
    assert caught.value.option == "hidden_layers"
    with pytest.raises(InputError, match="`lambda_`") as caught:
        CoppiceClassifier(lambda_=[1, 1]).fit(*ring)
    assert caught.value.option == "lambda_"
    with pytest.raises(ValueError, match="Invalid parameter"):
        CoppiceClassifier().set_params(paitence=3)
