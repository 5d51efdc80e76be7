"""Other implementations on data made by rule: ppi_py 0.2.3, krippendorff 0.9.0, irrCAC 0.4.4.

None of them is installed here: irrCAC pins a SciPy of 2024, ppi_py brings a compiler.
"""

import numpy as np
import pytest

from bakeoff.stats.agreement.agreement import bennett, fleiss, gwet
from bakeoff.stats.agreement.kappa import cohen, conger
from bakeoff.stats.agreement.krippendorff import krippendorff
from bakeoff.stats.agreement.ratings import cross_table, rating_counts
from bakeoff.stats.classes.ppi import ppi_mean


def judged(kind):
    """80 labels with their verdicts, and 300 verdicts more."""
    item = np.arange(380)
    label = ((item * 37) % 101) / 100
    verdict = 0.7 * label + 0.3 * ((item * 53) % 97) / 96
    if kind == "right or wrong":
        label = (label < 0.65).astype(float)
        verdict = np.where((item * 29) % 31 < 4, 1 - label, label)
    return label[:80], verdict[:80], verdict[80:]


def ratings():
    """60 items by three raters on four categories, some missing."""
    k = np.arange(60)
    first = (k * 7) % 11 % 4
    second = np.where((k * 5) % 13 < 4, (first + 1) % 4, first)
    third = np.where((k * 3) % 17 < 5, (first + 2) % 4, first)
    table = np.stack([first, second, third], axis=1).astype(float)
    table[k % 9 == 0, 2] = np.nan
    table[k % 14 == 3, 1] = np.nan
    return table


# ppi_py divides by n where we divide by n - 1; with weight None it pools otherwise and does not cut at 1.
@pytest.mark.parametrize(
    ("kind", "weight", "value", "error"),
    [
        ("graded", 1, 0.50389, 0.01832809),
        ("graded", None, 0.50386105, 0.01830757),
        ("right or wrong", 1, 0.64083333, 0.04998912),
        ("right or wrong", None, 0.63933587, 0.04164562),
    ],
)
def test_ppi_is_that_of_ppi_py(kind, weight, value, error):
    found = ppi_mean(*judged(kind), weight=weight)
    assert found.value == pytest.approx(value, abs=1e-8 if weight else 4e-5)
    assert found.error == pytest.approx(error, rel=1 / 80)
    if weight:
        labels, verdicts, others = judged(kind)
        theirs = (labels - verdicts).var() / 80 + others.var() / 300
        assert theirs**0.5 == pytest.approx(error, abs=1e-8)


@pytest.mark.parametrize(
    ("metric", "alpha"),
    [
        ("nominal", 0.4898684336886584),
        ("ordinal", 0.5330230504114442),
        ("interval", 0.52583082498925),
        ("ratio", 0.6209905184821785),
    ],
)
def test_alpha_is_that_of_krippendorff(metric, alpha):
    table = ratings() + (metric == "ratio")
    assert krippendorff(table, metric, draws=20).value == pytest.approx(alpha, abs=1e-12)


@pytest.mark.parametrize(
    ("coefficient", "value", "error"),
    [
        (lambda table: gwet(rating_counts(table)), 0.50347, 0.06738),
        (lambda table: fleiss(rating_counts(table)), 0.50088, 0.06534),
        (lambda table: bennett(rating_counts(table)), 0.50282, 0.06684),
        (conger, 0.50119, 0.06565),
    ],
    ids=["gwet", "fleiss", "bennett", "conger"],
)
def test_coefficients_and_standard_errors_are_those_of_irrcac(coefficient, value, error):
    found = coefficient(ratings())
    assert (found.value, found.error) == (pytest.approx(value, abs=6e-6), pytest.approx(error, abs=6e-6))


def test_of_two_raters_gwets_and_cohens_are_those_of_irrcac():
    table = ratings()[:, :2]
    both = table[~np.isnan(table).any(axis=1)]
    assert gwet(rating_counts(both)).value == pytest.approx(0.58838, abs=6e-6)
    assert cohen(cross_table(both)).value == pytest.approx(0.58665, abs=6e-6)
