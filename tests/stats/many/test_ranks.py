import csv
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bakeoff.stats.many.covariance import mean_covariance
from bakeoff.stats.many.ranks import RankSet, best_set, marginal_rank_set, rank_sets

few_scores = st.tuples(st.integers(1, 6), st.integers(2, 10)).flatmap(
    lambda shape: arrays(float, shape, elements=st.sampled_from([0, 0.5, 1]))
)


@pytest.fixture(scope="module")
def pisa():
    """Countries, mean scores and covariance of the worked example of the R package csranks."""
    lines = (Path(__file__).parents[1] / "cases" / "pisa_2018_maths.csv").read_text().splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    errors = np.array([float(row["se"]) for row in rows])
    return [row["country"] for row in rows], [float(row["score"]) for row in rows], np.diag(errors**2)


# Mogstad, Romano, Shaikh & Wilhelm 2024; the sets are those of the csranks vignette.
def test_twelve_countries_may_be_among_the_best_five_in_maths(pisa):
    countries, means, covariance = pisa
    best = {country for country, may in zip(countries, best_set(means, covariance, 5), strict=True) if may}
    assert best == {
        *("Belgium", "Canada", "Denmark", "Estonia", "Finland", "Japan", "Korea", "Netherlands"),
        *("Poland", "Slovenia", "Sweden", "Switzerland"),
    }
    at_90 = best_set(means, covariance, 5, level=0.9)
    assert best - {country for country, may in zip(countries, at_90, strict=True) if may} == {"Sweden"}
    assert sum(at_90) == 11


def test_the_united_kingdom_ranks_between_7_and_23(pisa):
    countries, means, covariance = pisa
    kingdom = countries.index("United Kingdom")
    assert sorted(means, reverse=True).index(means[kingdom]) == 12
    assert near(marginal_rank_set(means, covariance, kingdom), (7, 23))


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_all_countries_together(pisa, seed):
    countries, means, covariance = pisa
    sets = dict(zip(countries, rank_sets(means, covariance, seed=seed), strict=True))
    for country, published in [
        ("Japan", (1, 6)),
        ("Korea", (1, 7)),
        ("Estonia", (1, 6)),
        ("Chile", (35, 37)),
        ("Colombia", (37, 38)),
    ]:
        assert near(sets[country], published), country
    assert np.mean([ranks.high - ranks.low for ranks in sets.values()]) == pytest.approx(11.1, abs=0.1)


def test_models_far_apart_have_one_rank_each():
    assert rank_sets([10, 30, 20], np.eye(3)) == (RankSet(3, 3), RankSet(1, 1), RankSet(2, 2))


def test_models_that_cannot_be_told_apart_share_all_places_of_theirs():
    assert rank_sets([0, 0.1, -0.1, 50], np.eye(4)) == (*[RankSet(2, 4)] * 3, RankSet(1, 1))


def test_one_model_is_first():
    assert rank_sets([0.5], [[0.01]]) == (RankSet(1, 1),)
    assert marginal_rank_set([0.5], [[0.01]], 0) == RankSet(1, 1)
    assert best_set([0.5], [[0.01]]) == (True,)


def test_shares_of_votes_have_a_singular_covariance_and_sets_all_the_same():
    votes = np.array([700, 150, 140, 10])
    shares = votes / 1000
    covariance = (np.diag(shares) - np.outer(shares, shares)) / 1000
    assert rank_sets(shares, covariance) == (RankSet(1, 1), RankSet(2, 3), RankSet(2, 3), RankSet(4, 4))


def test_shared_items_tell_apart_what_separate_errors_do_not():
    hardness = np.random.default_rng(0).random(200)
    better_by_little = np.where(np.arange(200) < 20, 0.1, 0)
    scores = np.array([hardness, hardness + better_by_little])
    covariance = mean_covariance(scores)
    assert rank_sets(scores.mean(axis=1), covariance) == (RankSet(2, 2), RankSet(1, 1))
    assert rank_sets(scores.mean(axis=1), np.diag(np.diag(covariance))) == (RankSet(1, 2), RankSet(1, 2))


