import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.stats import wilson
from bakeoff.stats.board.combined import combined

counts = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def parts(tables):
    return [k / n for k, n in tables], [wilson(k, n, 0.95) for k, n in tables]


@given(counts)
def test_of_one_part_it_is_the_parts_own_interval(table):
    estimates, intervals = parts([table])
    found = combined(estimates, intervals, [1.0])
    assert (found.low, found.high) == pytest.approx((intervals[0].low, intervals[0].high))


# Newcombe (1998, Stat. Med. 17:873), table II, contrast (a): 56/70 against 48/80, method 10: .0524 to .3339.
# A difference is the mean with weights 1 and 1 of p1 and of 1 - p2, less 1.
def test_a_difference_of_proportions_by_it_is_newcombes():
    estimates, intervals = parts([(56, 70), (80 - 48, 80)])
    found = combined(estimates, intervals, [1.0, 1.0])
    assert (found.low - 1, found.high - 1) == pytest.approx((0.0524, 0.3339), abs=5e-5)


@given(st.lists(counts, min_size=1, max_size=6), st.data())
def test_parts_that_share_items_never_make_it_narrower(tables, data):
    estimates, intervals = parts(tables)
    weights = data.draw(st.lists(st.floats(0, 2), min_size=len(tables), max_size=len(tables)))
    groups = data.draw(st.lists(st.sampled_from("ab"), min_size=len(tables), max_size=len(tables)))
    apart, shared = (combined(estimates, intervals, weights, each) for each in (None, groups))
    assert shared.low <= apart.low + 1e-12
    assert shared.high >= apart.high - 1e-12


def test_one_group_is_as_wide_as_its_parts_together():
    estimates, intervals = parts([(30, 100), (40, 100)])
    found = combined(estimates, intervals, [0.5, 0.5], ["same", "same"])
    assert found.low == pytest.approx(sum(each.low for each in intervals) / 2)
    assert found.high == pytest.approx(sum(each.high for each in intervals) / 2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rates", "sizes"),
    [((0.5, 0.6, 0.7), (50, 100, 200)), ((0.9, 0.97, 0.99), (30, 60, 100)), ((0.3,) * 24, (40,) * 24)],
)
def test_it_covers_the_mean_of_independent_parts(rates, sizes):
    random, weight, trials, held = np.random.default_rng(7), 1 / len(rates), 4000, 0
    truth = sum(rates) * weight
    for _ in range(trials):
        tables = [(int(random.binomial(n, p)), n) for p, n in zip(rates, sizes, strict=True)]
        estimates, intervals = parts(tables)
        found = combined(estimates, intervals, [weight] * len(rates))
        held += found.low <= truth <= found.high
    assert abs(held / trials - 0.95) < 0.015 + 3 * math.sqrt(0.95 * 0.05 / trials)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (([], [], []), "at least one part"),
        (([0.5], [wilson(1, 2, 0.95)], [1.0, 2.0]), "an estimate, an interval, a weight"),
        (([0.5], [wilson(1, 2, 0.95)], [-1.0]), "at least 0, got -1.0"),
        (([0.99], [wilson(1, 2, 0.95)], [1.0]), "outside its interval"),
        (([0.5, 0.5], [wilson(1, 2, 0.95), wilson(1, 2, 0.9)], [1.0, 1.0]), "one level"),
    ],
)
def test_bad_input_is_refused_with_its_value(arguments, named):
    with pytest.raises(ValueError, match=named):
        combined(*arguments)
