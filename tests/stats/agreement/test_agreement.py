from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

from bakeoff.stats.agreement.agreement import bennett, distance_weights, fleiss, gwet
from bakeoff.stats.agreement.ratings import rating_counts, table_counts
from tests.stats.agreement.rated import FIVE_OBSERVERS, FOUR_RATERS, FOURTEEN_RATERS

coefficients = pytest.mark.parametrize("coefficient", [gwet, fleiss, bennett])
tables = (
    st.lists(st.lists(st.sampled_from([None, 0, 0, 1, 2]), min_size=3, max_size=3), min_size=2, max_size=15)
    .filter(lambda rows: any(sum(r is not None for r in row) > 1 for row in rows))
    .map(lambda rows: rating_counts(rows, [0, 1, 2]))
)


# Gwet 2014, Handbook of Inter-Rater Reliability, 4th edition: his examples with 4 raters and 5 observers;
# intervals are value ± t · error there, cut at 1. His software (irrCAC) for the digits.
@pytest.mark.parametrize(
    ("coefficient", "ratings", "value", "error", "low", "high"),
    [
        (gwet, FOUR_RATERS, 0.77544, 0.14295, 0.46081, 1),
        (fleiss, FOUR_RATERS, 0.76117, None, 0.42438, 1),
        (bennett, FOUR_RATERS, 0.77273, None, 0.454, 1),
        (gwet, FIVE_OBSERVERS, 0.49662, None, 0.23502, 0.75823),
        (fleiss, FIVE_OBSERVERS, 0.45762, None, 0.19928, 0.71596),
        (bennett, FIVE_OBSERVERS, 0.487, 0.121, 0.228, 0.747),
    ],
)
def test_values_and_errors_are_gwets(coefficient, ratings, value, error, low, high):
    found = coefficient(rating_counts(ratings))
    assert found.value == pytest.approx(value, abs=5e-4 if value == 0.487 else 5e-6)
    half = t.ppf(0.975, len(ratings) - 1) * found.error
    digits = 5e-4 if low in (0.454, 0.228) else 1e-5
    assert found.value - half == pytest.approx(low, abs=digits)
    assert min(1, found.value + half) == pytest.approx(high, abs=digits)
    if error is not None:
        assert found.error == pytest.approx(error, abs=5e-6 if error == 0.14295 else 5e-4)


# As above, quadratic weights: AC2, and Brennan & Prediger's coefficient.
def test_quadratic_weights_are_gwets():
    counts, weights = rating_counts(FOUR_RATERS), distance_weights([1, 2, 3, 4, 5])
    found = gwet(counts, weights)
    assert found.value == pytest.approx(0.914, abs=5e-5)
    assert found.value - t.ppf(0.975, 11) * found.error == pytest.approx(0.68518, abs=1e-5)
    found = bennett(counts, weights)
    assert (found.value, found.error) == pytest.approx((0.902, 0.111), abs=5e-4)
    linear = bennett(counts, distance_weights([1, 2, 3, 4, 5], "linear"))
    assert (linear.observed, linear.chance, linear.value) == pytest.approx((0.939, 0.6, 0.848), abs=5e-4)


# Fleiss 1971 and Randolph 2005 on Wikipedia's worked example.
def test_fleiss_and_randolph_of_a_worked_example():
    assert fleiss(FOURTEEN_RATERS).value == pytest.approx(0.20993, abs=5e-6)
    assert bennett(FOURTEEN_RATERS).value == pytest.approx(0.2225, abs=5e-5)


# Feinstein & Cicchetti 1990 and Byrt, Bishop & Carlin 1993 describe the paradox: much agreement, low kappa.
@pytest.mark.parametrize(
    ("table", "observed", "ac1", "pabak"),
    [
        ([[80, 10], [5, 5]], 0.85, 0.808, 0.7),
        ([[118, 5], [2, 0]], 0.944, 0.941, 0.888),
    ],
)
def test_ac1_and_pabak_stay_high_where_one_category_prevails(table, observed, ac1, pabak):
    counts = table_counts(table)
    assert gwet(counts).value == pytest.approx(ac1, abs=5e-4)
    assert bennett(counts).value == pytest.approx(pabak, abs=1e-9)
    assert gwet(counts).observed == pytest.approx(observed, abs=1e-9)


