"""Scorers by name, their options and their ids."""

import pytest

from bakeoff.errors import TaskError
from bakeoff.score import build_scorer, scorer_names

RUBRIC = {"kind": "pairwise", "criteria": [{"name": "better", "question": "Which is better?"}]}
NEEDED = {"regex": {"pattern": "(x)"}, "verdict": {"rubric": RUBRIC}}
"""Options without a default."""


def test_every_scorer_loads_and_says_what_it_does_in_one_line():
    names = scorer_names()
    assert set(names) >= {"choice", "contains", "exact", "loglikelihood", "number", "regex"}
    for name, description in names.items():
        assert description
        assert len(description) < 120
        spec = {"name": name, **NEEDED.get(name, {})}
        assert build_scorer(spec).id.startswith(f"{name}@")


@pytest.mark.parametrize(
    ("spec", "identity"),
    [
        ("loglikelihood", "loglikelihood@1"),
        ({"name": "loglikelihood", "norm": "raw"}, "loglikelihood@1"),
        ({"name": "loglikelihood", "norm": "chars"}, "loglikelihood@1(norm=chars)"),
        ({"name": "number", "tolerance": 0.01, "fallback": False}, "number@1(fallback=false,tolerance=0.01)"),
        ({"name": "number", "fallback": False, "tolerance": 0.01}, "number@1(fallback=false,tolerance=0.01)"),
        ({"name": "regex", "pattern": "is (.+)"}, 'regex@1(pattern="is (.+)")'),
    ],
)
def test_an_id_holds_the_options_that_move_a_score_in_one_order(spec, identity):
    assert build_scorer(spec).id == identity


def test_an_integer_tolerance_is_the_same_scorer_as_its_float():
    whole, point = ({"name": "number", "tolerance": value} for value in (1, 1.0))
    assert build_scorer(whole).id == build_scorer(point).id


def test_an_unknown_scorer_is_answered_with_the_nearest_and_the_list():
    with pytest.raises(TaskError) as error:
        build_scorer("numbr")
    assert "numbr" in error.value.message
    assert "`number`" in error.value.hint
    assert "loglikelihood" in error.value.hint


@pytest.mark.parametrize(
    ("spec", "named"),
    [
        ({"name": "number", "tolerence": 1}, "tolerence"),
        ({"name": "number", "tolerance": "1"}, "tolerance"),
        ({"name": "number", "tolerance": True}, "tolerance"),
        ({"name": "number", "tolerance": float("nan")}, "tolerance"),
        ({"name": "number", "tolerance": -1}, "tolerance"),
        ({"name": "number", "fallback": 1}, "fallback"),
        ({"name": "number", "fallback": "no"}, "fallback"),
        ({"name": "number", "take": "middle"}, "take"),
        ({"name": "choice", "labels": ["a"]}, "labels"),
        ({"name": "loglikelihood", "norm": None}, "norm"),
        ({"name": "regex"}, "pattern"),
        ({"name": "regex", "pattern": "("}, "pattern"),
        ({"name": "regex", "pattern": "no group"}, "group"),
        ({"name": "regex", "pattern": "(a)(b)"}, "group"),
    ],
)
def test_a_wrong_option_is_named(spec, named):
    with pytest.raises(TaskError) as error:
        build_scorer(spec)
    assert named in error.value.message


@pytest.mark.parametrize("spec", [None, 3, [], {}, {"name": 3}, {"norm": "raw"}])
def test_what_is_no_spec_is_a_mistake_in_the_task(spec):
    with pytest.raises(TaskError):
        build_scorer(spec)
