"""What rules of pairing do to a board, on votes whose truth is known."""

import numpy as np
import pytest
from benchmarks.arena_pairing import RULES, covered, known_after, play, widths

from bakeoff.arena.pairing.settings import PairingSettings
from bakeoff.arena.simulate.world import World
from bakeoff.stats.ratings.scale import POINTS

REPEATS = 80


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_intervals_hold_though_votes_decide_which_pairs_are_shown(rule):
    strength = World(models=10, spread=200.0).strength
    plain, inverse = covered(rule, strength, 1000 + POINTS * strength, 500, REPEATS, ties=0.0)
    # Ten scores of a board are not independent: twice the error that they would have if they were.
    error = 2 * (0.95 * 0.05 / (10 * REPEATS)) ** 0.5
    assert plain[0] == pytest.approx(0.95, abs=2.5 * error)
    assert inverse[0] == pytest.approx(0.95, abs=3.5 * error)
    assert abs(plain[2]) < 0.15 * plain[1]


def test_a_newcomer_is_known_sooner_where_it_is_owed_a_share_or_the_rule_sees_how_little_is_known():
    strength = World(models=20).strength
    plans = {
        "alike": PairingSettings(rule="uniform@1", newcomer_votes=0),
        "owed": PairingSettings(rule="uniform@1", newcomer_votes=200, newcomer_share=2.0),
        "active": PairingSettings(newcomer_votes=0),
    }
    votes = {
        name: np.mean([known_after(strength, plan, seed)[0] for seed in range(2)])
        for name, plan in plans.items()
    }
    assert votes["owed"] < 0.7 * votes["alike"]
    assert votes["active"] < 0.7 * votes["alike"]


def test_the_win_matrix_rule_makes_intervals_of_pairs_narrower_on_average_and_at_most():
    strength = World(models=12).strength

    def mean_widths(rule):
        games = [
            list(play(strength, PairingSettings(rule=rule), 2_000, np.random.default_rng(seed)))[-1]
            for seed in range(3)
        ]
        return np.mean([widths(game, strength) for game in games], axis=0)

    alike, found = mean_widths("uniform@1"), mean_widths("win-matrix@1")
    assert found[1] < 0.99 * alike[1]
    assert found[2] < 0.95 * alike[2]
