"""The best of many variants, and what haircut and fresh votes leave of the choice."""

import numpy as np
import pytest

from bakeoff.arena.policy.best_of import expected_maximum
from bakeoff.arena.simulate.best_of import CAP, FRESH, HAIRCUT, BestOf
from bakeoff.arena.simulate.report import simulate
from bakeoff.arena.simulate.scenario import NO_RULES
from bakeoff.arena.simulate.world import World
from tests.arena.simulate.drawing import draws

SURELY = 4.0
"""So many Monte Carlo standard errors are allowed."""


def _lines(world, scenario, replications):
    (played,) = simulate(world, [scenario], replications=replications, seed=7).played
    return {(line.attacked, line.rules): line for line in played.lines}


@pytest.fixture(scope="module")
def twenty():
    return _lines(World(taste=0.0), BestOf(variants=20, each=1_000), 24)


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "of"), [(NO_RULES, 20), (CAP, 3)])
def test_the_best_of_n_looks_better_by_its_standard_error_times_the_expected_maximum(twenty, rules, of):
    """On a public board of 1.67 million votes the standard error was 295 points by the root of the votes, 279
    to 320 for nine in ten models: 17.4 points at the best of 20 with 1,000 votes each, 7.9 of three.
    """
    line = twenty[True, rules]
    expected = 295 / 1_000**0.5 * expected_maximum(of)
    assert expected == pytest.approx({20: 17.4, 3: 7.9}[of], abs=0.05)
    assert abs(line.mean.error - expected) < SURELY * line.error_se + 0.07 * expected
    assert line.mean.error > SURELY / 2 * line.error_se


@pytest.mark.slow
@pytest.mark.parametrize("rules", [HAIRCUT, FRESH])
def test_with_haircut_or_fresh_votes_nothing_of_the_choice_is_left(twenty, rules):
    line = twenty[True, rules]
    assert abs(line.mean.error) < SURELY * line.error_se
    assert line.mean.holds > twenty[True, NO_RULES].mean.holds


@pytest.mark.slow
def test_one_who_tests_one_loses_nothing_by_the_haircut(twenty):
    honest, bare = twenty[False, HAIRCUT], twenty[False, NO_RULES]
    assert (honest.mean.error, honest.mean.width) == (bare.mean.error, bare.mean.width)
    assert abs(honest.mean.error) < SURELY * honest.error_se


@pytest.mark.slow
def test_fresh_votes_of_the_same_people_keep_what_they_like_about_the_choice():
    """Tastes of 150 points, by which voters chose: they choose by them again, other people do not."""
    world = World(models=10, votes=4_000, taste=150.0)
    again = _lines(world, BestOf(returning=True), 12)[True, FRESH]
    others = _lines(world, BestOf(), 12)[True, FRESH]
    assert again.mean.error > 3 * again.error_se
    assert abs(others.mean.error) < SURELY * others.error_se


def test_each_variant_has_its_votes_against_public_models_alone():
    world = World(models=10, votes=1_000)
    votes = BestOf(variants=4, each=150).votes(world, draws())
    variants = np.maximum(votes.model_a, votes.model_b)
    assert np.bincount(variants, minlength=14)[10:].tolist() == [150] * 4
    assert np.minimum(votes.model_a, votes.model_b).max() < 10
    assert len(votes) == 1_600
    assert (votes.gold < 0).all()


def test_people_who_vote_after_the_release_are_others_unless_they_return():
    world = World(models=10, votes=1_000)
    before = set(BestOf().votes(world, draws()).voter.tolist())
    for returning in (False, True):
        after = set(BestOf(returning=returning).later(world, draws(), 12).voter.tolist())
        assert bool(before & after) == returning


@pytest.mark.parametrize("change", [{"variants": 0}, {"each": 99}, {"fresh": 0}])
def test_a_test_of_nothing_is_refused(change):
    (name,) = change
    with pytest.raises(ValueError, match=f"{name} must be"):
        BestOf(**change)
