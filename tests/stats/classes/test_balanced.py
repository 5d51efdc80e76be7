"""Balanced accuracy and how often its interval covers."""

import numpy as np
import pytest
from scipy.stats import binom

from bakeoff.stats.classes.balanced import balanced_accuracy
from bakeoff.stats.classes.share import Rate
from bakeoff.stats.mean.proportion import clopper_pearson


def balanced(tp, positives, tn, negatives):
    return balanced_accuracy(rate(tp, positives), rate(tn, negatives))


def rate(count, of):
    return Rate(count / of, clopper_pearson(count, of), count, of) if of else None


def test_it_is_the_mean_of_the_two_rates_whatever_their_numbers():
    assert balanced(3, 4, 50, 100).value == pytest.approx((0.75 + 0.5) / 2)
    assert balanced(0, 4, 100, 100).value == 0.5  # flagging nothing
    assert balanced(4, 4, 0, 100).value == 0.5  # flagging everything


def test_it_is_symmetric_and_its_interval_never_collapses():
    found, turned = balanced(5, 5, 40, 50), balanced(40, 50, 5, 5)
    assert (found.interval.low, found.interval.high) == (turned.interval.low, turned.interval.high)
    perfect = balanced(5, 5, 100, 100).interval
    assert perfect.low < 0.75 < 1 == perfect.high
    assert balanced(0, 5, 0, 100).interval.low == 0


@pytest.mark.parametrize(("positives", "negatives"), [(3, 30), (5, 100), (10, 50), (20, 20)])
def test_the_interval_covers_as_often_as_it_says(positives, negatives):
    """Enumerated: the chance of each pair of counts, and whether its interval has the truth."""
    found = [rate(a, positives) for a in range(positives + 1)]
    left = [rate(b, negatives) for b in range(negatives + 1)]
    counts = [[balanced_accuracy(a, b).interval for b in left] for a in found]
    low = np.array([[each.low for each in row] for row in counts])
    high = np.array([[each.high for each in row] for row in counts])
    for recall in (0.05, 0.3, 0.5, 0.8, 0.95, 0.99):
        for specificity in (0.5, 0.8, 0.95, 0.99):
            chance = np.outer(
                binom.pmf(range(positives + 1), positives, recall),
                binom.pmf(range(negatives + 1), negatives, specificity),
            )
            truth = (recall + specificity) / 2
            assert chance[(low <= truth) & (truth <= high)].sum() >= 0.95


def test_without_one_kind_there_is_none():
    assert balanced(0, 0, 3, 4) is None
    assert balanced(2, 3, 0, 0) is None
