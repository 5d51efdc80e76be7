"""Differences of scores that were estimated apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.board.scores import Value
from bakeoff.stats import wilson
from bakeoff.web.pages.difference import gap


# Newcombe 1998 (Stat. Med. 17:873), table II, method 10.
@pytest.mark.parametrize(
    ("one", "other", "low", "high"),
    [
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((6, 7), (2, 7), 0.0582, 0.8062),
        ((5, 56), (0, 29), -0.0381, 0.1926),
        ((0, 10), (0, 20), -0.1611, 0.2775),
        ((10, 10), (0, 20), 0.6791, 1.0000),
    ],
)
def test_published_limits(one, other, low, high):
    found = gap(_value(*one), _value(*other))
    assert (found.low, found.high) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))


def _value(right, n):
    interval = wilson(right, n)
    return Value(right / n, interval.low, interval.high, n)


limits = st.tuples(*[st.floats(0, 1)] * 3).map(sorted).map(lambda each: Value(each[1], each[0], each[2]))


@given(limits, limits)
def test_the_other_way_round_it_is_the_same_with_its_sign_turned(one, other):
    there, back = gap(one, other), gap(other, one)
    assert (back.value, back.low, back.high) == pytest.approx((-there.value, -there.high, -there.low))
    assert there.low <= there.value <= there.high
    assert there.apart == back.apart


def test_what_is_missing_has_no_difference_and_what_has_no_limits_none():
    assert gap(Value(None), Value(0.5)) is None
    assert gap(Value(0.5), Value(None)) is None
    found = gap(Value(0.5), Value(0.25, 0.2, 0.3))
    assert (found.value, found.low, found.apart) == (0.25, None, False)
