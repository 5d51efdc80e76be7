"""Fans who ask who answers."""

import numpy as np
import pytest

from bakeoff.arena.moderation.probing import TAG
from bakeoff.arena.simulate.identity_probing import TAGGED, IdentityProbing
from bakeoff.arena.simulate.report import simulate
from bakeoff.arena.simulate.scenario import NO_RULES
from bakeoff.arena.simulate.world import World
from tests.arena.simulate.drawing import draws

WORLD = World(models=10, votes=10_000)


def _means(**changes):
    (played,) = simulate(WORLD, [IdentityProbing(fans=50, **changes)], replications=4).played
    return {(line.attacked, line.rules): line.mean for line in played.lines}


def _moved(found, rules):
    return found[True, rules].error - found[False, rules].error


def test_what_names_are_worth_falls_with_those_that_get_through_and_are_not_tagged():
    open_, black = _means(named=1.0), _means(named=0.2)
    assert _moved(open_, NO_RULES) > 100
    assert 10 < _moved(black, NO_RULES) < 0.4 * _moved(open_, NO_RULES)
    assert 0 < _moved(black, TAGGED) < 0.8 * _moved(black, NO_RULES)
    assert black[True, TAGGED].caught == pytest.approx(0.5, abs=0.1)


def test_where_every_question_is_tagged_nothing_is_left_and_curious_people_lose_theirs():
    found = _means(named=1.0, tagged=1.0, curious=0.05)
    assert found[True, TAGGED].caught == 1
    assert found[True, TAGGED].error == found[False, TAGGED].error
    assert found[False, TAGGED].lost == pytest.approx(0.05, abs=0.01)


def test_fans_meet_their_model_and_vote_for_it_where_it_is_named():
    scenario = IdentityProbing(named=0.4)
    votes, by_name = scenario.votes(WORLD, draws(), attacked=True)
    model, fans = scenario.model(WORLD), np.arange(len(votes)) >= WORLD.votes
    assert ((votes.model_a == model) | (votes.model_b == model))[fans].all()
    assert not by_name[~fans].any()
    assert by_name[fans].mean() == pytest.approx(0.4, abs=0.03)
    assert (votes.outcome == np.where(votes.model_a == model, 0, 1))[by_name].all()
    assert votes.tagged(TAG)[fans].mean() == pytest.approx(0.5, abs=0.03)
    assert votes.tagged(TAG)[~fans].mean() == pytest.approx(0.02, abs=0.005)


@pytest.mark.parametrize(
    "change", [{"fans": 0}, {"each": 0}, {"named": 1.1}, {"tagged": -0.1}, {"curious": 2}]
)
def test_what_cannot_be_is_refused_by_its_name(change):
    with pytest.raises(ValueError, match=next(iter(change))):
        IdentityProbing(**change)
