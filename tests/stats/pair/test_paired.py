from math import comb, log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.special import chdtrc
from scipy.stats import binomtest

from bakeoff.stats.mean.proportion import wilson
from bakeoff.stats.pair.paired import (
    bonett_price,
    mcnemar_chi2,
    mcnemar_exact,
    mcnemar_midp,
    newcombe_paired,
    tango,
)

Z = 1.959963984540054
tables = st.tuples(*[st.integers(0, 300)] * 4).filter(lambda cells: sum(cells) > 0)
discordant = tables.map(lambda cells: (cells[1], cells[2], sum(cells)))

# a, b, c, d; Tango; Newcombe's method 10; McNemar mid-p.
# Airway hyper-responsiveness: Fagerland, Lydersen & Laake 2013 (BMC Med. Res. Methodol. 13:91) and 2014
# (Stat. Med. 33:2850). Approval ratings: Agresti, Categorical Data Analysis.
AIRWAY = (1, 1, 7, 12)
APPROVAL = (794, 86, 150, 570)


def test_tango_reproduces_published_values():
    assert limits(tango(1, 7, 21)) == pytest.approx((-0.517, -0.026), abs=5e-4)
    assert limits(tango(86, 150, 1600)) == pytest.approx((-0.0590, -0.0214), abs=5e-5)
    assert limits(tango(0, 10, 10)) == pytest.approx((-1, -0.445), abs=5e-4)
    assert limits(tango(0, 0, 15)) == pytest.approx((-0.2039, 0.2039), abs=5e-5)


def test_newcombe_reproduces_published_values():
    assert limits(newcombe_paired(*AIRWAY)) == pytest.approx((-0.507, -0.026), abs=5e-4)
    assert limits(newcombe_paired(*APPROVAL)) == pytest.approx((-0.0587, -0.0212), abs=5e-5)
    assert limits(newcombe_paired(0, 0, 10, 0)) == pytest.approx((-1, -0.608), abs=5e-4)
    assert limits(newcombe_paired(5, 0, 0, 10)) == pytest.approx((-0.1349, 0.1349), abs=5e-5)


def test_bonett_price_reproduces_published_values():
    assert limits(bonett_price(1, 7, 21)) == pytest.approx((-0.508, -0.013), abs=5e-4)
    assert limits(bonett_price(0, 0, 15)) == pytest.approx((-0.163, 0.163), abs=5e-4)


@pytest.mark.parametrize(("b", "c", "p"), [(1, 7, 0.0703), (6, 16, 0.05248), (0, 10, 0.00195)])
def test_the_exact_test_reproduces_published_values(b, c, p):
    assert mcnemar_exact(b, c) == pytest.approx(p, abs=5e-5)


# The tables of AIRWAY and APPROVAL, and Fagerland's (59, 6, 16, 80).
@pytest.mark.parametrize(
    ("b", "c", "corrected", "chi2", "p"),
    [
        (1, 7, False, 4.5, 0.0339),
        (1, 7, True, 3.125, 0.0771),
        (86, 150, False, 17.356, None),
        (86, 150, True, 16.818, None),
        (6, 16, False, None, 0.03301),
    ],
)
def test_the_chi2_test_reproduces_published_values(b, c, corrected, chi2, p):
    found = mcnemar_chi2(b, c, corrected=corrected)
    if chi2 is not None:
        assert found == pytest.approx(chdtrc(1, chi2), rel=5e-4)
    if p is not None:
        assert found == pytest.approx(p, abs=5e-5)


@settings(deadline=None)
@given(b=st.integers(0, 80), c=st.integers(0, 80))
def test_the_exact_test_is_the_binomial_one(b, c):
    expected = binomtest(b, b + c).pvalue if b + c else 1
    assert mcnemar_exact(b, c) == pytest.approx(expected, rel=1e-9)
    assert mcnemar_midp(b, c) <= mcnemar_exact(b, c)


@pytest.mark.parametrize("test", [mcnemar_exact, mcnemar_midp, mcnemar_chi2])
def test_without_disagreement_nothing_speaks_against_equality(test):
    assert test(0, 0) == 1


@pytest.mark.parametrize("test", [mcnemar_exact, mcnemar_midp])
def test_counts_of_numpy_do_not_overflow(test):
    assert test(np.int64(40), np.int64(60)) == test(40, 60) > 0.04


# The last is half of the exact test's .00195: all of its probability sits in the observed table.
@pytest.mark.parametrize(
    ("b", "c", "p"), [(1, 7, 0.0391), (6, 16, 0.03469), (0, 0, 1), (3, 3, 1 - 20 / 128), (10, 0, 0.00098)]
)
def test_mcnemar_midp_reproduces_published_values(b, c, p):
    assert mcnemar_midp(b, c) == pytest.approx(p, abs=5e-5)


@settings(deadline=None)
@given(b=st.integers(0, 60), c=st.integers(1, 60))
def test_mcnemar_midp_is_the_exact_p_less_half_of_what_ties_with_the_data(b, c):
    m = b + c
    probability = [comb(m, k) / 2**m for k in range(m + 1)]
    more_extreme = sum(p for k, p in enumerate(probability) if abs(2 * k - m) > abs(b - c))
    as_extreme = sum(p for k, p in enumerate(probability) if abs(2 * k - m) == abs(b - c))
    assert mcnemar_midp(b, c) == pytest.approx(more_extreme + as_extreme / 2, abs=1e-12)


