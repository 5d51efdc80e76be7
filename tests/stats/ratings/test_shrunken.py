"""Strengths by few votes: between those of the others and their own, and covered."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit

from bakeoff.stats.ratings.battles import Pairs
from bakeoff.stats.ratings.bradley_terry import bradley_terry
from bakeoff.stats.ratings.shrunken import distance_between, shrunken

TRUTH = np.array([0.9, 0.4, 0.1, -0.5, -0.9])


def drawn(strength, votes, seed):
    """Votes of each pair, as many as `votes`."""
    draw = np.random.default_rng(seed)
    m = len(strength)
    won = np.zeros((m, m))
    for i in range(m):
        for j in range(i):
            won[i, j] = draw.binomial(votes, expit(strength[i] - strength[j]))
            won[j, i] = votes - won[i, j]
    return Pairs.of_counts(won, np.zeros((m, m)))


def others(seed=0, votes=400):
    return bradley_terry(drawn(TRUTH, votes, seed))


def test_it_is_the_largest_penalised_likelihood():
    pairs, towards, apart = drawn(TRUTH[::-1], 6, 1), others(), 0.4

    def loss(r):
        p = expit(np.subtract.outer(r, r))
        return -(pairs.won * np.log(p)).sum() + ((r - towards.strength) ** 2).sum() / (2 * apart**2)

    best = minimize(loss, towards.strength, method="BFGS", options={"gtol": 1e-9}).x
    assert shrunken(pairs, towards, apart).fit.strength == pytest.approx(best - best.mean(), abs=1e-5)


def test_without_votes_it_is_the_others_with_their_covariance_and_more():
    towards = others()
    found = shrunken(Pairs.of_counts(np.zeros((5, 5)), np.zeros((5, 5))), towards, 0.3)
    assert found.fit.strength == pytest.approx(towards.strength)
    assert found.own == pytest.approx(np.zeros(5))
    centred = np.eye(5) - 0.2
    assert found.fit.covariance == pytest.approx(towards.covariance + 0.3**2 * centred)


def test_many_votes_or_a_wide_prior_leave_the_segment_its_own():
    pairs, towards = drawn(TRUTH[::-1], 5000, 2), others()
    alone = bradley_terry(pairs)
    found = shrunken(pairs, towards, 3.0)
    assert found.fit.strength == pytest.approx(alone.strength, abs=2e-3)
    assert found.own.min() > 0.99


def test_the_more_votes_the_more_is_its_own():
    shares = [shrunken(drawn(TRUTH, votes, 3), others(), 0.3).own for votes in (1, 5, 50, 500)]
    assert all((later > earlier).all() for earlier, later in pairwise(shares))


def test_a_model_that_nobody_rates_is_not_rated_here():
    won = np.zeros((6, 6))
    won[:5, :5] = drawn(TRUTH, 50, 4).won
    won[5, 0] = 3  # it never lost
    towards = bradley_terry(Pairs.of_counts(won, np.zeros((6, 6))))
    found = shrunken(Pairs.of_counts(won, np.zeros((6, 6))), towards, 0.3)
    assert np.isnan(found.fit.strength[5])
    assert np.isnan(found.own[5])
    assert not np.isnan(found.fit.strength[:5]).any()


@pytest.mark.parametrize("apart", [0.15, 0.5])
def test_how_far_segments_lie_apart_is_found(apart):
    draw = np.random.default_rng(5)
    towards = others(votes=5000)
    segments = [drawn(TRUTH + draw.normal(0, apart, 5), 60, 100 + k) for k in range(60)]
    assert distance_between(segments, [towards] * 60) == pytest.approx(apart, rel=0.25)


def test_segments_that_do_not_differ_are_not_drawn_apart():
    towards = others(votes=5000)
    segments = [drawn(TRUTH, 60, 200 + k) for k in range(60)]
    assert distance_between(segments, [towards] * 60) < 0.08


@pytest.mark.slow
def test_intervals_cover_what_a_segment_thinks():
    apart, held, total, errors = 0.4, 0, 0, []
    draw = np.random.default_rng(6)
    for k in range(300):
        truth = TRUTH + draw.normal(0, apart, 5)
        truth -= truth.mean()
        found = shrunken(drawn(truth, 8, 300 + k), others(seed=1000 + k, votes=60), apart).fit
        reach = 1.96 * np.sqrt(np.diag(found.covariance))
        held += int((np.abs(found.strength - truth) <= reach).sum())
        total += 5
        errors.append(((found.strength - truth) ** 2).mean())
    # Three standard errors of a share of 1,500, of which the five of a segment hang together a little.
    assert abs(held / total - 0.95) < 0.025
    alone = np.mean([((_alone(k, apart)) ** 2).mean() for k in range(50)])
    assert np.mean(errors) < alone


def _alone(k, apart):
    """The error of a segment's own strengths, where it has any; of none is made 0 here, in its favour."""
    draw = np.random.default_rng(6_000 + k)
    truth = TRUTH + draw.normal(0, apart, 5)
    truth -= truth.mean()
    fit = bradley_terry(drawn(truth, 8, 7_000 + k))
    return np.nan_to_num(fit.strength - truth)


def nothing_rated():
    return bradley_terry(Pairs.of_counts(np.triu(np.ones((5, 5)), 1), np.zeros((5, 5))))


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda fit, pairs: shrunken(pairs, fit, 0.0), "apart must be above 0"),
        (lambda fit, _: shrunken(Pairs.of_counts(np.zeros((2, 2)), np.zeros((2, 2))), fit, 1.0), "2 models"),
        (lambda _, pairs: shrunken(pairs, nothing_rated(), 1.0), "rate no model"),
        (lambda _, __: distance_between([], []), "got 0 and 0"),
    ],
)
def test_what_cannot_be_is_refused(call, says):
    with pytest.raises(ValueError, match=says):
        call(others(), drawn(TRUTH, 5, 7))
