"""Padding, and what is left of it at equal length."""

import numpy as np
import pytest

from bakeoff.arena.simulate.report import simulate
from bakeoff.arena.simulate.scenario import NO_RULES
from bakeoff.arena.simulate.style_hacking import CONTROL, StyleHacking
from bakeoff.arena.simulate.world import World
from tests.arena.simulate.drawing import draws

WORLD = World(models=10, votes=10_000)


@pytest.fixture(scope="module")
def padded():
    """Answers three times as long, on 2,000 votes a model."""
    (played,) = simulate(WORLD, [StyleHacking(times=3.0)], replications=10).played
    return {(line.attacked, line.rules): line for line in played.lines}


def test_padding_lifts_a_model_on_a_board_without_style_control(padded):
    """Answers three times as long are (3 - 1) / (3 + 1) longer on typical lengths, worth .75 of that: .375,
    or 65 points of log-odds, and less of that where ties are half and lengths vary.
    """
    gain = padded[True, NO_RULES].mean.error - padded[False, NO_RULES].mean.error
    assert 40 < gain < 65
    assert padded[True, NO_RULES].mean.holds < 0.2


@pytest.mark.parametrize("attacked", [False, True])
def test_at_equal_length_every_model_has_its_truth(padded, attacked):
    line = padded[attacked, CONTROL]
    assert abs(line.mean.error) < 4 * line.error_se
    assert abs(line.mean.others) < 1
    assert line.mean.holds > 0.6


def test_style_control_widens_intervals_of_honest_boards_little(padded):
    cost = padded[False, CONTROL].mean.width / padded[False, NO_RULES].mean.width
    assert 0.97 < cost < 1.06


def test_only_the_model_that_pads_has_longer_answers():
    scenario = StyleHacking(times=3.0)
    honest, attacked = (scenario.votes(WORLD, draws(), attacked=each) for each in (False, True))
    model = np.stack([honest.model_a, honest.model_b], axis=1)
    ratio = attacked.style[..., 0] / honest.style[..., 0]
    assert ratio[model == 5] == pytest.approx(3.0, rel=0.05)
    assert (ratio[model != 5] == 1).all()


@pytest.mark.parametrize("change", [{"times": 0.0}, {"style": 0.0}])
def test_padding_that_is_none_or_worth_nothing_is_refused(change):
    with pytest.raises(ValueError, match="times must be above 0 and style not 0"):
        StyleHacking(**change)
