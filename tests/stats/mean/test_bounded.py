from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bakeoff.stats.mean.bounded import bounded_mean
from bakeoff.stats.mean.proportion import wilson


def test_many_scores_well_inside_get_students_interval():
    x = np.random.default_rng(0).beta(3, 2, 400)
    found = bounded_mean(x)
    expected = stats.ttest_1samp(x, 0).confidence_interval(0.95)
    assert found.method == "t"
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)


@pytest.mark.parametrize(
    "values",
    [[0.5] * 20, [0.5] * 500, [0.0] * 500, [1.0] * 500, [0.0] * 499 + [0.5], [0.25, 0.75], [0.3]],
)
def test_few_equal_or_extreme_scores_get_wilsons(values):
    found = bounded_mean(values)
    expected = wilson(sum(values), len(values))
    assert (found.low, found.high, found.method) == (
        pytest.approx(expected.low),
        pytest.approx(expected.high),
        "wilson",
    )
    assert found.high > found.low


@given(st.lists(st.floats(0, 1), min_size=1, max_size=250), st.randoms())
def test_the_interval_contains_the_mean_stays_in_range_and_ignores_the_order(values, random):
    found = bounded_mean(values)
    mean = sum(values) / len(values)
    assert 0 <= found.low <= mean + 1e-12
    assert mean - 1e-12 <= found.high <= 1
    assert found.high - found.low > 1e-9
    random.shuffle(values)
    assert bounded_mean(values) == found


def test_right_and_wrong_get_about_wilsons_interval():
    values = [1.0] * 300 + [0.0] * 200
    found, expected = bounded_mean(values), wilson(300, 500)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=2e-3)


@pytest.mark.parametrize(
    ("values", "named"),
    [([], "at least one"), ([0.5, 1.2], "1.2"), ([float("nan")], "nan"), ([-0.1], "-0.1")],
)
def test_bad_input_is_refused_with_its_value(values, named):
    with pytest.raises(ValueError, match=named):
        bounded_mean(values)


@pytest.mark.slow
@pytest.mark.parametrize("n", [20, 100, 500])
@pytest.mark.parametrize(("a", "b"), [(2, 1), (0.5, 0.5), (0.2, 0.05)])
def test_the_interval_covers(n, a, b):
    draws = np.random.default_rng(2).beta(a, b, (2000, n))
    found = [bounded_mean(row) for row in draws]
    covered = np.mean([each.low <= a / (a + b) <= each.high for each in found])
    assert covered >= 0.95 - 4 * sqrt(0.95 * 0.05 / 2000)
