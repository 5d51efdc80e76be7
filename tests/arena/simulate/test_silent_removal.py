"""Weak models that vanish."""

import numpy as np
import pytest

from bakeoff.arena.simulate.report import simulate
from bakeoff.arena.simulate.scenario import NO_RULES
from bakeoff.arena.simulate.silent_removal import ANCHOR, KEPT, SilentRemoval
from bakeoff.arena.simulate.world import World, truth

WORLD = World(models=20, votes=10_000)


@pytest.fixture(scope="module")
def half():
    (played,) = simulate(WORLD, [SilentRemoval(share=0.5)], replications=8).played
    return {(line.attacked, line.rules): line for line in played.lines}


def test_what_is_left_looks_better_than_all_that_was_there(half):
    """Of the models 1, 6, 11 and 16 the last two go, and the scale's mean goes up with them."""
    true = truth(WORLD, WORLD.strength)
    kept = np.setdiff1d(np.arange(20), [10, 15])
    expected = true[[0, 5]].mean() - true[kept].mean() + 1000 - true[[0, 5, 10, 15]].mean()
    line = half[True, NO_RULES]
    assert abs(line.mean.error - expected) < 4 * line.error_se
    assert line.mean.holds == 0
    assert line.mean.rank < line.mean.true_rank - 3


def test_all_others_move_without_a_vote_unless_the_scale_is_anchored(half):
    true = truth(WORLD, WORLD.strength)
    shift = 1000 - true[np.setdiff1d(np.arange(20), [10, 15])].mean()
    before = half[False, NO_RULES].mean.others
    assert shift < -3
    assert half[True, NO_RULES].mean.others - before == pytest.approx(shift, abs=1.5)
    assert abs(half[True, ANCHOR].mean.others - before) < abs(shift) / 2


def test_where_rows_stay_the_board_is_the_honest_one(half):
    kept, honest = half[True, KEPT].mean, half[False, NO_RULES].mean
    assert (kept.error, kept.rank, kept.width) == (honest.error, honest.rank, honest.width)
    assert abs(kept.error) < 4 * half[True, KEPT].error_se


@pytest.mark.parametrize("share", [0.0, 1.0, float("nan")])
def test_a_share_that_takes_nothing_or_all_is_refused(share):
    with pytest.raises(ValueError, match="share must lie between 0 and 1"):
        SilentRemoval(share=share)
