"""What is planted."""

from dataclasses import replace
from math import atanh

import numpy as np
import pytest

from bakeoff.arena.simulate.crowd import cast, crowd, shown
from bakeoff.arena.simulate.world import World, chances, truth
from bakeoff.arena.votes.rating import rated_battles
from bakeoff.errors import BakeoffError
from bakeoff.stats.ratings import bradley_terry, pairs_of, scores, with_ties
from bakeoff.stats.ratings.scale import POINTS, standard_errors
from tests.arena.simulate.drawing import draws

MANY = World(models=10, votes=400_000, per_voter=2.0, zipf=0.0, gold=0.0)


def _votes(world):
    rng = draws()("people")
    people = crowd(world, rng, world.models)
    return cast(world, people, rng, world.strength, *shown(rng, world.votes, np.ones(world.models)))


def test_endless_votes_by_people_of_different_tastes_put_models_where_truth_says():
    fit = bradley_terry(pairs_of(rated_battles(_votes(MANY))))
    off = (scores(fit) - truth(MANY, MANY.strength)) / standard_errors(fit)
    assert np.abs(off).max() < 4


def test_truth_is_nearer_together_than_the_strengths_because_of_ties_and_tastes():
    true = truth(MANY, MANY.strength)
    strength = 1000 + POINTS * MANY.strength
    assert 0.85 < (true[0] - true[-1]) / (strength[0] - strength[-1]) < 0.95


def test_truth_without_ties_and_tastes_is_the_strengths():
    world = World(ties=0.01, taste=0.0)
    assert truth(world, world.strength) == pytest.approx(1000 + POINTS * world.strength, abs=0.1)


def test_ties_are_those_of_rao_and_kupper_as_the_rating_with_ties_has_them():
    world = replace(MANY, taste=0.0)
    fit = with_ties(pairs_of(rated_battles(_votes(world))), "rao-kupper")
    assert abs(fit.tie - 2 * atanh(world.ties)) < 4 * fit.tie_se
    off = (fit.fit.strength - world.strength) * POINTS / standard_errors(fit.fit)
    assert np.abs(off).max() < 4
    z = np.linspace(-3, 3, 7)
    planted = replace(fit, tie=2 * atanh(world.ties)).probabilities(z)
    win, loss = chances(world, z)
    assert np.stack([win, 1 - win - loss]) == pytest.approx(planted, abs=1e-12)


@pytest.mark.parametrize("ties", [0.1, 0.27, 0.6])
def test_two_equal_models_tie_as_often_as_the_world_says(ties):
    win, loss = chances(World(ties=ties), np.zeros(1))
    assert (win[0], 1 - win[0] - loss[0]) == pytest.approx((loss[0], ties))


def test_strengths_have_the_spread_of_the_world_and_the_strongest_comes_first():
    world = World(models=1_000, votes=20_000, spread=90.0)
    assert POINTS * world.strength.std() == pytest.approx(90.0, rel=0.01)
    assert (np.diff(world.strength) < 0).all()
    assert world.strength.mean() == pytest.approx(0, abs=1e-12)


def test_providers_take_models_in_turn():
    world = World(models=10, providers=3)
    assert world.provider[:4] == ("provider 1", "provider 2", "provider 3", "provider 1")
    assert [world.provider[model] for model in world.of_provider(2)] == ["provider 3"] * 3


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("models", 9),
        ("models", 1_001),
        ("votes", 199),
        ("providers", 1),
        ("spread", 0.0),
        ("spread", float("nan")),
        ("ties", 0.0),
        ("ties", 1.0),
        ("per_voter", 0.5),
        ("zipf", -0.1),
        ("taste", -1.0),
        ("gold", 0.9),
        ("care", 0.2),
        ("days", 0),
        ("style", float("inf")),
        ("confounding", 4.0),
        ("lengths", -0.5),
    ],
)
def test_a_world_that_cannot_be_is_refused_by_the_name_of_what_is_wrong(name, value):
    with pytest.raises(BakeoffError, match=f"^{name} of a simulated arena must lie between .* got"):
        World(**{name: value})


def test_a_world_with_too_few_votes_or_models_for_what_it_is_asked_is_refused():
    with pytest.raises(
        BakeoffError, match="votes of a simulated arena must be 20 for each of its 100 models"
    ):
        World(models=100, votes=1_999)
    with pytest.raises(BakeoffError, match="each of 6 providers needs two models, and there are 11"):
        World(models=11, providers=6)
