from math import inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, quantile_test

from bakeoff.stats.mean.quantile import quantile_exceeds, quantile_interval

# Conover 1999, Practical Nonparametric Statistics, section 3.2, example 1 (also in SciPy's documentation): is
# the third quartile of these fifteen scores 193? Seven are at or below it, 2 P(Bin(15, 3/4) <= 7) = 0.0346.
CONOVER = [189, 233, 195, 160, 212, 176, 231, 185, 199, 213, 202, 193, 174, 166, 248]


def test_it_reproduces_a_published_p_value():
    assert 2 * quantile_exceeds(CONOVER, 0.75, 193) == pytest.approx(0.0346, abs=5e-5)
    scipy = quantile_test(CONOVER, q=193, p=0.75, alternative="greater")
    assert quantile_exceeds(CONOVER, 0.75, 193) == pytest.approx(scipy.pvalue, rel=1e-12)


@pytest.mark.parametrize(
    ("n", "q", "level"), [(20, 0.5, 0.95), (100, 0.95, 0.9), (75, 0.9, 0.99), (6, 0.5, 0.95)]
)
def test_the_ends_are_the_order_statistics_of_the_binomial_law(n, q, level):
    found = quantile_interval(range(1, n + 1), q, level)  # a value is its own rank
    tail = (1 - level) / 2
    low = max((r for r in range(1, n + 1) if binom.cdf(r - 1, n, q) <= tail), default=-inf)
    high = min((r for r in range(1, n + 1) if binom.cdf(r - 1, n, q) >= 1 - tail), default=inf)
    assert (found.low, found.high) == (low, high)


def test_an_upper_end_of_the_95th_percentile_needs_59_values():
    assert quantile_interval(range(58), 0.95, 0.9).high == inf
    assert quantile_interval(range(59), 0.95, 0.9).high == 58


def test_one_value_has_no_ends():
    found = quantile_interval([2.5], 0.5)
    assert (found.low, found.high) == (-inf, inf)


times = st.lists(st.floats(0, 10), min_size=1, max_size=80)


@given(times, st.sampled_from([0.5, 0.95]), st.floats(0, 10), st.sampled_from([0.01, 0.05]))
def test_the_test_rejects_exactly_where_the_low_end_lies_above_the_ceiling(values, q, ceiling, alpha):
    rejects = quantile_exceeds(values, q, ceiling) <= alpha
    assert rejects == (quantile_interval(values, q, 1 - 2 * alpha).low > ceiling)


@given(times, st.randoms())
def test_the_order_of_values_makes_no_difference(values, random):
    shuffled = random.sample(values, len(values))
    assert quantile_interval(values, 0.5) == quantile_interval(shuffled, 0.5)


@pytest.mark.parametrize(
    ("values", "q", "level", "word"),
    [([], 0.5, 0.95, "values"), ([nan], 0.5, 0.95, "nan"), ([1.0], 1.0, 0.95, "1.0"), ([1.0], 0.5, 95, "95")],
)
def test_bad_input_is_refused(values, q, level, word):
    with pytest.raises(ValueError, match=word):
        quantile_interval(values, q, level)


@pytest.mark.slow
@pytest.mark.parametrize(("q", "n"), [(0.5, 40), (0.95, 120)])
def test_each_end_alone_misses_the_true_quantile_no_more_often_than_it_says(q, n):
    rng, times = np.random.default_rng(0), 4000
    truth = float(np.quantile(rng.lognormal(size=4_000_000), q))
    found = [quantile_interval(rng.lognormal(size=n), q, 0.9) for _ in range(times)]
    allowed = 0.05 + 4 * (0.05 * 0.95 / times) ** 0.5
    assert sum(each.low > truth for each in found) / times <= allowed
    assert sum(each.high < truth for each in found) / times <= allowed