def test_mcnemar_midp_takes_a_large_benchmark():
    assert mcnemar_midp(7_000, 6_800) == pytest.approx(0.08869, abs=1e-3)  # normal: z = 1.7025
    assert mcnemar_midp(20_000, 0) == 0.0


def test_identical_models_still_have_an_interval():
    for n in (1, 10, 100):
        half = Z**2 / (n + Z**2)
        assert limits(tango(0, 0, n)) == pytest.approx((-half, half), abs=1e-9)


@settings(deadline=None)
@given(bcn=discordant)
def test_tango_lies_where_the_score_test_just_rejects(bcn):
    b, c, n = bcn
    for delta in limits(tango(b, c, n)):
        if -1 < delta < 1:
            assert abs(score(b, c, n, delta)) == pytest.approx(Z, rel=1e-4)


@settings(deadline=None)
@given(bcn=discordant)
def test_tango_contains_the_estimate_stays_in_range_and_never_collapses(bcn):
    b, c, n = bcn
    interval = tango(b, c, n)
    assert -1 <= interval.low <= (b - c) / n <= interval.high <= 1
    assert interval.high - interval.low > 1e-4


@settings(deadline=None)
@given(cells=tables)
def test_newcombe_contains_the_estimate_stays_in_range_and_never_collapses(cells):
    _, b, c, _ = cells
    interval = newcombe_paired(*cells)
    assert -1 <= interval.low <= (b - c) / sum(cells) <= interval.high <= 1
    assert interval.high - interval.low > 1e-4


@settings(deadline=None)
@given(bcn=discordant)
def test_bonett_price_stays_in_range_and_never_collapses(bcn):
    interval = bonett_price(*bcn)
    assert -1 <= interval.low < interval.high - 1e-4 < 1


@settings(deadline=None)
@given(cells=tables)
def test_exchanging_the_two_models_turns_the_sign(cells):
    a, b, c, d = cells
    n = sum(cells)
    assert limits(tango(b, c, n)) == pytest.approx(negated(tango(c, b, n)), abs=1e-12)
    assert limits(newcombe_paired(a, b, c, d)) == pytest.approx(
        negated(newcombe_paired(a, c, b, d)), abs=1e-12
    )
    assert limits(bonett_price(b, c, n)) == pytest.approx(negated(bonett_price(c, b, n)), abs=1e-12)
    for test in (mcnemar_exact, mcnemar_midp, mcnemar_chi2):
        assert test(b, c) == test(c, b)


@settings(deadline=None)
@given(cells=tables.filter(lambda cells: sum(cells) >= 30))
def test_the_two_intervals_are_close(cells):
    _, b, c, _ = cells
    n = sum(cells)
    score_based, squared = tango(b, c, n), newcombe_paired(*cells)
    assert score_based.low == pytest.approx(squared.low, abs=1.6 / sqrt(n))
    assert score_based.high == pytest.approx(squared.high, abs=1.6 / sqrt(n))


def test_pairing_helps_when_models_are_right_on_the_same_items():
    unpaired = sqrt(2) * (wilson(75, 100).high - wilson(75, 100).low)
    paired = newcombe_paired(70, 5, 5, 20)
    assert paired.high - paired.low < unpaired / 1.5


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: tango(0, 0, 0), "n=0"),
        (lambda: tango(-1, 0, 5), "-1"),
        (lambda: tango(3, 3, 5), "b=3 and c=3"),
        (lambda: tango(float("nan"), 0, 5), "nan"),
        (lambda: tango(1, 1, 5, level=95), "95"),
        (lambda: newcombe_paired(0, 0, 0, 0), "n=0"),
        (lambda: newcombe_paired(1, 2, 3, -4), "-4"),
        (lambda: bonett_price(0, 0, 0), "n=0"),
        (lambda: bonett_price(3, 3, 5), "b=3 and c=3"),
        (lambda: mcnemar_midp(-2, 1), "-2"),
        (lambda: mcnemar_midp(1.5, 1), r"b .* 1\.5"),
        (lambda: mcnemar_exact(-2, 1), "-2"),
        (lambda: mcnemar_exact(1, 2.5), r"c .* 2\.5"),
        (lambda: mcnemar_chi2(1, float("nan")), "nan"),
    ],
)
def test_bad_input_is_refused_with_its_value(call, named):
    with pytest.raises(ValueError, match=named):
        call()


def limits(interval):
    return interval.low, interval.high


def negated(interval):
    return -interval.high, -interval.low


def score(b, c, n, delta):
    """Tango's statistic, the nuisance probability found by a search instead of its closed form."""
    a_or_d = n - b - c

    def surprise(q):  # q is the probability of a `c` item, q + delta that of a `b` item
        cells = [(b, q + delta), (c, q), (a_or_d, 1 - 2 * q - delta)]
        return -sum(count * log(max(p, 1e-300)) for count, p in cells if count)

    found = minimize_scalar(
        surprise, bounds=(max(0, -delta), (1 - delta) / 2), method="bounded", options={"xatol": 1e-12}
    )
    return (b - c - n * delta) / sqrt(n * (2 * found.x + delta * (1 - delta)))
