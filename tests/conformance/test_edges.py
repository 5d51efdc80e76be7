"""What leaderboards meet every day and most packages get wrong.

A number without a width, a p of 1 for a landslide, a score where nothing was compared: each was seen to fail
somewhere, and has a clear answer here.
"""

from math import isnan

import numpy as np
import pytest

from bakeoff.stats.board.winrate import mean_win_rate
from bakeoff.stats.confidence.auroc import auroc
from bakeoff.stats.confidence.reliability import ece, null_ece
from bakeoff.stats.many.covariance import mean_covariance
from bakeoff.stats.many.ranks import rank_sets
from bakeoff.stats.mean.clustered import cluster_se, clustered, clustered_difference
from bakeoff.stats.mean.passk import pass_at_k, pass_hat_k
from bakeoff.stats.mean.proportion import clopper_pearson, jeffreys, mid_p, wilson
from bakeoff.stats.mean.repeats import sampling_split
from bakeoff.stats.pair.paired import mcnemar_exact, mcnemar_midp, tango

Z2 = 1.959963984540054**2
INTERVALS = [wilson, clopper_pearson, mid_p, jeffreys]


def test_100_of_100_leaves_room_below_and_0_of_10_above():
    assert wilson(0, 10).high == pytest.approx(0.2775, abs=5e-5)
    for interval in INTERVALS:
        assert interval(100, 100).low < 1
        assert interval(0, 10).high > 0


@pytest.mark.parametrize("interval", INTERVALS)
def test_no_items_and_more_right_than_asked_are_errors(interval):
    with pytest.raises(ValueError, match="n=0"):
        interval(0, 0)
    with pytest.raises(ValueError, match="11"):
        interval(11, 10)


def test_right_everywhere_against_wrong_everywhere_is_a_landslide_with_a_finite_interval():
    assert mcnemar_exact(10, 0) == pytest.approx(0.00195, abs=5e-6)
    assert mcnemar_midp(10, 0) < 0.05
    interval = tango(10, 0, 10)
    assert 0 < interval.low < interval.high == 1
    assert rank_sets([1.0, 0.0], mean_covariance([[1.0] * 10, [0.0] * 10]), df=9)[0].high == 1


def test_identical_models_are_not_certain_to_be_equal():
    assert mcnemar_midp(0, 0) == mcnemar_exact(0, 0) == 1
    for n in (1, 10, 1000):
        interval = tango(0, 0, n)
        assert (interval.low, interval.high) == pytest.approx((-Z2 / (n + Z2), Z2 / (n + Z2)))
    twice = np.array([[1.0, 0, 1, 0, 1]] * 2)
    sets = rank_sets(twice.mean(axis=1), mean_covariance(twice))
    assert {(each.low, each.high) for each in sets} == {(1, 2)}


def test_one_group_is_not_estimable_and_balanced_groups_are_not_certain():
    assert clustered([1, 0, 1], ["a"] * 3) is None
    assert clustered_difference([1, 0, 1], ["a"] * 3) is None
    assert cluster_se([1, 0, 1], ["a"] * 3) is None
    assert mean_covariance([[1, 0, 1], [0, 0, 1]], ["a"] * 3) is None
    # Right once and wrong once in each group: between groups there is no variance at all.
    assert cluster_se([1, 0] * 3, ["a", "a", "b", "b", "c", "c"]) > 0.2


def test_pass_at_k_of_fewer_than_k_answers_is_unknown():
    assert pass_at_k(4, 4, 5) is None
    assert pass_hat_k(4, 4, 5) is None


def test_an_undefeated_model_and_models_that_never_met_have_a_status():
    assert mean_win_rate([[0.9, 0.8], [0.5, 0.1]]) == (1.0, 0.0)
    nan = float("nan")
    with pytest.raises(ValueError, match="share no task"):
        mean_win_rate([[0.9, nan], [0.1, nan], [nan, 0.9], [nan, 0.1]])


def test_more_repeats_do_not_move_the_variance_between_items():
    rng = np.random.default_rng(0)
    truth = rng.random(4000)
    between = [sampling_split(rng.random((4000, k)) < truth[:, None]).between for k in (2, 5, 20)]
    assert between == pytest.approx([1 / 12] * 3, abs=0.01)


def test_confidence_of_a_model_that_is_always_right_cannot_be_ranked():
    assert auroc([0.5, 0.9], [1, 1]) is None
    # A calibrated model shows an error of calibration, too: the number is printed beside it.
    confidence = np.random.default_rng(1).uniform(0.4, 1, 100)
    assert null_ece(confidence).mean > 0.05
    assert not isnan(ece(confidence, np.ones(100)))
