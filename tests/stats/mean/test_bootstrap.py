import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import bootstrap

from bakeoff.stats.mean.bootstrap import bca
from bakeoff.stats.mean.clustered import clustered, clustered_difference
from bakeoff.stats.mean.proportion import wilson
from bakeoff.stats.pair.paired import tango

levels = st.sampled_from([-1, -0.5, -0.1, 0, 0.25, 0.3, 1])
rows_of_groups = st.lists(st.tuples(st.integers(0, 5), levels), min_size=2, max_size=40)


def samples():
    random = np.random.default_rng(3)
    return {
        "skewed": random.beta(2, 5, 50),
        "heavy": random.exponential(0.1, 80).clip(0, 1),
        "right or wrong": (random.random(60) < 0.9).astype(float),
        "levels": random.integers(-4, 5, 100) / 4,
        "far from normal": random.beta(0.1, 0.3, 30),
    }


# Both are random: at 200,000 draws the limits lie within 1 % of the width (levels: one step of 1/400).
@pytest.mark.parametrize("name", samples())
def test_the_limits_are_those_of_scipy(name):
    values = samples()[name]
    peer = bootstrap(
        (values,), np.mean, method="BCa", n_resamples=200_000, batch=5_000, rng=np.random.default_rng(5)
    ).confidence_interval
    interval = bca(values, draws=200_000)
    near = 0.01 * (peer.high - peer.low) + 1 / 400
    assert interval.method == "bca"
    assert limits(interval) == pytest.approx((peer.low, peer.high), abs=near)


def test_strata_are_those_of_scipy_with_several_samples():
    random = np.random.default_rng(8)
    first, second = random.beta(1, 4, 30), random.beta(4, 1, 60)

    def pooled(x, y, axis):
        return (x.sum(axis=axis) + y.sum(axis=axis)) / (x.shape[axis] + y.shape[axis])

    peer = bootstrap(
        (first, second), pooled, method="BCa", n_resamples=100_000, batch=5_000, rng=np.random.default_rng(5)
    ).confidence_interval
    interval = bca([*first, *second], strata=[0] * 30 + [1] * 60, draws=100_000)
    assert limits(interval) == pytest.approx((peer.low, peer.high), abs=0.01 * (peer.high - peer.low))
    unstratified = bca([*first, *second])
    assert interval.high - interval.low < 0.8 * (unstratified.high - unstratified.low)


def test_groups_of_one_size_are_as_wide_as_their_means():
    random = np.random.default_rng(9)
    means = random.beta(2, 3, 40)
    interval = bca(np.repeat(means, 3), clusters=np.repeat(np.arange(40), 3).tolist())
    assert limits(interval) == pytest.approx(limits(bca(means)), abs=1e-12)
    assert interval.high - interval.low > 1.5 * (bca(np.repeat(means, 3)).high - bca(np.repeat(means, 3)).low)