@given(few_scores)
def test_sets_hold_the_observed_ranks_and_grow_with_the_level(scores):
    means, covariance = scores.mean(axis=1), mean_covariance(scores)
    wide, narrow = (rank_sets(means, covariance, level=level, draws=500) for level in (0.95, 0.7))
    for mean, ranks, inner in zip(means, wide, narrow, strict=True):
        assert 1 <= ranks.low <= inner.low <= 1 + (means > mean).sum()
        assert len(means) - (means < mean).sum() <= inner.high <= ranks.high <= len(means)


@given(few_scores)
def test_one_models_own_set_lies_within_its_simultaneous_one(scores):
    means, covariance = scores.mean(axis=1), mean_covariance(scores)
    for model, together in enumerate(rank_sets(means, covariance, draws=500)):
        alone = marginal_rank_set(means, covariance, model, draws=500)
        assert together.low <= alone.low <= alone.high <= together.high


@given(few_scores)
def test_the_best_set_holds_the_observed_best_and_grows_with_tau(scores):
    means, covariance = scores.mean(axis=1), mean_covariance(scores)
    sets = [best_set(means, covariance, tau, draws=500) for tau in range(1, len(means) + 1)]
    assert all(may for mean, may in zip(means, sets[0], strict=True) if mean == means.max())
    assert all(sets[-1])
    for smaller, larger in pairwise(sets):
        assert all(after for before, after in zip(smaller, larger, strict=True) if before)


@given(few_scores, st.randoms(use_true_random=False))
def test_the_order_of_models_changes_nothing(scores, order):
    places = list(range(len(scores)))
    order.shuffle(places)
    means, covariance = scores.mean(axis=1), mean_covariance(scores)
    sets = rank_sets(means, covariance, draws=500)
    shuffled = rank_sets(means[places], covariance[np.ix_(places, places)], draws=500)
    assert shuffled == tuple(sets[place] for place in places)


@given(few_scores, st.randoms(use_true_random=False))
def test_the_order_of_items_changes_nothing(scores, order):
    items = list(range(scores.shape[1]))
    order.shuffle(items)
    one, other = scores, scores[:, items]
    assert rank_sets(one.mean(axis=1), mean_covariance(one), draws=500) == rank_sets(
        other.mean(axis=1), mean_covariance(other), draws=500
    )


@given(few_scores)
def test_models_with_the_very_same_scores_share_a_set(scores):
    twice = np.vstack([scores, scores[:1]])
    sets = rank_sets(twice.mean(axis=1), mean_covariance(twice), draws=500)
    assert sets[0] == sets[-1]
    assert sets[0].high > sets[0].low


@given(few_scores, st.floats(0.01, 100), st.floats(-10, 10))
def test_the_unit_and_zero_of_the_scores_do_not_matter(scores, unit, zero):
    means, covariance = scores.mean(axis=1), mean_covariance(scores)
    assert rank_sets(unit * means + zero, unit**2 * covariance, draws=500) == rank_sets(
        means, covariance, draws=500
    )


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: rank_sets([1, 2], np.eye(2), level=95), "95"),
        (lambda: rank_sets([], np.eye(2)), "means"),
        (lambda: rank_sets([1, float("nan")], np.eye(2)), "nan"),
        (lambda: rank_sets([1, 2], np.eye(3)), "2 by 2"),
        (lambda: rank_sets([1, 2], np.zeros((2, 2))), "standard error of 0"),
        (lambda: rank_sets([1, 2], np.eye(2), df=-1), "-1"),
        (lambda: marginal_rank_set([1, 2], np.eye(2), 2), "2"),
        (lambda: best_set([1, 2], np.eye(2), 0), "tau"),
        (lambda: best_set([1, 2], np.eye(2), 3), "tau"),
    ],
)
def test_bad_input_is_refused(call, named):
    with pytest.raises(ValueError, match=named):
        call()


def near(ranks, published):
    """Limits of a simulation may be off by one."""
    return abs(ranks.low - published[0]) <= 1 and abs(ranks.high - published[1]) <= 1
