import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from bakeoff.judging.position import position_bias

WINNERS = st.sampled_from([0, 1, None])
PAIRS = st.lists(st.tuples(WINNERS, WINNERS), min_size=1, max_size=40)


def test_flips_and_lean_of_a_table_counted_by_hand():
    # 5 to answer 0 and 3 to answer 1 both times, 8 to the first read, 2 to the second, 2 without a winner.
    pairs = [(0, 0)] * 5 + [(1, 1)] * 3 + [(0, 1)] * 8 + [(1, 0)] * 2 + [(None, 1), (0, None)]
    found = position_bias(*zip(*pairs, strict=True))
    assert (found.items, found.first, found.second, found.left_out) == (18, 8, 2, 2)
    assert found.flips == pytest.approx(10 / 18)
    assert found.lean == pytest.approx(6 / 18)
    # McNemar's mid-p of 8 against 2.
    assert found.p == pytest.approx(2 * binom.cdf(2, 10, 0.5) - binom.pmf(2, 10, 0.5))


def test_a_judge_that_always_takes_the_first_leans_fully_and_one_that_wavers_does_not():
    always = position_bias([0] * 30, [1] * 30)
    assert (always.flips, always.lean) == (1, 1)
    assert always.p < 1e-8
    wavers = position_bias([0, 1] * 15, [1, 0] * 15)
    assert (wavers.flips, wavers.lean, wavers.p) == (1, 0, pytest.approx(1, abs=0.15))
    steady = position_bias([0, 1] * 15, [0, 1] * 15)
    assert (steady.flips, steady.lean, steady.p) == (0, 0, 1)


@given(PAIRS)
def test_which_answer_is_called_0_has_no_influence(pairs):
    given_, swapped = zip(*pairs, strict=True)

    def renamed(winners):
        return [None if each is None else 1 - each for each in winners]

    # Called the other way round, what was the given order is the swapped one.
    assert position_bias(given_, swapped) == position_bias(renamed(swapped), renamed(given_))


@given(PAIRS)
def test_intervals_hold_the_estimates_and_have_width(pairs):
    found = position_bias(*zip(*pairs, strict=True))
    if found is None:
        assert all(None in pair for pair in pairs)
        return
    assert found.flips_interval.low <= found.flips <= found.flips_interval.high
    assert found.lean_interval.low <= found.lean <= found.lean_interval.high
    for interval in (found.flips_interval, found.lean_interval):
        assert interval.high > interval.low
    assert abs(found.lean) <= found.flips
    assert found.items + found.left_out == len(pairs)


@pytest.mark.parametrize(("given_", "swapped"), [([0], []), ([2], [0]), ([0], ["first"])])
def test_what_is_no_pair_of_verdicts_is_refused(given_, swapped):
    with pytest.raises(ValueError, match=r"both orders|0, 1 or None"):
        position_bias(given_, swapped)
