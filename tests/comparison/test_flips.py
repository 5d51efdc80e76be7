from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from bakeoff.comparison.flips import flips
from bakeoff.stats.pair.paired import mcnemar_exact
from bakeoff.stats.pair.permutation import sign_flip


def _pairs(scores):
    return list(combinations(range(len(scores)), 2))


@given(st.integers(0, 7), st.integers(0, 7), st.integers(0, 20))
def test_few_items_that_differ_give_the_exact_p_of_right_and_wrong(b, c, agreeing):
    first = [1.0] * b + [0.0] * c + [1.0] * agreeing + [0.0]
    second = [0.0] * b + [1.0] * c + [1.0] * agreeing + [0.0]
    (p,) = flips(np.array([first, second]), None, [(0, 1)], draws=99, seed=0)
    assert p == pytest.approx(mcnemar_exact(b, c))


@pytest.mark.parametrize("grouped", [False, True])
def test_many_items_give_the_p_of_the_test_of_one_pair_up_to_the_draws(grouped):
    random = np.random.default_rng(1)
    scores = random.random((4, 700)) + np.array([[0], [0], [0.03], [0.06]])
    groups = np.arange(700) % 90 if grouped else None
    found = flips(scores, groups, _pairs(scores), draws=9_999, seed=0)
    for (one, other), p in zip(_pairs(scores), found, strict=True):
        alone = sign_flip((scores[other] - scores[one]).tolist(), None if groups is None else groups.tolist())
        assert p == pytest.approx(alone, abs=5 * (2 * 0.25 / 9_999) ** 0.5)


def test_for_many_items_the_flipped_sums_are_normal():
    random = np.random.default_rng(2)
    scores = random.random((2, 5_000)) + np.array([[0], [0.01]])
    difference = scores[1] - scores[0]
    z = abs(difference.sum()) / np.sqrt((difference**2).sum())
    (p,) = flips(scores, None, [(0, 1)], draws=19_999, seed=0)
    assert p == pytest.approx(2 * norm.sf(z), abs=5 * (0.25 / 19_999) ** 0.5)


def test_a_pair_does_not_depend_on_the_other_candidates():
    scores = np.random.default_rng(3).random((5, 300)).round(2)
    groups = np.arange(300) // 3
    for clusters in (None, groups):
        together = flips(scores, clusters, _pairs(scores), draws=999, seed=4)
        for (one, other), p in zip(_pairs(scores), together, strict=True):
            assert flips(scores[[one, other]], clusters, [(0, 1)], draws=999, seed=4) == [p]
            assert flips(scores[[other, one]], clusters, [(0, 1)], draws=999, seed=4) == [p]


def test_noise_is_called_a_difference_no_more_often_than_promised():
    random = np.random.default_rng(5)
    repeated, level = 2_000, 0.05
    false = sum(
        flips(random.random((2, 30)), None, [(0, 1)], draws=199, seed=k)[0] <= level for k in range(repeated)
    )
    assert false / repeated <= level + 4 * (level * (1 - level) / repeated) ** 0.5
    assert false / repeated >= level - 4 * (level * (1 - level) / repeated) ** 0.5


def test_the_same_scores_have_a_p_of_one():
    scores = np.random.default_rng(6).random(50)
    assert flips(np.stack([scores, scores]), None, [(0, 1)], draws=99, seed=0) == [1.0]
