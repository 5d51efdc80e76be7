import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.stats import ratio
from bakeoff.stats.interval import t_quantile

_documents = st.lists(st.tuples(st.floats(0, 1e4), st.floats(1, 1e4)), min_size=2, max_size=30)


def test_documents_of_one_length_get_students_interval_for_the_mean():
    """With x = 1 throughout, R is the mean of y and its interval the textbook one."""
    values = [2.0, 4.0, 4.0, 5.0, 7.0, 9.0]
    found = ratio(values, [1.0] * 6, range(6))
    half = t_quantile(0.95, 5) * np.std(values, ddof=1) / math.sqrt(6)
    assert (found.low, found.high) == pytest.approx((np.mean(values) - half, np.mean(values) + half))


def test_a_worked_example_of_three_documents():
    # y = 5, 10, 15 and x = 1, 4, 5, so R = 30 / 10 = 3.
    # e = 2, -2, 0; shares .1, .4, .5; variance (4/.9 + 4/.6) / 100 = 1/9; df = 1/(.01+.16+.25) - 1.
    found = ratio([5, 10, 15], [1, 4, 5], "abc")
    half = t_quantile(0.95, 1 / 0.42 - 1) / 3
    assert (found.low, found.high) == pytest.approx((3 - half, 3 + half))


@given(_documents, st.floats(0.01, 100))
def test_the_unit_of_the_denominator_only_scales_the_interval(documents, unit):
    y, x = map(list, zip(*documents, strict=True))
    one, other = ratio(y, x, range(len(y))), ratio(y, [unit * each for each in x], range(len(y)))
    assert (one.low / unit, one.high / unit) == pytest.approx((other.low, other.high), rel=1e-6, abs=1e-9)


@given(_documents)
def test_documents_of_one_group_count_as_their_sum(documents):
    y, x = map(list, zip(*documents, strict=True))
    halves = ratio(
        [each / 2 for each in y for _ in "ab"],
        [each / 2 for each in x for _ in "ab"],
        [index for index in range(len(y)) for _ in "ab"],
    )
    whole = ratio(y, x, range(len(y)))
    assert (halves.low, halves.high) == pytest.approx((whole.low, whole.high), rel=1e-9, abs=1e-9)


def test_one_group_says_nothing_about_others():
    assert ratio([1, 2], [1, 1], ["a", "a"]) is None


@pytest.mark.parametrize(
    ("y", "x", "groups"),
    [([], [], []), ([1], [1, 2], [0]), ([1, 2], [1, 0], [0, 1]), ([1, math.nan], [1, 1], [0, 1])],
)
def test_what_is_no_ratio_is_refused(y, x, groups):
    with pytest.raises(ValueError, match="document"):
        ratio(y, x, groups)


@pytest.mark.parametrize(("n", "spread", "least"), [(8, 0.0, 0.93), (20, 0.5, 0.93), (40, 1.0, 0.92)])
def test_the_interval_covers_the_true_ratio_about_as_often_as_it_says(n, spread, least):
    """Log-normal lengths, rates independent of them: the true ratio is the mean rate, 1."""
    random, runs, hits = np.random.default_rng(7), 1000, 0
    for _ in range(runs):
        x = np.exp(6 + spread * random.standard_normal(n))
        y = x * (1 + 0.2 * random.standard_normal(n))
        found = ratio(y.tolist(), x.tolist(), range(n))
        hits += found.low <= 1 <= found.high
    assert least <= hits / runs <= 0.98
