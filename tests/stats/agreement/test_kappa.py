from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.stats.agreement.agreement import distance_weights
from bakeoff.stats.agreement.kappa import cohen, conger
from bakeoff.stats.agreement.ratings import cross_table
from tests.stats.agreement.rated import FIVE_OBSERVERS, FOUR_RATERS

squares = st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=3, max_size=3).filter(
    lambda rows: sum(map(sum, rows)) > 1
)


# The first: Wikipedia's worked example, its error by Fleiss, Cohen & Everitt 1969. The others show how kappa
# falls with the prevalence (Feinstein & Cicchetti 1990; Gwet 2008).
@pytest.mark.parametrize(
    ("table", "kappa"),
    [
        ([[20, 5], [10, 15]], 0.4000),
        ([[80, 10], [5, 5]], 0.318),
        ([[40, 9], [6, 45]], 0.700),
        ([[118, 5], [2, 0]], -0.023),
    ],
)
def test_cohens_kappa_of_worked_examples(table, kappa):
    assert cohen(table).value == pytest.approx(kappa, abs=5e-4)


def test_the_error_is_that_of_fleiss_cohen_and_everitt():
    found = cohen([[20, 5], [10, 15]])
    assert found.error == pytest.approx(0.1270, abs=5e-5)
    assert (found.observed, found.chance, found.items) == (0.7, 0.5, 50)
    assert found.shares == pytest.approx((0.55, 0.45))


# Their equation 13, cell by cell.
@given(squares, st.sampled_from(["linear", "quadratic", None]))
def test_the_error_by_the_published_equation(table, kind):
    weights = np.eye(3) if kind is None else distance_weights([1, 2, 3], kind)
    found = cohen(table, weights)
    share = np.array(table) / np.sum(table)
    rows, columns = share.sum(axis=1), share.sum(axis=0)
    if found.value is None:
        assert found.chance == pytest.approx(1)
        return
    total = 0.0
    for i in range(3):
        for j in range(3):
            mean = (weights[i] * columns).sum() + (weights[:, j] * rows).sum()
            total += share[i, j] * (weights[i, j] - mean * (1 - found.value)) ** 2
    total -= (found.value - found.chance * (1 - found.value)) ** 2
    expected = (max(0, total) / np.sum(table)) ** 0.5 / (1 - found.chance)
    assert found.error == pytest.approx(expected, abs=1e-7)
    assert found.interval.low - 1e-9 <= found.value <= found.interval.high + 1e-9
    assert found.interval.high - found.interval.low > 1e-3


# Cohen 1968: with quadratic weights it is the correlation of the two ratings but for their means and spreads.
@given(squares)
def test_quadratic_weights_compare_squared_differences(table):
    found = cohen(table, distance_weights([0, 1, 2]))
    pairs = np.array([(i, j) for i in range(3) for j in range(3) for _ in range(table[i][j])])
    apart = ((pairs[:, 0] - pairs[:, 1]) ** 2).mean()
    by_chance = ((pairs[:, 0][:, None] - pairs[:, 1]) ** 2).mean()
    if by_chance:
        assert found.value == pytest.approx(1 - apart / by_chance)
    else:
        assert found.value is None


@given(squares, st.permutations([0, 1, 2]))
def test_neither_raters_nor_categories_have_an_order(table, order):
    one = cohen(table)
    for other in (cohen(np.array(table).T), cohen(np.array(table)[np.ix_(order, order)])):
        assert other.value == (None if one.value is None else pytest.approx(one.value))
        assert other.error == (None if one.error is None else pytest.approx(one.error, abs=1e-9))


# Gwet 2014, his examples; his software (irrCAC) for the digits.
@pytest.mark.parametrize(
    ("ratings", "value", "error"), [(FOUR_RATERS, 0.76282, 0.149), (FIVE_OBSERVERS, 0.469, 0.117)]
)
def test_congers_kappa_of_worked_examples(ratings, value, error):
    found = conger(ratings)
    assert found.value == pytest.approx(value, abs=5e-6 if value == 0.76282 else 5e-4)
    assert found.error == pytest.approx(error, abs=5e-4)


