from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import stdtrit

from bakeoff.stats import tango, wilson
from bakeoff.stats.mean.clustered import cluster_se, clustered, clustered_difference, effective_groups

scores = st.lists(st.tuples(st.integers(0, 5), st.sampled_from([0, 0.1, 0.5, 1])), min_size=2, max_size=60)
several_groups = scores.filter(lambda rows: len({group for group, _ in rows}) > 1)


def test_groups_of_one_are_wilson_with_students_t():
    values = [1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 1, 0]
    interval = clustered(values, range(12))
    # The level at which Wilson's z is t with 11 degrees of freedom.
    level = 2 * NormalDist().cdf(stdtrit(11, 0.975)) - 1
    assert limits(interval) == pytest.approx(limits(wilson(8, 12, level)), abs=1e-9)


# CR2 standard errors; for the equal groups also statsmodels OLS(y, 1, cov_type="cluster").
@pytest.mark.parametrize(
    ("values", "clusters", "standard_error"),
    [
        ([1, 1, 0, 0, 1, 0, 1, 1], "aabbccdd", 0.239357),
        ([1, 1, 1, 0, 0, 1, 0, 1, 1, 1], "aaabbccccd", 0.194263),
    ],
)
def test_the_effective_number_reproduces_the_cluster_robust_error(values, clusters, standard_error):
    n, mean = len(values), sum(values) / len(values)
    independent = (mean * (1 - mean) / (n - 1)) ** 0.5
    n_eff = n * (independent / standard_error) ** 2
    groups = n * n / sum(clusters.count(group) ** 2 for group in set(clusters))
    t = stdtrit(groups - 1, 0.975)
    half = t * (mean * (1 - mean) / n_eff + t**2 / (4 * n_eff**2)) ** 0.5 / (1 + t**2 / n_eff)
    interval = clustered(values, clusters)
    assert interval.method == "clustered-wilson"
    assert (interval.high - interval.low) / 2 == pytest.approx(half, rel=1e-5)


