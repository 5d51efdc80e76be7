import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

from bakeoff.stats import clustered_difference
from bakeoff.stats.pair.graded import graded_difference
from bakeoff.stats.pair.paired import tango_limits

WHOLE = st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=2, max_size=60)
GRADED = st.lists(st.sampled_from([-1.0, -0.5, -0.25, 0.0, 0.0, 0.75, 1.0]), min_size=2, max_size=60)


@given(WHOLE)
def test_on_right_or_wrong_it_is_tangos_interval_with_t(differences):
    n = len(differences)
    found = graded_difference(differences)
    b, c = differences.count(1.0), differences.count(-1.0)
    assert (found.low, found.high) == pytest.approx(tango_limits(b, c, n, t.ppf(0.975, n - 1)), abs=1e-9)


@given(WHOLE, st.integers(2, 8))
def test_on_right_or_wrong_in_groups_it_is_the_clustered_interval(differences, groups):
    clusters = [i % groups for i in range(len(differences))]
    found, other = (f(differences, clusters) for f in (graded_difference, clustered_difference))
    assert (found.low, found.high) == pytest.approx((other.low, other.high), abs=1e-9)


# k items that differ by h each, and none otherwise, say of the mean over h what k discordant items say.
@pytest.mark.parametrize(("won", "lost", "n", "h"), [(6, 14, 200, 0.25), (3, 9, 100, 0.5), (0, 5, 400, 0.1)])
def test_differences_of_one_size_count_as_that_many_won_and_lost(won, lost, n, h):
    found = graded_difference([h] * won + [-h] * lost + [0.0] * (n - won - lost))
    quantile = t.ppf(0.975, n - 1)
    low, high = tango_limits(won, lost, n / h, quantile)
    assert (found.low, found.high) == pytest.approx((low, high), rel=0.02, abs=5e-4)


@given(GRADED, st.none() | st.integers(2, 5))
def test_it_holds_the_mean_and_is_never_of_zero_width(differences, groups):
    clusters = None if groups is None else [i % groups for i in range(len(differences))]
    found = graded_difference(differences, clusters)
    assert -1 <= found.low <= np.mean(differences) + 1e-9
    assert np.mean(differences) - 1e-9 <= found.high <= 1
    assert found.low < found.high


@given(GRADED)
def test_turning_the_two_around_turns_the_interval_around(differences):
    found, other = graded_difference(differences), graded_difference([-d for d in differences])
    assert (found.low, found.high) == pytest.approx((-other.high, -other.low), abs=1e-9)


def test_one_item_or_one_group_says_nothing():
    assert graded_difference([0.5]) is None
    assert graded_difference([0.5, 0.0], ["g", "g"]) is None


@pytest.mark.parametrize(
    ("differences", "clusters", "level", "word"),
    [
        ([], None, 0.95, "at least one"),
        ([1.5], None, 0.95, "1.5"),
        ([0, 1], ["a"], 0.95, "groups"),
        ([0, 1], None, 2, "2"),
    ],
)
def test_bad_input_is_refused(differences, clusters, level, word):
    with pytest.raises(ValueError, match=word):
        graded_difference(differences, clusters, level)


@pytest.mark.slow
@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("drop", [0.0, 0.1])
def test_each_end_misses_the_true_difference_of_repeats_as_often_as_it_says(clustered, drop):
    rng, times, n, repeats = np.random.default_rng(0), 1000, 120, 4
    groups = np.arange(n) // 3
    below = above = 0
    for _ in range(times):
        common = rng.beta(2, 1, n // 3)[groups] if clustered else rng.beta(2, 1, n)
        run, baseline = rng.binomial(repeats, common * (1 - drop)), rng.binomial(repeats, common)
        found = graded_difference((run - baseline) / repeats, groups if clustered else None, 0.9)
        below += found.high < -drop * 2 / 3
        above += found.low > -drop * 2 / 3
    # 5 %, four Monte Carlo standard errors, and half a point for the skew of Tango's limits under a drop.
    assert max(below, above) / times <= 0.05 + 4 * (0.05 * 0.95 / times) ** 0.5 + 0.005
    assert min(below, above) / times >= 0.025
