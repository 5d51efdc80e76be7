from bisect import bisect_left
from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.stats.early.betting import betting_difference
from bakeoff.stats.early.eprocess import mcnemar_e
from bakeoff.stats.early.sequential import Sequential


def decide(differences, sizes=None, **options):
    test = Sequential(**options)
    for n, total in enumerate(differences):
        if test.add(total, sizes[n] if sizes else 1):
            break
    return test


def pairs(rng, n, disagreement, gap):
    """Differences of -1, 0 and 1 with a mean of `gap`."""
    return rng.choice([1, -1, 0], n, p=[(disagreement + gap) / 2, (disagreement - gap) / 2, 1 - disagreement])


def test_eight_wins_and_no_loss_decide():
    test = decide([1, 0, 1, 1, 0, 1, 1, 1, 1, 1, -1])
    assert (test.decided, test.units, test.total) == ("better", 10, 8)
    assert exp(test.evidence.either) == pytest.approx(mcnemar_e(8, 0))
    assert decide([-1] * 8).decided == "worse"
    assert decide([1] * 7).decided is None
    assert decide([1] * 8, level=0.99).decided is None


def test_models_that_agree_are_equivalent_only_within_a_margin():
    assert decide([0] * 5000).decided is None
    test = decide([0] * 5000, margin=0.02)
    assert test.decided == "equivalent"
    # Both one-sided games gain the same on each item: half the mean of (1 + s m/(1 - m))^n over s
    # reaches 20.
    stakes = np.linspace(0, 1, 100_001)
    capital = [
        np.trapezoid((1 + stakes * 0.02 / 0.98) ** n, stakes) / 2 for n in (test.units - 1, test.units)
    ]
    assert capital[0] < 20 <= capital[1]


def test_what_comes_after_the_decision_changes_nothing():
    test = decide([1] * 8)
    before = (test.evidence, test.items, test.total)
    assert test.add(-1) == "better"
    assert (test.evidence, test.items, test.total) == before


@given(
    st.lists(
        st.tuples(st.integers(1, 3), st.integers(-3, 3)).filter(lambda u: abs(u[1]) <= u[0]), max_size=60
    )
)
def test_the_decision_is_what_the_interval_says(units):
    test = decide([total for _, total in units], [size for size, _ in units], largest=3, margin=0.4)
    if not units:
        return
    seen = units[: test.units]
    interval = betting_difference([t for _, t in seen], [s for s, _ in seen], largest=3)
    if test.decided == "equivalent":
        assert -0.4 < interval.low <= interval.high < 0.4
    elif test.decided:
        assert (interval.low > 0) if test.decided == "better" else (interval.high < 0)
    else:
        assert interval.low <= 0 <= interval.high
        assert interval.low < -0.38 or interval.high > 0.38


@given(st.lists(st.floats(-1, 1), max_size=40))
def test_turning_the_models_round_turns_the_decision(differences):
    turned = {"better": "worse", "worse": "better", "equivalent": "equivalent", None: None}
    first = decide(differences, margin=0.3)
    second = decide([-d for d in differences], margin=0.3)
    assert second.decided == turned[first.decided]
    assert second.units == first.units


@pytest.mark.parametrize(
    ("options", "named"),
    [({"level": 95}, "95"), ({"margin": 2}, "2"), ({"margin": 0}, "0"), ({"largest": 0}, "largest=0")],
)
def test_bad_options_are_refused_with_their_value(options, named):
    with pytest.raises(ValueError, match=named):
        Sequential(**options)


# Simulations. Standard error of a rate of 0.05 over 1,000 runs: 0.007.


@pytest.mark.slow
def test_equal_models_are_told_apart_at_most_as_often_as_stated_however_often_one_looks():
    rng = np.random.default_rng(3)
    w = np.cumsum(rng.random((20_000, 1000)) < 0.5, axis=1)  # discordant items of equal models: coin flips
    m = np.arange(1, 1001)
    # The fewer the smaller side has won, the more is shown: how few of `total` are enough, -1 if none are.
    enough = [
        bisect_left(range(total // 2 + 1), True, key=lambda few: mcnemar_e(few, total - few) < 20) - 1
        for total in m.tolist()
    ]
    assert 0.01 < (np.minimum(w, m - w) <= enough).any(axis=1).mean() <= 0.05


@pytest.mark.slow
def test_equal_models_with_graded_scores_in_groups_are_rarely_told_apart():
    rng = np.random.default_rng(4)
    wrong = 0
    for _ in range(400):
        sizes = rng.integers(1, 6, 150)
        # What a group has in common moves all its items: the mean of the totals is 0, their spread is wide.
        totals = sizes * np.clip(rng.normal(0, 0.5, 150), -1, 1)
        wrong += decide(totals, [int(s) for s in sizes], largest=5).decided is not None
    assert wrong / 400 <= 0.05


@pytest.mark.slow
def test_models_that_differ_by_the_margin_are_rarely_called_equivalent():
    rng = np.random.default_rng(5)
    runs = [decide(pairs(rng, 3000, 0.1, 0.05), margin=0.05) for _ in range(200)]
    assert np.mean([test.decided == "equivalent" for test in runs]) <= 0.05


@pytest.mark.slow
def test_a_real_difference_is_found_early():
    # +5 points at 20 % disagreement within 2,000 items; +10 at 25 %.
    rng = np.random.default_rng(6)
    five = [decide(pairs(rng, 2000, 0.20, 0.05)) for _ in range(100)]
    assert np.mean([test.decided == "better" for test in five]) == pytest.approx(0.97, abs=0.06)
    assert np.median([test.items for test in five]) == pytest.approx(616, rel=0.2)
    ten = [decide(pairs(rng, 2000, 0.25, 0.10)) for _ in range(100)]
    assert np.median([test.items for test in ten]) == pytest.approx(177, rel=0.2)


# Armitage, McPherson & Rowe 1969 (JRSS-A 132:235), table 2: testing at 5 % after each of so many looks.
PEEKING = {1: 0.050, 2: 0.083, 3: 0.107, 4: 0.126, 5: 0.142, 10: 0.193, 20: 0.248, 50: 0.320}


@pytest.mark.slow
def test_looking_again_and_again_with_a_test_made_for_one_look_is_wrong_as_often_as_is_known():
    draws = np.random.default_rng(7).normal(size=(40_000, 50))
    z = np.abs(np.cumsum(draws, axis=1)) / np.sqrt(np.arange(1, 51))
    for looks, rate in PEEKING.items():
        assert (z[:, :looks] > 1.959964).any(axis=1).mean() == pytest.approx(rate, abs=0.008)
