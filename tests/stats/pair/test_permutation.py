from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import permutation_test

from bakeoff.stats.pair.paired import mcnemar_exact
from bakeoff.stats.pair.permutation import sign_flip

levels = st.sampled_from([-1, -0.7, -0.5, -0.1, 0, 0, 0.1, 0.3, 0.5, 1])


def by_hand(differences):
    """Every flip, one by one."""
    total = abs(sum(differences))
    flips = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
        for signs in product((-1, 1), repeat=len(differences))
    ]
    return sum(flip >= total - 1e-9 for flip in flips) / len(flips)


@settings(max_examples=60)
@given(differences=st.lists(levels, min_size=1, max_size=11))
def test_few_units_are_enumerated(differences):
    assert sign_flip(differences) == pytest.approx(by_hand(differences), abs=1e-12)


@settings(max_examples=60)
@given(rows=st.lists(st.tuples(st.integers(0, 7), levels), min_size=1, max_size=60))
def test_groups_flip_as_one(rows):
    clusters, differences = zip(*rows, strict=True)
    sums = [sum(d for c, d in rows if c == cluster) for cluster in sorted(set(clusters))]
    assert sign_flip(differences, clusters) == pytest.approx(by_hand(sums), abs=1e-12)


@pytest.mark.parametrize(("b", "c"), [(0, 10), (7, 1), (3, 3), (14, 0), (9, 5)])
def test_on_right_or_wrong_it_is_the_exact_mcnemar_test(b, c):
    assert sign_flip([1] * b + [-1] * c + [0] * 30) == pytest.approx(mcnemar_exact(b, c), abs=1e-15)


@pytest.mark.parametrize(("b", "c"), [(16, 6), (150, 86), (12, 9)])
def test_random_flips_come_near_the_exact_mcnemar_test(b, c):
    exact = mcnemar_exact(b, c)
    error = (exact * (1 - exact) / 9_999) ** 0.5
    assert abs(sign_flip([1] * b + [-1] * c + [0] * 30) - exact) < 4 * error + 1e-4


def test_random_flips_come_near_those_of_scipy():
    random = np.random.default_rng(2)
    differences = random.normal(0.15, 1, 60)
    peer = permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=9_999, rng=np.random.default_rng(3)
    )
    assert sign_flip(differences) == pytest.approx(peer.pvalue, abs=4 * (2 * peer.pvalue / 9_999) ** 0.5)


def test_no_p_is_below_that_of_all_flips_drawn():
    assert sign_flip([1] * 40) == 1 / 10_000
    assert sign_flip([1] * 40, draws=99) == 1 / 100


def test_models_that_agree_on_every_item_are_not_told_apart():
    assert sign_flip([0, 0, 0]) == 1
    assert sign_flip([[0, 1]] * 20).tolist() == [1, 1 / 10_000]
    # Sums that cancel, but for rounding.
    assert sign_flip([0.1, 0.2, -0.3] * 20, [i // 3 for i in range(60)]) == 1


@settings(max_examples=40)
@given(
    rows=st.lists(st.tuples(levels, levels, levels), min_size=1, max_size=40),
    order=st.randoms(use_true_random=False),
)
def test_a_pair_depends_neither_on_the_order_of_items_nor_on_the_other_pairs(rows, order):
    together = sign_flip(np.array(rows, dtype=float), draws=199)
    shuffled = np.array(order.sample(rows, len(rows)), dtype=float)
    assert sign_flip(shuffled[:, ::-1], draws=199).tolist() == together[::-1].tolist()
    for column in range(3):
        assert sign_flip([row[column] for row in rows], draws=199) == together[column]
        assert sign_flip([-row[column] for row in rows], draws=199) == together[column]


@settings(max_examples=30)
@given(
    rows=st.lists(st.tuples(st.integers(0, 30), levels), min_size=1, max_size=90),
    order=st.randoms(use_true_random=False),
)
def test_neither_the_order_nor_the_names_of_groups_matter(rows, order):
    clusters, differences = zip(*rows, strict=True)
    shuffled = [(f"passage {c}", d) for c, d in order.sample(rows, len(rows))]
    other_clusters, other = zip(*shuffled, strict=True)
    assert sign_flip(other, other_clusters, draws=199) == sign_flip(differences, clusters, draws=199)


def test_more_pairs_than_are_summed_at_once_are_all_there():
    random = np.random.default_rng(0)
    differences = random.normal(size=(30, 1_203))
    p = sign_flip(differences, draws=199)
    assert p.shape == (1_203,)
    for column in (0, 499, 500, 1_202):
        assert p[column] == sign_flip(differences[:, column], draws=199)


# Differences with a symmetric distribution of heavy tails and of few levels, in groups and not: without a
# true difference the test rejects in at most its level of the boards.
@pytest.mark.slow
@pytest.mark.parametrize("units", [10, 40])
def test_equal_models_are_told_apart_in_at_most_the_level(units):
    random = np.random.default_rng(units)
    boards = 4_000
    heavy = random.standard_t(2, (units, boards))
    graded = random.integers(-4, 5, (units, boards)) / 4
    # Groups of three that share their part: items flipped one by one reject far too often.
    grouped = np.repeat(graded, 3, axis=0) + random.normal(0, 0.1, (3 * units, boards))
    clusters = [i // 3 for i in range(3 * units)]
    for p in (
        sign_flip(heavy, draws=999),
        sign_flip(graded, draws=999),
        sign_flip(grouped, clusters, draws=999),
    ):
        for alpha in (0.01, 0.05, 0.2):
            assert (p <= alpha).mean() < alpha + 4 * (alpha / boards) ** 0.5
    assert (sign_flip(grouped, draws=999) <= 0.05).mean() > 0.15


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (([],), "differences"),
        (([1, float("nan")],), "nan"),
        (([[[1]]],), "dimension"),
        (([1, 0], ["a"]), "2 values and 1 clusters"),
    ],
)
def test_bad_input_is_refused_with_its_value(arguments, named):
    with pytest.raises(ValueError, match=named):
        sign_flip(*arguments)


def test_no_draws_are_refused():
    with pytest.raises(ValueError, match=r"draws .* 0"):
        sign_flip([1, 0], draws=0)
