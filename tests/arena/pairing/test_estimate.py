"""Strengths for the choice of pairs."""

import numpy as np
import pytest

from bakeoff.arena.pairing.estimate import estimate
from bakeoff.arena.pairing.knowledge import know
from bakeoff.stats.ratings import bradley_terry
from bakeoff.stats.ratings.bradley_terry import win_probability
from tests.arena.pairing.making import counts, told


def test_without_votes_all_that_is_known_is_the_prior():
    found = estimate(know(counts([]), ["a", "b", "c"]), 0.7)
    assert found.strength == pytest.approx([0, 0, 0])
    assert found.covariance == pytest.approx(0.49 * np.eye(3))
    assert found.information == pytest.approx(0.25 * np.ones((3, 3)))


def test_an_undefeated_model_and_one_that_met_nobody_else_are_finite():
    known = told([("a", "b", 9, 0, 0), ("c", "d", 0, 4, 1)])
    found = estimate(known, 1.0)
    assert np.isfinite(found.strength).all()
    # Where the posterior is highest, what was scored less what was expected is what the prior pulls back.
    expected = known.pairs.battles * win_probability(found.strength)
    pull = known.pairs.points.sum(axis=1) - expected.sum(axis=1)
    assert found.strength == pytest.approx(pull, abs=1e-3)
    assert found.strength[0] == pytest.approx(-found.strength[1], abs=1e-3)


def test_with_many_votes_it_is_the_boards_own_estimate():
    rows = [("a", "b", 6_000, 4_000, 900), ("b", "c", 7_000, 3_000, 50), ("a", "c", 8_000, 2_000, 0)]
    known = told(rows)
    found, fit = estimate(known, 1.0), bradley_terry(known.pairs)
    assert found.strength == pytest.approx(fit.strength, abs=2e-3)
    centred = found.covariance - 1 / 3  # a common shift keeps the prior's variance, 1 / 3 of 1
    assert centred == pytest.approx(fit.covariance, abs=2e-5)


def test_a_model_that_left_still_tells_of_those_who_met_it():
    shown = ["a", "b"]
    without = estimate(know(counts([]), shown), 1.0)
    found = estimate(know(counts([("a", "old", 90, 10, 0), ("b", "old", 10, 90, 0)]), shown), 1.0)
    assert len(found.strength) == 2
    assert found.strength[0] - found.strength[1] > 2
    assert (np.diag(found.covariance) < np.diag(without.covariance)).all()
