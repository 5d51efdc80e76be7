import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import stdtrit

from bakeoff.stats.mean.clustered import clustered, clustered_difference
from bakeoff.stats.mean.proportion import wilson_limits
from bakeoff.stats.mean.stratified import stratified_difference, stratified_mean
from bakeoff.stats.pair.paired import tango_limits

scores = st.lists(st.tuples(st.integers(0, 3), st.sampled_from([0, 0.25, 1])), min_size=2, max_size=60)
differences = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from([-1, -0.5, 0, 1])), min_size=2, max_size=60
)


def test_one_stratum_is_the_interval_of_its_items():
    values, clusters = [1, 1, 0, 0, 1, 0, 1, 1], "aabbccdd"
    assert limits(stratified_mean(values, "x" * 8)) == pytest.approx(limits(clustered(values, range(8))))
    assert limits(stratified_mean(values, "x" * 8, clusters=clusters)) == pytest.approx(
        limits(clustered(values, clusters))
    )
    signed = [1, -1, 0, 0, 1, 0.5, 1, 0]
    assert limits(stratified_difference(signed, "x" * 8, clusters=clusters)) == pytest.approx(
        limits(clustered_difference(signed, clusters))
    )


@pytest.mark.parametrize("value", [0, 0.1, 1])
def test_equal_strata_without_spread_are_worth_all_their_items(value):
    low, high = limits(stratified_mean([value] * 40, [i // 10 for i in range(40)]))
    assert (low, high) == pytest.approx(wilson_limits(value, 40, stdtrit(36, 0.975)))
    groups = [i // 2 for i in range(40)]
    low, high = limits(stratified_mean([value] * 40, [i // 10 for i in range(40)], clusters=groups))
    assert (low, high) == pytest.approx(wilson_limits(value, 20, stdtrit(16, 0.975)))


# Right or wrong: the variance Σ W² p(1-p)/(n-1) of the textbook (Cochran 1977, eq. 5.10) and Satterthwaite's
# degrees of freedom, both by hand.
def test_the_variance_and_degrees_of_freedom_are_those_of_the_textbook():
    sizes, right, weights = [20, 50], [15, 10], [0.7, 0.3]
    values = [1] * 15 + [0] * 5 + [1] * 10 + [0] * 40
    strata = ["algebra"] * 20 + ["law"] * 50
    parts = [w**2 * (k / n) * (1 - k / n) / (n - 1) for w, k, n in zip(weights, right, sizes, strict=True)]
    df = sum(parts) ** 2 / (parts[0] ** 2 / 19 + parts[1] ** 2 / 49)
    mean = 0.7 * 0.75 + 0.3 * 0.2
    t = stdtrit(df, 0.975)
    interval = stratified_mean(values, strata, {"algebra": 7, "law": 3})
    # Wilson's limits are where the estimate is t errors away; n_eff is by the unbiased spread of one item.
    one_item = 0.7 * (0.75 * 0.25 * 20 / 19 + (0.75 - mean) ** 2) + 0.3 * (
        0.2 * 0.8 * 50 / 49 + (0.2 - mean) ** 2
    )
    assert limits(interval) == pytest.approx(wilson_limits(mean, one_item / sum(parts), t))
    half = t * sum(parts) ** 0.5
    assert limits(interval) == pytest.approx((mean - half, mean + half), abs=0.02)


def test_a_macro_average_weighs_strata_equally_whatever_their_size():
    values, strata = [1] * 90 + [0, 1] * 5, ["easy"] * 90 + ["hard"] * 10
    interval = stratified_mean(values, strata)
    assert interval.low < 0.75 < interval.high < 0.95
    by_items = stratified_mean(values, strata, {"easy": 90, "hard": 10})
    assert by_items.low < 0.95 < by_items.high


def test_strata_that_differ_do_not_widen_the_interval():
    values = [1] * 45 + [0] * 5 + [1] * 5 + [0] * 45
    known = stratified_mean(values, [0] * 50 + [1] * 50)
    unknown = clustered(values, range(100))
    assert known.high - known.low < 0.7 * (unknown.high - unknown.low)


def test_a_difference_weighs_gains_and_losses_of_each_stratum():
    signed = [1] * 6 + [-1] * 2 + [0] * 12 + [1] * 3 + [0] * 37
    strata = [0] * 20 + [1] * 40
    interval = stratified_difference(signed, strata)
    assert interval.method == "stratified-tango"
    mean = (4 / 20 + 3 / 40) / 2
    error = (np.var(signed[:20], ddof=1) / 20 / 4 + np.var(signed[20:], ddof=1) / 40 / 4) ** 0.5
    assert interval.low < mean < interval.high
    assert interval.high - interval.low == pytest.approx(2 * 2.03 * error, rel=0.1)


def test_models_that_agree_in_every_stratum_still_have_an_interval():
    low, high = limits(stratified_difference([0] * 40, [i // 10 for i in range(40)]))
    assert (low, high) == pytest.approx(tango_limits(0, 0, 40, stdtrit(36, 0.975)))


def test_a_stratum_of_one_unit_is_not_estimable():
    assert stratified_mean([1, 0, 1], "aab") is None
    assert stratified_mean([1, 0, 1, 0], "aabb", clusters="xxyz") is None
    assert stratified_difference([1, 0, -1], "aab") is None


@settings(max_examples=80)
@given(rows=scores)
def test_a_mean_contains_its_estimate_stays_in_range_and_never_collapses(rows):
    strata, values = zip(*rows, strict=True)
    interval = stratified_mean(values, strata)
    if min(strata.count(s) for s in strata) == 1:
        assert interval is None
        return
    mean = np.mean([np.mean([x for s, x in rows if s == stratum]) for stratum in set(strata)])
    assert 0 <= interval.low <= mean + 1e-12
    assert mean - 1e-12 <= interval.high <= 1
    assert interval.high - interval.low > 0.01


@settings(max_examples=80)
@given(rows=differences, order=st.randoms(use_true_random=False))
def test_neither_order_nor_names_matter_and_exchanging_models_turns_the_sign(rows, order):
    strata, values = zip(*rows, strict=True)
    interval = stratified_difference(values, strata)
    shuffled = [(f"subject {s}", x) for s, x in order.sample(rows, len(rows))]
    other_strata, other = zip(*shuffled, strict=True)
    again = stratified_difference(other, other_strata)
    if interval is None:
        assert again is None
        return
    assert limits(again) == pytest.approx(limits(interval), abs=1e-9)
    negated = stratified_difference([-x for x in values], strata)
    assert limits(negated) == pytest.approx((-interval.high, -interval.low), abs=1e-9)
    assert interval.high - interval.low > 0.01


# Coverage at 95 % over boards of several strata, among them many small ones near the end of the scale.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("sizes", "rates"),
    [
        ([20, 50, 200], [0.8, 0.5, 0.2]),
        ([10] * 30, [0.95] * 30),
        ([100] * 10, [0.99] * 5 + [0.6] * 5),
        ([30, 30], [0.9, 0.97]),
    ],
)
def test_the_true_macro_average_is_covered(sizes, rates):
    random = np.random.default_rng(2)
    boards = 800
    strata = np.repeat(np.arange(len(sizes)), sizes).tolist()
    chance, truth = np.repeat(rates, sizes), np.mean(rates)
    covered = 0
    for _ in range(boards):
        interval = stratified_mean((random.random(len(chance)) < chance).astype(float).tolist(), strata)
        covered += interval.low <= truth <= interval.high
    assert covered / boards > 0.95 - 4 * (0.95 * 0.05 / boards) ** 0.5


@pytest.mark.parametrize("method", [stratified_mean, stratified_difference])
@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (([], []), "none"),
        (([1, 0], ["a"]), "2 values, 1 strata"),
        (([1, 1.5], "aa"), r"1\.5"),
        (([1, -1.5], "aa"), r"-1\.5"),
        (([1, float("nan")], "aa"), "nan"),
        (([1, 0], "aa", {"b": 1}), "'a'.*'b'"),
        (([1, 0], "aa", {"a": 0}), "got 0 for 'a'"),
        (([1, 0], "aa", {"a": float("nan")}), "nan"),
        (([1, 0, 1, 0], "aabb", None, "xyyz"), "'y' in several"),
        (([1, 0], "aa", None, "x"), "1 clusters"),
        (([1, 0], "aa", None, None, 95), "95"),
    ],
)
def test_bad_input_is_refused_with_its_value(method, arguments, named):
    with pytest.raises(ValueError, match=named):
        method(*arguments)


def limits(interval):
    return interval.low, interval.high
