"""Probabilities that mean what they say, and others, and what a line through their logits mends."""

import numpy as np
import pytest

from bakeoff.classification.calibration import calibration, moved_by_others
from bakeoff.stats.confidence.brier import brier
from bakeoff.stats.confidence.logistic import fit_line
from bakeoff.stats.confidence.reliability import ece


def drawn(seed, n=1000):
    random = np.random.default_rng(seed)
    scores = random.beta(1, 8, n)
    return scores, (random.random(n) < scores).astype(int), np.arange(n) % 10


def test_drawn_by_their_own_probabilities_they_are_believable_and_sharpened_not():
    believed = sharpened = mended = 0
    for seed in range(8):
        scores, positive, fold_of = drawn(seed)
        believed += calibration(scores, positive, fold_of).believable
        found = calibration(scores**3, positive, fold_of)
        sharpened += found.believable
        mended += found.fits[-1].believable
    assert believed >= 5  # 7.6 are expected
    assert sharpened == 0
    assert mended >= 5


def test_the_figures_by_hand():
    scores, positive = np.array([0.1, 0.1, 0.9, 0.9]), np.array([0, 1, 1, 1])
    found = calibration(scores, positive, np.array([0, 0, 0, 0]))
    (fit,) = found.fits  # one fold leaves nothing to fit on
    assert (fit.kind, fit.mean, found.share, found.items) == ("as given", pytest.approx(0.5), 0.75, 4)
    assert fit.brier == pytest.approx((0.01 + 0.81 + 0.01 + 0.01) / 4)
    assert fit.ece == pytest.approx((2 * 0.4 + 2 * 0.1) / 4)
    assert fit.brier_interval.low <= fit.brier <= fit.brier_interval.high


def test_each_fold_is_moved_by_the_line_of_the_others():
    scores, positive, fold_of = drawn(3, 200)
    moved = moved_by_others(scores, positive, fold_of)
    for fold in range(10):
        inside = fold_of == fold
        line = fit_line(scores[~inside], positive[~inside])
        assert (moved[inside] == line(scores[inside])).all()


def test_an_items_own_label_does_not_move_its_probability():
    scores, positive, fold_of = drawn(4, 200)
    before = moved_by_others(scores, positive, fold_of)
    flipped = positive.copy()
    flipped[17] = 1 - flipped[17]
    assert moved_by_others(scores, flipped, fold_of)[17] == before[17]


def test_answers_to_one_item_widen_the_intervals():
    scores, positive, fold_of = drawn(5, 200)
    alone = calibration(scores, positive, fold_of).fits[0]
    five = [np.repeat(each, 5) for each in (scores, positive, fold_of, np.arange(200))]
    again = calibration(*five).fits[0]
    naive = calibration(*five[:3]).fits[0]
    assert again.brier == pytest.approx(alone.brier)
    width = [each.brier_interval.high - each.brier_interval.low for each in (alone, again, naive)]
    # Wilson's limits on as many items as the groups are worth are, if anything, too wide for partial scores.
    assert width[0] * 0.95 < width[1] < width[0] * 1.5
    assert width[2] < 0.6 * width[1]


@pytest.mark.slow
def test_the_interval_of_the_brier_score_covers_and_that_of_the_error_nearly():
    """Truths by drawing: the error of the bins of a million."""
    scores, positive, _ = drawn(6, 1_000_000)
    truth = brier(scores**2, positive), ece(scores**2, positive)
    found = [0, 0]
    for seed in range(100):
        part, labels, _ = drawn(seed + 100, 500)
        fit = calibration(part**2, labels, np.zeros(500, dtype=int)).fits[0]
        for place, interval in enumerate((fit.brier_interval, fit.ece_interval)):
            found[place] += interval.low <= truth[place] <= interval.high
    assert found[0] >= 89  # fewer than 89 of 95 expected: one time in two hundred
    assert found[1] >= 80
