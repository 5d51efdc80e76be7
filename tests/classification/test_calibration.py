"""Probabilities that mean what they say, and others."""

import numpy as np
import pytest

from bakeoff.classification.calibration import calibration


def test_drawn_by_their_own_probabilities_they_are_believable_and_sharpened_not():
    random, believed, sharpened = np.random.default_rng(0), 0, 0
    for _ in range(40):
        scores = random.beta(1, 8, 1000)
        positive = (random.random(1000) < scores).astype(int)
        believed += calibration(scores, positive).believable
        sharpened += calibration(scores**3, positive).believable
    assert believed >= 34  # 38 are expected
    assert sharpened == 0


def test_the_figures_by_hand():
    found = calibration(np.array([0.1, 0.1, 0.9, 0.9]), np.array([0, 1, 1, 1]))
    assert (found.mean, found.share) == (pytest.approx(0.5), 0.75)
    assert found.brier == pytest.approx((0.01 + 0.81 + 0.01 + 0.01) / 4)
    assert found.ece == pytest.approx((2 * 0.4 + 2 * 0.1) / 4)
