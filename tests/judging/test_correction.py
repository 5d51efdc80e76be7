import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.errors import BakeoffError
from bakeoff.judging.correction import correction, need
from bakeoff.stats.classes.ppi import effective_n
from bakeoff.stats.mean.proportion import wilson


def _system(random, n, rate=0.7, accuracy=0.85, flattery=0.15):
    """What people and a judge say of n answers; the judge also calls a share of the bad ones good."""
    people = (random.random(n) < rate).astype(float)
    judge = np.where(random.random(n) < accuracy, people, 1 - people)
    return people, np.where((people == 0) & (random.random(n) < flattery), 1.0, judge)


def _named(values):
    return {str(item): float(value) for item, value in enumerate(values)}


def test_with_every_item_labelled_the_mean_is_peoples():
    people, judge = _system(np.random.default_rng(0), 200)
    found = correction(_named(judge), _named(people))
    assert found.corrected == found.people == pytest.approx(people.mean())
    assert found.interval == wilson(people.sum(), 200)
    assert (found.unlabelled, found.weight, found.effective_n) == (0, 0.0, 200)


def test_items_that_need_no_judge_pull_the_mean_and_widen_nothing_by_themselves():
    people, judge = _system(np.random.default_rng(0), 400)
    labels = dict(list(_named(people).items())[:100])
    alone = correction(_named(judge), labels)
    joined = correction(_named(judge), labels, [0.0] * 100)
    assert joined.corrected == pytest.approx(alone.corrected * 0.8)
    assert joined.judge == pytest.approx(judge.mean() * 0.8)
    assert (joined.items, joined.known) == (500, 100)
    assert joined.interval.low < joined.corrected < joined.interval.high
    # Not simply 0.8 times as wide: how many answers are empty is as random as the items are.
    narrower = 0.8 * (alone.interval.high - alone.interval.low)
    assert joined.interval.high - joined.interval.low > narrower


def test_labels_that_are_all_the_same_leave_an_interval_that_is_not_a_point():
    judge = {str(i): -0.2 * (i % 5 == 0) for i in range(100)}
    found = correction(judge, {str(i): 0.0 for i in range(60)}, signed=True)
    assert (found.corrected, found.weight, found.correlation) == (0, 0, None)
    assert found.interval.low < 0 < found.interval.high
    assert found.judge == pytest.approx(-0.04)


def test_differences_that_never_fall_below_0_may_still_be_below_0_elsewhere():
    judge = {str(i): float(i % 3 == 0) for i in range(300)}
    labels = {str(i): float(i % 30 == 0) for i in range(60)}
    found = correction(judge, labels, signed=True)
    assert found.interval.low < 0 < found.corrected


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["right or wrong", "difference", "with empty answers"])
def test_intervals_hold_the_mean_of_the_population_as_often_as_they_say(kind):
    """Two thousand draws of 300 items, 100 of them labelled: 95 % within what chance allows."""
    random = np.random.default_rng(0)
    held = 0
    for _ in range(2_000):
        people, judge = _system(random, 300)
        known, truth = [], 0.7
        if kind == "difference":
            other_people, other_judge = _system(random, 300, rate=0.6, accuracy=0.9, flattery=0)
            people, judge, truth = people - other_people, judge - other_judge, 0.1
        if kind == "with empty answers":
            empty = int(random.binomial(300, 0.2))
            people, judge, known, truth = people[empty:], judge[empty:], [0.0] * empty, 0.56
        labels = dict(list(_named(people).items())[:100])
        found = correction(_named(judge), labels, known, signed=kind == "difference")
        held += found.interval.low <= truth <= found.interval.high
    assert 0.935 <= held / 2_000 <= 0.965


# Labels for ± 5 points of a share near one half: 385 alone; half as many with a judge of correlation 0.71.
def test_labels_needed_fall_with_the_judge_and_with_the_items_it_judges():
    alone = need(0.05)
    assert (alone.alone, alone.with_many, alone.with_judge) == (385, 385, None)
    helped = need(0.05, correlation=0.5**0.5, items=1_000)
    assert helped.with_many == 193
    assert 193 < helped.with_judge < 385
    assert need(0.05, correlation=0.5, items=200).with_judge is None


@given(st.floats(0.01, 0.3), st.floats(0.01, 0.25), st.floats(0, 0.95), st.integers(2, 100_000))
def test_as_many_labels_as_are_said_to_be_needed_are_worth_those_needed_alone(half, variance, rho, items):
    found = need(half, variance=variance, correlation=rho, items=items)
    assert found.with_many <= max(2, found.alone)
    if found.with_judge is None:
        assert effective_n(items, 0, rho) <= found.alone
        return
    assert found.with_judge <= items
    worth = effective_n(found.with_judge, items - found.with_judge, rho)
    assert worth >= (found.alone - 1) * (1 - 1e-9)


@pytest.mark.parametrize(
    ("how", "problem"),
    [
        ({"half_width": 3}, "--half-width must lie between 0 and 1, got 3"),
        ({"half_width": 0}, "--half-width"),
        ({"half_width": 0.1, "variance": 0}, "--variance"),
        ({"half_width": 0.1, "correlation": 1.1}, "--correlation"),
        ({"half_width": 0.1, "items": 0}, "--items"),
    ],
)
def test_what_no_plan_can_be_made_from_is_refused(how, problem):
    with pytest.raises(BakeoffError, match=problem):
        need(**how)


def test_a_label_without_a_verdict_is_refused():
    with pytest.raises(BakeoffError, match="no verdict on the labelled item 'c'"):
        correction({"a": 1.0, "b": 0.0}, {"a": 1.0, "c": 1.0})
    with pytest.raises(BakeoffError, match="two labels or more, got 1"):
        correction({"a": 1.0, "b": 0.0}, {"a": 1.0})
