from collections import Counter
from functools import cache
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bakeoff.stats.agreement.krippendorff import krippendorff
from tests.stats.agreement.rated import FIVE_OBSERVERS, FOUR_RATERS

METRICS = ["nominal", "ordinal", "interval", "ratio"]
metrics = pytest.mark.parametrize("metric", METRICS)
tables = st.lists(
    st.lists(st.sampled_from([None, 0, 1, 2, 2, 7]), min_size=3, max_size=3), min_size=1, max_size=10
).filter(lambda rows: any(r is not None for row in rows for r in row))


# Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", section C (.743, .815, .849, .797).
@pytest.mark.parametrize(
    ("metric", "alpha"),
    [("nominal", 0.743421), ("ordinal", 0.815388), ("interval", 0.849107), ("ratio", 0.797403)],
)
def test_alphas_of_krippendorffs_example(metric, alpha):
    found = krippendorff(FOUR_RATERS, metric)
    assert found.value == pytest.approx(alpha, abs=5e-7)
    assert (found.items, found.ratings) == (11, 40)


def by_hand(rows, metric):
    """Pair by pair, as Krippendorff defines it."""
    units = [[r for r in row if r is not None] for row in rows]
    units = [unit for unit in units if len(unit) > 1]
    values = [r for unit in units for r in unit]
    counted = Counter(values)

    @cache
    def apart(c, k):
        if metric == "nominal":
            return float(c != k)
        if metric == "interval":
            return (c - k) ** 2
        if metric == "ratio":
            return ((c - k) / (c + k)) ** 2 if c + k else 0.0
        between = sum(n for v, n in counted.items() if min(c, k) <= v <= max(c, k))
        return (between - (counted[c] + counted[k]) / 2) ** 2 if c != k else 0.0

    n = len(values)
    observed = sum(sum(apart(a, b) for a, b in permutations(unit, 2)) / (len(unit) - 1) for unit in units)
    expected = sum(apart(a, b) for a, b in permutations(values, 2)) / (n - 1) if n > 1 else 0
    return 1 - observed / expected if expected else None


@metrics
@settings(max_examples=60)
@given(rows=tables)
def test_it_is_the_disagreement_of_pairs_over_that_by_chance(metric, rows):
    found = krippendorff(rows, metric, draws=20)
    if found is None:
        assert all(sum(r is not None for r in row) < 2 for row in rows)
        return
    expected = by_hand(rows, metric)
    assert found.value == (None if expected is None else pytest.approx(expected, abs=1e-9))


# The percentile bootstrap, one resample after the other.
@metrics
def test_the_interval_is_that_of_resampled_items(metric):
    random = np.random.default_rng(5)
    rows = [row for row in FIVE_OBSERVERS if sum(r is not None for r in row) > 1]
    alphas = [
        by_hand([rows[i] for i in random.integers(0, len(rows), len(rows))], metric) for _ in range(300)
    ]
    low, high = np.quantile([a for a in alphas if a is not None], [0.025, 0.975])
    found = krippendorff(FIVE_OBSERVERS, metric).interval
    assert found.method == "percentile bootstrap"
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.06)


@metrics
@settings(max_examples=40)
@given(rows=tables)
def test_the_interval_contains_the_value_and_never_collapses(metric, rows):
    found = krippendorff(rows, metric, draws=50)
    if found is None or found.value is None or found.items < 2:
        assert found is None or found.interval is None
        return
    assert found.interval.low <= found.value <= found.interval.high <= 1 + 1e-12
    assert found.interval.high - found.interval.low > 1e-4


@metrics
@settings(max_examples=40)
@given(rows=tables, order=st.randoms(use_true_random=False))
def test_neither_items_nor_raters_have_an_order(metric, rows, order):
    shuffled = [order.sample(row, 3) for row in order.sample(rows, len(rows))]
    assert krippendorff(shuffled, metric, draws=50) == krippendorff(rows, metric, draws=50)


@settings(max_examples=40)
@given(rows=tables)
def test_scales_forget_what_they_do_not_measure(rows):
    def changed(change):
        return [[None if r is None else change(r) for r in row] for row in rows]

    def value(ratings, metric):
        found = krippendorff(ratings, metric, draws=1)
        return None if found is None or found.value is None else pytest.approx(found.value, abs=1e-9)

    assert value(changed(lambda r: {0: 5, 1: 0, 2: 9, 7: 1}[r]), "nominal") == value(rows, "nominal")
    assert value(changed(lambda r: r**3 + 1), "ordinal") == value(rows, "ordinal")
    assert value(changed(lambda r: 10 * r + 1e6), "interval") == value(rows, "interval")
    assert value(changed(lambda r: 10 * r), "ratio") == value(rows, "ratio")


@metrics
def test_all_agreeing_is_1_with_doubt_that_shrinks_with_the_items(metric):
    few, many = (krippendorff([[1, 1], [2, 2], [5, 5]] * n, metric) for n in (3, 100))
    assert few.value == many.value == 1
    assert few.interval.method == "wilson (no spread)"
    assert few.interval.low < many.interval.low < few.interval.high == 1


def test_items_that_all_differ_alike_still_leave_doubt():
    found = krippendorff([[0, 1]] * 20)
    assert found.value < 0
    assert found.interval.low <= found.value < found.interval.high


# With one in a hundred rated otherwise, resamples without it are common.
def test_resamples_of_one_category_are_left_out_and_counted():
    found = krippendorff([[0, 0]] * 99 + [[1, 1]], draws=2_000)
    assert found.undefined == pytest.approx(2_000 * 0.99**100, rel=0.15)
    assert krippendorff([[0, 0]] * 50).value is None
    assert krippendorff([[0, 0]] * 50).interval is None


def test_items_rated_once_say_nothing():
    assert krippendorff([[1, None], [None, 2]]) is None
    assert krippendorff([[1, 2], [None, 2]]).interval is None


def test_many_items_on_a_fine_scale_are_handled():
    random = np.random.default_rng(3)
    truth = random.integers(0, 101, 3_000)
    ratings = np.clip(truth[:, None] + random.normal(0, 10, (3_000, 3)).round(), 0, 100)
    found = krippendorff(ratings, "interval")
    # The variance of the items over that of items and raters.
    assert found.value == pytest.approx(850 / (850 + 100), abs=0.02)
    assert found.interval.high - found.interval.low < 0.02


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (([[1, -1]], "ratio"), "got a rating of -1"),
        (([[1, 2]], "cubic"), "cubic"),
        (([[1, float("inf")]],), "inf"),
        (([[1], [2]],), "two raters"),
    ],
)
def test_bad_input_is_refused_with_its_value(arguments, named):
    with pytest.raises(ValueError, match=named):
        krippendorff(*arguments)
    with pytest.raises(ValueError, match="draws"):
        krippendorff([[1, 2]], draws=0)
    with pytest.raises(ValueError, match="95"):
        krippendorff([[1, 2]], level=95)