def test_groups_that_balance_inside_are_worth_n_items_and_no_more():
    balanced = clustered([1, 0] * 6, [i // 2 for i in range(12)])
    assert balanced.method == "clustered-wilson (n_eff = n)"
    assert limits(balanced) == pytest.approx(limits(wilson(6, 12, level_of_t(5))))


@pytest.mark.parametrize("value", [0, 0.1, 0.5, 1])
def test_without_spread_a_group_is_worth_one_item(value):
    interval = clustered([value] * 40, [i // 4 for i in range(40)])
    assert interval.method == "clustered-wilson (n_eff = groups)"
    assert limits(interval) == pytest.approx(limits(wilson(value * 10, 10, level_of_t(9))))


def test_all_right_in_few_groups_is_wider_than_all_right_in_many():
    assert clustered([1] * 40, [i // 8 for i in range(40)]).low < clustered([1] * 40, range(40)).low


def test_one_group_is_not_estimable():
    assert clustered([1, 0, 1], ["passage"] * 3) is None
    assert clustered_difference([1, 0, -1], ["passage"] * 3) is None


def test_items_that_repeat_their_group_add_nothing():
    once = clustered([1, 1, 0, 1, 0, 1, 1, 1], range(8))
    fivefold = clustered([x for x in [1, 1, 0, 1, 0, 1, 1, 1] for _ in range(5)], [i // 5 for i in range(40)])
    # Nearly: the variance of 40 items has a divisor of 39 where 8 have 7.
    assert fivefold.low == pytest.approx(once.low, abs=0.03)
    assert fivefold.high == pytest.approx(once.high, abs=0.03)
    assert fivefold.high - fivefold.low >= once.high - once.low


@settings(deadline=None)
@given(rows=several_groups)
def test_it_contains_the_mean_stays_in_range_and_never_collapses(rows):
    clusters, values = zip(*rows, strict=True)
    interval = clustered(values, clusters)
    assert 0 <= interval.low <= sum(values) / len(values) + 1e-12
    assert sum(values) / len(values) - 1e-12 <= interval.high <= 1
    assert interval.high - interval.low > 0.01


@settings(deadline=None)
@given(rows=several_groups)
def test_it_is_never_narrower_than_for_independent_items(rows):
    clusters, values = zip(*rows, strict=True)
    grouped, independent = clustered(values, clusters), wilson(sum(values), len(values))
    assert grouped.low <= independent.low + 1e-12
    assert independent.high <= grouped.high + 1e-12


@settings(deadline=None)
@given(rows=several_groups, order=st.randoms(use_true_random=False))
def test_neither_order_nor_the_names_of_groups_matter(rows, order):
    clusters, values = zip(*rows, strict=True)
    shuffled = list(rows)
    order.shuffle(shuffled)
    renamed = [(f"passage {group}", value) for group, value in shuffled]
    other_clusters, other_values = zip(*renamed, strict=True)
    assert clustered(other_values, other_clusters) == clustered(values, clusters)


@settings(deadline=None)
@given(rows=several_groups)
def test_exchanging_right_and_wrong_mirrors_the_interval(rows):
    clusters, values = zip(*rows, strict=True)
    low, high = limits(clustered([1 - x for x in values], clusters))
    assert limits(clustered(values, clusters)) == pytest.approx((1 - high, 1 - low), abs=1e-9)


# True coverage at 95 %, groups drawn from a beta distribution with intra-class correlation `icc`.
# 2,000 draws: the standard error of a coverage is 0.005. Wilson on the same items, as if independent, is the
# contrast: it must fail where the correlation is real, or the test could not see a difference.
@pytest.mark.parametrize(
    ("groups", "size", "p", "icc"),
    [(40, 5, 0.5, 0.4), (40, 5, 0.9, 0.4), (15, 3, 0.3, 0.3), (12, 4, 0.7, 0.0), (30, 10, 0.8, 0.6)],
)
def test_the_true_mean_is_covered_when_items_of_a_group_agree(groups, size, p, icc):
    draws = 2_000
    random = np.random.default_rng(7)
    rate = np.full((draws, groups), p) if icc == 0 else beta(random, p, icc, (draws, groups))
    right = random.random((draws, groups, size)) < rate[:, :, None]
    clusters = [g for g in range(groups) for _ in range(size)]
    covered = naive = 0
    for values in right.reshape(draws, -1).astype(float).tolist():
        covered += holds(clustered(values, clusters), p)
        naive += holds(wilson(sum(values), len(values)), p)
    assert covered / draws > 0.935
    if icc > 0:
        assert naive / draws < 0.90


# In the last two, CR1 with G - 1 degrees of freedom covers about 0.86.
@pytest.mark.parametrize(
    "sizes", [[*range(1, 11)] * 3, [20, 1, 1, 1, 2, 2, 3, 1, 1, 1, 2, 5], [40, 20, 10] + [2] * 27]
)
def test_unequal_groups_are_covered_too(sizes):
    random = np.random.default_rng(11)
    draws = 1_500
    clusters = np.repeat(np.arange(len(sizes)), sizes)
    covered = 0
    for _ in range(draws):
        rate = beta(random, 0.6, 0.3, len(sizes))
        values = (random.random(len(clusters)) < rate[clusters]).astype(float)
        covered += holds(clustered(values.tolist(), clusters.tolist()), 0.6)
    assert covered / draws > 0.93


def test_one_large_group_beside_a_tiny_one_says_almost_nothing():
    interval = clustered([1] * 101, [0] * 100 + [1])
    assert interval.low < 0.01


def test_a_difference_over_groups_of_one_is_tango_with_students_t():
    differences = [1] * 6 + [-1] * 2 + [0] * 12
    interval = clustered_difference(differences, range(20))
    assert limits(interval) == pytest.approx(limits(tango(6, 2, 20, level_of_t(19))), abs=1e-9)


@settings(deadline=None)
@given(rows=st.lists(st.tuples(st.integers(0, 5), st.sampled_from([-1, -0.5, 0, 0, 1])), min_size=2))
def test_a_difference_contains_its_estimate_and_is_never_narrower_than_for_independent_items(rows):
    clusters, differences = zip(*rows, strict=True)
    interval = clustered_difference(differences, clusters)
    if len(set(clusters)) == 1:
        assert interval is None
        return
    won, lost = sum(d for d in differences if d > 0), -sum(d for d in differences if d < 0)
    independent = tango(won, lost, len(rows))
    assert -1 <= interval.low <= independent.low + 1e-9
    assert independent.high - 1e-9 <= interval.high <= 1


def test_the_true_difference_is_covered_when_items_of_a_group_agree():
    random = np.random.default_rng(5)
    groups, size, draws = 30, 5, 1_500
    clusters = [g for g in range(groups) for _ in range(size)]
    covered = naive = 0
    for _ in range(draws):
        # In half of the groups the second prompt loses a passage's every question with a chance of its own.
        first = random.random((groups, size)) < beta(random, 0.6, 0.3, groups)[:, None]
        second = random.random((groups, size)) < beta(random, 0.5, 0.3, groups)[:, None]
        differences = (first.astype(float) - second).ravel().tolist()
        won, lost = sum(d > 0 for d in differences), sum(d < 0 for d in differences)
        covered += holds(clustered_difference(differences, clusters), 0.1)
        naive += holds(tango(won, lost, len(differences)), 0.1)
    assert covered / draws > 0.935
    assert naive / draws < 0.90


# Miller 2024 (arXiv 2411.00640) for its own form; CR1 as statsmodels OLS(y, 1, cov_type="cluster"); for
# groups of one size CR2 is the same.
EQUAL = ([1, 1, 0, 0, 1, 0, 1, 1], "aabbccdd")
UNEQUAL = ([1, 1, 1, 0, 0, 1, 0, 1, 1, 1], "aaabbccccd")


@pytest.mark.parametrize(
    ("rows", "kind", "expected"),
    [
        (EQUAL, "miller", 0.217150),
        (EQUAL, "cr0", 0.207289),
        (EQUAL, "cr1", 0.239357),
        (EQUAL, "cr2", 0.239357),
        (UNEQUAL, "miller", 0.177012),
        (UNEQUAL, "cr1", 0.196638),
        (UNEQUAL, "cr2", 0.194263),
    ],
)
def test_cluster_robust_errors_reproduce_published_values(rows, kind, expected):
    assert cluster_se(*rows, kind) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("kind", ["miller", "cr1", "cr2"])
def test_groups_of_one_have_the_error_of_independent_items(kind):
    values, _ = EQUAL
    assert cluster_se(values, range(8), kind) == pytest.approx(0.182981, abs=1e-6)


def test_groups_that_balance_inside_never_have_an_error_of_0():
    values, clusters = [1, 0, 1, 0, 1, 0], "aabbcc"
    assert cluster_se(values, clusters, floor=False) == 0
    assert cluster_se(values, clusters, "miller", floor=False) == pytest.approx(0.0913, abs=5e-5)
    for kind in ("miller", "cr0", "cr1", "cr2"):
        assert cluster_se(values, clusters, kind) == pytest.approx((0.25 / 5) ** 0.5)


def test_the_error_of_one_group_is_not_estimable():
    assert cluster_se([1, 0, 1], ["passage"] * 3) is None


@settings(deadline=None)
@given(rows=several_groups, scale=st.floats(0.01, 100), shift=st.floats(-100, 100))
def test_the_error_scales_with_the_values_and_does_not_shift(rows, scale, shift):
    clusters, values = zip(*rows, strict=True)
    moved = cluster_se([shift + scale * x for x in values], clusters)
    assert moved == pytest.approx(scale * cluster_se(values, clusters), rel=1e-6, abs=1e-9)


def test_arrays_are_taken_as_well_as_lists():
    values, clusters = EQUAL
    array = np.array(values, dtype=float)
    assert clustered(array, np.array(list(clusters))) == clustered(values, clusters)
    assert cluster_se(array, np.array(list(clusters))) == cluster_se(values, clusters)


def test_a_few_large_groups_count_for_as_few_as_they_are():
    assert effective_groups("aabbccdd") == 4
    assert effective_groups([0] * 100 + [1]) == pytest.approx(101**2 / 10_001)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (([], []), "none"),
        (([1, 0], ["a"]), "2 values and 1 groups"),
        (([1, float("inf")], ["a", "b"]), "inf"),
        (([1, 0], ["a", "b"], "cr3"), "cr3"),
    ],
)
def test_a_bad_cluster_error_is_refused_with_its_value(arguments, named):
    with pytest.raises(ValueError, match=named):
        cluster_se(*arguments)


@pytest.mark.parametrize("method", [clustered, clustered_difference])
@pytest.mark.parametrize(
    ("values", "clusters", "named"),
    [
        ([], [], "none"),
        ([1, 0], ["a"], "2 values and 1 groups"),
        ([1, 1.5], ["a", "b"], "1.5"),
        ([1, -1.5], ["a", "b"], "-1.5"),
        ([1, float("nan")], ["a", "b"], "nan"),
    ],
)
def test_bad_input_is_refused_with_its_value(method, values, clusters, named):
    with pytest.raises(ValueError, match=named):
        method(values, clusters)


def test_a_level_in_percent_is_refused():
    with pytest.raises(ValueError, match="95"):
        clustered([1, 0], ["a", "b"], level=95)


def limits(interval):
    return interval.low, interval.high


def holds(interval, truth):
    return interval.low <= truth <= interval.high


def level_of_t(df):
    """The level at which a method that takes z is given Student's t at 95 % instead."""
    return 2 * NormalDist().cdf(stdtrit(df, 0.975)) - 1


def beta(random, p, icc, shape):
    strength = 1 / icc - 1
    return random.beta(p * strength, (1 - p) * strength, shape)
