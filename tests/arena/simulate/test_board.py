"""What a board shows of models whose truth is known."""

from math import isnan

import numpy as np
import pytest
from scipy.stats import rankdata

from bakeoff.arena.simulate.board import ranks, rating, seen
from bakeoff.arena.simulate.silent_removal import SilentRemoval
from bakeoff.arena.simulate.world import World, truth
from bakeoff.arena.votes.rating import rated_battles
from bakeoff.stats.ratings import Anchor, bradley_terry, pairs_of, rank_ranges, score_intervals, scores
from tests.arena.simulate.drawing import draws

WORLD = World(models=10, votes=3_000)


@pytest.fixture(scope="module")
def fit():
    return rating(SilentRemoval().votes(WORLD, draws()))


def test_one_models_error_rank_and_interval_are_those_of_its_row(fit):
    true = truth(WORLD, WORLD.strength)
    for model, interval in enumerate(score_intervals(fit)):
        shown = seen(fit, true, model)
        assert shown.error == pytest.approx(scores(fit)[model] - true[model])
        assert (shown.rank, shown.true_rank) == (rankdata(-scores(fit), "min")[model], model + 1)
        assert shown.width == pytest.approx(interval.high - interval.low)
        assert shown.holds == (interval.low <= true[model] <= interval.high)


def test_the_mean_of_all_models_but_one_is_known_as_well_as_that_one_as_the_scale_is_centred(fit):
    true = truth(WORLD, WORLD.strength)
    nine, last = seen(fit, true, np.arange(9)), seen(fit, true, 9)
    assert (-9 * nine.error, 9 * nine.width) == pytest.approx((last.error, last.width))
    assert (nine.true_rank, nine.others, nine.others_width) == pytest.approx((5, last.error, last.width))


def test_points_that_are_cut_are_missing_from_the_score_and_not_from_the_interval(fit):
    true = truth(WORLD, WORLD.strength)
    plain, cut = seen(fit, true, 4), seen(fit, true, 4, cut=100.0)
    assert cut.error == pytest.approx(plain.error - 100)
    assert (cut.width, cut.others) == (plain.width, plain.others)
    assert cut.rank > plain.rank


def test_an_anchor_moves_all_scores_alike(fit):
    true = truth(WORLD, WORLD.strength)
    plain = seen(fit, true, 4)
    moved = seen(fit, true, 4, anchor=Anchor(0, float(scores(fit)[0]) + 7))
    assert (moved.error, moved.others) == (pytest.approx(plain.error + 7), pytest.approx(plain.others + 7))
    assert (moved.rank, moved.width) == (plain.rank, plain.width)


@pytest.mark.parametrize("off", [0, 60])
def test_the_range_of_ranks_holds_the_truth_if_the_true_rank_is_in_it(fit, off):
    true = truth(WORLD, WORLD.strength)
    true[4] += off
    found = rank_ranges(fit, draws=1_000)[4]
    expected = found.low <= rankdata(-true, "min")[4] <= found.high
    assert seen(fit, true, 4).range_holds == expected == (off == 0)


def test_of_a_model_that_votes_cannot_rate_nothing_is_shown():
    votes = SilentRemoval().votes(WORLD, draws())
    undefeated = votes.where(
        ((votes.model_a != 3) | (votes.outcome == 0)) & ((votes.model_b != 3) | (votes.outcome == 1))
    )
    shown = seen(rating(undefeated), truth(WORLD, WORLD.strength), 3)
    assert all(isnan(value) for value in (shown.error, shown.rank, shown.holds, shown.width))


def test_a_board_of_listed_models_has_no_votes_on_others():
    votes = SilentRemoval().votes(WORLD, draws())
    listed = np.arange(10) < 6
    among = votes.where((votes.model_a < 6) & (votes.model_b < 6))
    assert scores(rating(votes, listed)) == pytest.approx(scores(rating(among)), nan_ok=True)


def test_ranks_are_those_of_standard_competition_and_leave_out_what_has_no_score():
    score = np.array([10.0, 30.0, np.nan, 30.0, 20.0])
    assert ranks(score)[[0, 1, 3, 4]].tolist() == [4, 1, 1, 3]


@pytest.mark.slow
def test_intervals_of_honest_worlds_hold_the_truth_as_often_as_they_say_although_voters_return():
    """200 worlds of 10 models, where 150 people cast 3,000 votes and the busiest of them one in fifteen.

    Of 2,000 intervals at 95 % the standard error of the share is .5 points if all were independent; 2 points
    leave room for those of one world. Without regard to voters it is below that.
    """
    world = World(models=10, votes=3_000, taste=60.0)
    true = truth(world, world.strength)
    hits, bare, ranges = [], [], []
    for replication in range(200):
        votes = SilentRemoval().votes(world, draws("coverage", replication))
        fit = rating(votes)
        alone = bradley_terry(pairs_of(rated_battles(votes)))
        hits += [each.low <= t <= each.high for each, t in zip(score_intervals(fit), true, strict=True)]
        bare += [each.low <= t <= each.high for each, t in zip(score_intervals(alone), true, strict=True)]
        found = rank_ranges(fit, draws=200)
        ranges.append(all(each.low <= 1 + place <= each.high for place, each in enumerate(found)))
    assert np.mean(hits) == pytest.approx(0.95, abs=0.02)
    assert np.mean(bare) < 0.92
    assert np.mean(ranges) >= 0.95