@given(tables)
def test_observed_agreement_is_that_of_all_pairs_of_an_item(counts):
    items = [[k for k, n in enumerate(row) for _ in range(n)] for row in counts.tolist()]
    shares = [np.mean([a == b for a, b in combinations(ratings, 2)]) for ratings in items if len(ratings) > 1]
    found = fleiss(counts)
    assert found.observed == pytest.approx(np.mean(shares))
    assert found.items == len(shares)
    assert sum(found.shares) == pytest.approx(1)
    if found.value is not None:
        assert found.value == pytest.approx((found.observed - found.chance) / (1 - found.chance))


# The standard error of an item average is that of the jackknife over items, nearly so with many of them.
@coefficients
def test_the_error_is_that_of_leaving_out_one_item_at_a_time(coefficient):
    random = np.random.default_rng(1)
    truth = random.integers(0, 3, 300)
    ratings = np.where(random.random((300, 3)) < 0.8, truth[:, None], random.integers(0, 3, (300, 3)))
    counts = rating_counts(ratings)
    left_out = [coefficient(np.delete(counts, i, axis=0)).value for i in range(300)]
    jackknife = (299 / 300 * ((left_out - np.mean(left_out)) ** 2).sum()) ** 0.5
    assert coefficient(counts).error == pytest.approx(jackknife, rel=0.01)


@coefficients
@given(counts=tables)
def test_the_interval_contains_the_value_and_never_collapses(coefficient, counts):
    found = coefficient(counts)
    if found.value is None or found.error is None:
        assert found.interval is None
        return
    assert found.interval.low <= found.value + 1e-9
    assert found.value - 1e-9 <= found.interval.high <= 1
    assert found.interval.high - found.interval.low > 1e-3


@coefficients
@given(counts=tables, order=st.randoms(use_true_random=False))
def test_neither_items_nor_categories_have_an_order(coefficient, counts, order):
    rows = counts.tolist()
    order.shuffle(rows)
    columns = order.sample(range(3), 3)
    one, other = coefficient(counts), coefficient(np.array(rows)[:, columns])
    assert other.value == (None if one.value is None else pytest.approx(one.value))
    assert other.error == (None if one.error is None else pytest.approx(one.error, abs=1e-9))
    assert other.shares == pytest.approx([one.shares[k] for k in columns])


@coefficients
def test_all_agreeing_is_1_with_doubt_that_shrinks_with_the_items(coefficient):
    few, many = (coefficient([[2, 0], [0, 2]] * n) for n in (5, 100))
    assert few.value == many.value == 1
    assert few.interval.low < many.interval.low < few.interval.high == 1


# AC1 and Bennett's S know that there was another category; for kappa there was no chance to disagree.
def test_one_category_alone_leaves_kappa_without_a_value():
    counts = [[2, 0]] * 10
    found = fleiss(counts)
    assert (found.value, found.error, found.interval, found.observed) == (None, None, None, 1)
    assert gwet(counts).value == bennett(counts).value == 1


@coefficients
def test_items_with_one_rating_alone_say_nothing_of_agreement(coefficient):
    assert coefficient([[1, 0], [0, 1], [0, 0]]) is None
    single = coefficient([[1, 1]])
    assert (single.error, single.interval) == (None, None)


def test_weights_fall_with_the_distance():
    assert distance_weights([0, 1, 4], "linear").tolist() == [[1, 0.75, 0], [0.75, 1, 0.25], [0, 0.25, 1]]
    assert distance_weights([1, 2, 3])[0].tolist() == [1, 0.75, 0]
    assert gwet(FOURTEEN_RATERS, np.eye(5)) == gwet(FOURTEEN_RATERS)


@coefficients
@pytest.mark.parametrize(
    ("counts", "weights", "named"),
    [
        ([[1, -1]], None, "got -1"),
        ([[1.5, 1]], None, "got 1.5"),
        ([[2], [2]], None, "two categories"),
        ([[0, 0]], None, "at least one rating"),
        ([], None, "counts"),
        ([[1, 1]], [[1]], r"shape \(2, 2\)"),
        ([[1, 1]], [[1, 0.5], [0, 1]], "symmetric"),
        ([[1, 1]], [[0.5, 0], [0, 1]], "diagonal"),
        ([[1, 1]], [[1, 2], [2, 1]], r"in \[0, 1\]"),
    ],
)
def test_bad_input_is_refused_with_its_value(coefficient, counts, weights, named):
    with pytest.raises(ValueError, match=named):
        coefficient(counts, weights)


def test_a_level_that_is_no_share_and_unknown_weights_are_refused():
    with pytest.raises(ValueError, match="95"):
        gwet([[1, 1]], level=95)
    with pytest.raises(ValueError, match="cubic"):
        distance_weights([1, 2], "cubic")
    with pytest.raises(ValueError, match="different"):
        distance_weights([1, 1])