def test_groups_of_different_sizes_count_by_their_items():
    # The mean of all items, not of the groups' means: with the large groups low, well below the middle.
    values = [0.1, 0.2] * 30 + [0.9, 0.8, 1]
    clusters = [i // 10 for i in range(60)] + ["a", "b", "c"]
    interval = bca(values, clusters=clusters)
    assert interval.low <= np.mean(values) <= interval.high < 0.5


@pytest.mark.parametrize(
    ("values", "arguments", "expected", "method"),
    [
        ([0] * 100, {}, tango(0, 0, 100), "tango (no spread)"),
        ([1] * 10, {}, tango(10, 0, 10), "tango (no spread)"),
        ([-0.1] * 10, {}, tango(0, 1, 10), "tango (no spread)"),
        ([1] * 100, {"lowest": 0}, wilson(100, 100), "wilson (no spread)"),
        ([0.1] * 30, {"lowest": 0}, wilson(3, 30), "wilson (no spread)"),
        (
            [1] * 8,
            {"lowest": 0, "clusters": "aabbccdd"},
            clustered([1] * 8, "aabbccdd"),
            "clustered-wilson (no spread)",
        ),
        (
            [0] * 8,
            {"clusters": "aabbccdd"},
            clustered_difference([0] * 8, "aabbccdd"),
            "clustered-tango (no spread)",
        ),
        # Each stratum is all equal, so that no resample differs.
        ([1, 1, 0, 0], {"lowest": 0, "strata": "aabb"}, wilson(2, 4), "wilson (no spread)"),
        # Groups that balance.
        ([1, 0, 1, 0], {"lowest": 0, "clusters": "aabb"}, clustered([1, 0, 1, 0], "aabb"), None),
    ],
)
def test_without_spread_it_is_the_interval_that_never_collapses(values, arguments, expected, method):
    interval = bca(values, **arguments)
    assert limits(interval) == pytest.approx(limits(expected), abs=1e-12)
    assert interval.high - interval.low > 0.03
    if method is not None:
        assert interval.method == method


@pytest.mark.parametrize(
    "arguments",
    [
        {"values": [0.5]},
        {"values": [1, 0, 1], "clusters": "aaa"},
        {"values": [1, 0, 1], "strata": "aab"},
        {"values": [1, 0, 1, 0], "strata": "aabb", "clusters": "xxyz"},
    ],
)
def test_a_single_unit_is_not_estimable(arguments):
    assert bca(**arguments) is None


@settings(max_examples=60)
@given(rows=rows_of_groups, order=st.randoms(use_true_random=False))
def test_neither_order_nor_the_names_of_groups_matter(rows, order):
    clusters, values = zip(*rows, strict=True)
    shuffled = [(f"passage {c}", x) for c, x in order.sample(rows, len(rows))]
    other_clusters, other = zip(*shuffled, strict=True)
    assert close(bca(other, draws=199), bca(values, draws=199))
    assert close(bca(other, clusters=other_clusters, draws=199), bca(values, clusters=clusters, draws=199))
    assert close(bca(other, strata=other_clusters, draws=199), bca(values, strata=clusters, draws=199))


@settings(max_examples=60)
@given(rows=rows_of_groups.filter(lambda rows: abs(sum(x for _, x in rows)) > 1e-9))
def test_exchanging_the_two_models_turns_the_sign(rows):
    clusters, values = zip(*rows, strict=True)
    forth = bca(values, clusters=clusters, draws=199)
    back = bca([-x for x in values], clusters=clusters, draws=199)
    if forth is None:
        assert back is None
    else:
        assert limits(back) == pytest.approx((-forth.high, -forth.low), abs=1e-12)


def test_many_different_values_are_drawn_in_the_same_way_whatever_their_order():
    random = np.random.default_rng(4)
    values = random.random(3_000)
    assert limits(bca(values)) == pytest.approx(limits(bca(random.permutation(values))), abs=1e-12)
    half = 1.96 * values.std() / 3_000**0.5
    assert limits(bca(values)) == pytest.approx((values.mean() - half, values.mean() + half), abs=0.03 * half)


@settings(max_examples=60)
@given(rows=rows_of_groups, level=st.floats(0.05, 0.999))
def test_it_stays_between_the_values_and_never_collapses(rows, level):
    clusters, values = zip(*rows, strict=True)
    interval = bca(values, clusters=clusters, level=level, draws=199)
    if len(set(clusters)) < 2:
        assert interval is None
    else:
        assert -1 <= interval.low < interval.high <= 1


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"values": []}, "values"),
        ({"values": [1, float("nan")]}, "nan"),
        ({"values": [1, 1.5]}, r"1\.5"),
        ({"values": [1, -1.5]}, r"-1\.5"),
        ({"values": [1, -0.5], "lowest": 0}, r"-0\.5"),
        ({"values": [1, 0], "clusters": ["a"]}, "2 values and 1 clusters"),
        ({"values": [1, 0], "strata": ["a"]}, "2 values and 1 strata"),
        ({"values": [1, 0, 1], "clusters": "aab", "strata": "xyy"}, "one stratum"),
        ({"values": [1, 0], "level": 95}, "95"),
        ({"values": [1, 0], "draws": 0}, "draws"),
    ],
)
def test_bad_input_is_refused_with_its_value(arguments, named):
    with pytest.raises(ValueError, match=named):
        bca(**arguments)


def limits(interval):
    return interval.low, interval.high


def close(one, other):
    if one is None or other is None:
        return one is other
    return one.method == other.method and limits(one) == pytest.approx(limits(other), abs=1e-12)
