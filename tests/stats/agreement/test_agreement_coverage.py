"""How often intervals for agreement at 95 % hold the truth.

Two raters each see the true one of two categories with probability `accuracy`, independently of the other.
"""

import numpy as np
import pytest
from scipy.stats import norm

from bakeoff.stats.agreement.agreement import bennett, fleiss, gwet
from bakeoff.stats.agreement.kappa import cohen
from bakeoff.stats.agreement.krippendorff import krippendorff
from bakeoff.stats.agreement.ratings import table_counts

pytestmark = pytest.mark.slow


def of_table(coefficient, table):
    return cohen(table) if coefficient is cohen else coefficient(table_counts(table))


def cells(share, accuracy):
    seen = np.array([[accuracy, 1 - accuracy], [1 - accuracy, accuracy]])
    return (1 - share) * np.outer(seen[0], seen[0]) + share * np.outer(seen[1], seen[1])


def boards(coefficient, n, share, accuracy):
    """Different tables of n items and how often each came up in 2,000: errors of coverage of .005."""
    drawn = np.random.default_rng(n).multinomial(n, cells(share, accuracy).ravel(), size=2_000)
    if coefficient is not cohen:  # to the others it is one which of the raters said what
        drawn[:, 1] += drawn[:, 2]
        drawn[:, 2] = 0
    tables, copies = np.unique(drawn, axis=0, return_counts=True)
    return [(table.reshape(2, 2), count) for table, count in zip(tables, copies, strict=True)]


def true_value(coefficient, share, accuracy):
    return of_table(coefficient, np.round(cells(share, accuracy) * 100_000)).value


def coverage(coefficient, n, share, accuracy, interval):
    truth, held, defined = true_value(coefficient, share, accuracy), 0, 0
    for table, copies in boards(coefficient, n, share, accuracy):
        found = of_table(coefficient, table)
        if found.interval is not None:
            low, high = interval(found)
            defined += copies
            held += copies * (low <= truth <= high)
    return held / defined


def ours(found):
    return found.interval.low, found.interval.high


def symmetric(found):
    half = norm.ppf(0.975) * found.error
    return found.value - half, found.value + half


@pytest.mark.parametrize("coefficient", [cohen, fleiss, gwet, bennett])
@pytest.mark.parametrize("n", [50, 200])
@pytest.mark.parametrize(
    ("share", "accuracy"), [(0.5, 0.8), (0.5, 0.95), (0.1, 0.8), (0.1, 0.95), (0.1, 0.99)]
)
def test_the_interval_covers_the_coefficient(coefficient, n, share, accuracy):
    assert coverage(coefficient, n, share, accuracy, ours) > 0.92


# With one in ten of the rare category, 20 items hold two of it: too few for any kappa.
@pytest.mark.parametrize("coefficient", [cohen, fleiss])
def test_kappas_of_few_items_with_a_rare_category_are_covered_too_seldom(coefficient):
    assert 0.82 < coverage(coefficient, 20, 0.1, 0.95, ours) < 0.95


# Wald's interval, as most software has it.
@pytest.mark.parametrize("coefficient", [cohen, gwet])
def test_plus_or_minus_two_errors_does_not_cover_where_raters_agree_on_nearly_all(coefficient):
    assert coverage(coefficient, 50, 0.5, 0.95, symmetric) < 0.925
    assert coverage(coefficient, 50, 0.5, 0.95, ours) > 0.94


@pytest.mark.parametrize(("n", "share", "accuracy"), [(50, 0.5, 0.8), (50, 0.1, 0.95), (200, 0.5, 0.95)])
def test_the_bootstrap_covers_alpha(n, share, accuracy):
    truth, held = true_value(fleiss, share, accuracy), []
    random = np.random.default_rng(0)
    for board in range(500):
        verdicts = random.choice(4, size=n, p=cells(share, accuracy).ravel())
        found = krippendorff(np.column_stack([verdicts // 2, verdicts % 2]), draws=400, seed=board)
        if found.interval is not None:
            held.append(found.interval.low <= truth <= found.interval.high)
    assert np.mean(held) > 0.90