@pytest.mark.parametrize(("kind", "value", "error"), [("linear", 0.814, 0.145), ("quadratic", 0.858, 0.144)])
def test_congers_weighted_kappa_of_a_worked_example(kind, value, error):
    found = conger(FOUR_RATERS, distance_weights([1, 2, 3, 4, 5], kind))
    assert (found.value, found.error) == pytest.approx((value, error), abs=5e-4)


def test_of_two_raters_it_is_cohens():
    random = np.random.default_rng(0)
    first = random.integers(0, 3, 80)
    ratings = np.column_stack([first, np.where(random.random(80) < 0.7, first, random.integers(0, 3, 80))])
    found, twin = conger(ratings), cohen(cross_table(ratings))
    assert found.value == pytest.approx(twin.value)
    assert found.chance == pytest.approx(twin.chance)
    assert found.error == pytest.approx(twin.error * (80 / 79) ** 0.5)
    assert found.shares == pytest.approx(twin.shares)


# Conger 1980: the chance is the mean of that of all ordered pairs of raters.
@given(
    st.lists(st.lists(st.sampled_from([0, 1, 2]), min_size=3, max_size=3), min_size=2, max_size=12).filter(
        lambda rows: len({r for row in rows for r in row}) > 1
    )
)
def test_the_chance_is_that_of_all_pairs_of_raters(rows):
    found = conger(rows, categories=[0, 1, 2])
    shares = np.array([[np.mean([row[g] == k for row in rows]) for k in range(3)] for g in range(3)])
    chance = np.mean([shares[g] @ shares[h] for g, h in permutations(range(3), 2)])
    assert found.chance == pytest.approx(chance)


@pytest.mark.parametrize("missing", [False, True])
def test_the_error_is_that_of_leaving_out_one_item_at_a_time(missing):
    random = np.random.default_rng(2)
    truth = random.integers(0, 2, 400)
    ratings = np.where(random.random((400, 3)) < [0.9, 0.8, 0.7], truth[:, None], 1.0)
    if missing:
        ratings[:, 2][random.random(400) < 0.5] = np.nan
    left_out = [conger(np.delete(ratings, i, axis=0)).value for i in range(400)]
    jackknife = (399 / 400 * ((left_out - np.mean(left_out)) ** 2).sum()) ** 0.5
    assert conger(ratings).error == pytest.approx(jackknife, rel=0.01)


def test_all_agreeing_is_1_with_doubt():
    few, many = cohen([[3, 0], [0, 4]]), cohen([[300, 0], [0, 400]])
    assert few.value == many.value == 1
    assert few.interval.low < many.interval.low < few.interval.high == 1
    assert conger([[0, 0], [1, 1], [1, 1]]).interval.low < 0.6


def test_where_there_is_nothing_to_say():
    constant = cohen([[10, 0], [0, 0]])
    assert (constant.value, constant.interval, constant.observed) == (None, None, 1)
    assert cohen([[0, 1], [0, 0]]).interval is None
    assert conger([[0, None], [None, 1]]) is None


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (([[1, 1], [1, 1]],), "two categories or more"),
        (([[1, None], [2, None]],), "none of rater 1"),
        (([[1, 2], [2, 1]], [[1]]), r"shape \(2, 2\)"),
    ],
)
def test_ratings_without_a_kappa_are_refused(arguments, named):
    with pytest.raises(ValueError, match=named):
        conger(*arguments)


@pytest.mark.parametrize("bad", [0, 1, 95])
def test_a_level_that_is_no_share_is_refused(bad):
    with pytest.raises(ValueError, match=str(bad)):
        cohen([[1, 0], [0, 1]], level=bad)
    with pytest.raises(ValueError, match=str(bad)):
        conger([[1, 0], [0, 1]], level=bad)
