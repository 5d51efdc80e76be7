"""Bots that hide among ordinary votes and vote at once."""

from dataclasses import replace

import numpy as np
import pytest

from bakeoff.arena.simulate.machine_pace import HIDDEN, PACE, Paced
from bakeoff.arena.simulate.report import simulate
from bakeoff.arena.simulate.scenario import NO_RULES
from bakeoff.arena.simulate.stuffing import BOTS, QUARANTINE
from bakeoff.arena.simulate.world import World
from tests.arena.simulate.drawing import draws

WORLD = World(models=10, votes=10_000)
SMALLER = replace(HIDDEN, accounts=50)


def _means(scenario):
    (played,) = simulate(WORLD, [scenario], replications=3).played
    return {(line.attacked, line.rules): line.mean for line in played.lines}, played.sentence


def test_a_clock_finds_what_votes_alone_do_not_show():
    found, sentence = _means(Paced(SMALLER))
    assert found[True, NO_RULES].error - found[False, NO_RULES].error > 50
    assert found[True, PACE].caught == 1
    assert found[True, PACE].error == pytest.approx(found[False, PACE].error, abs=1)
    assert found[False, PACE].lost == found[False, QUARANTINE].lost < 0.01
    assert "with pace 100 % of those votes go" in sentence


def test_bots_that_wait_a_second_are_not_found_by_the_clock():
    found, _ = _means(Paced(SMALLER, waits_s=1.0))
    assert found[True, PACE].caught == found[True, QUARANTINE].caught


def test_bots_wait_as_long_as_they_are_said_to_and_people_longer():
    votes = Paced(waits_s=0.2).votes(WORLD, draws(), attacked=True)
    bots = votes.voter >= BOTS
    assert np.median(votes.seconds[bots]) == pytest.approx(0.2, rel=0.03)
    assert (votes.seconds[~bots] < 0.5).mean() < 0.003
    assert not np.isnan(votes.style[..., 0]).any()


@pytest.mark.parametrize("waits", [0.0, -1.0, float("nan"), float("inf")])
def test_a_wait_that_cannot_be_is_refused(waits):
    with pytest.raises(ValueError, match="waits_s must be above 0 and finite"):
        Paced(waits_s=waits)
