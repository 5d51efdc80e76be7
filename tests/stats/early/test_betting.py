from math import exp, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bakeoff.stats.early.betting import Bets, betting_difference, betting_interval
from bakeoff.stats.early.eprocess import mcnemar_e

scores = st.lists(st.floats(0, 1), min_size=1, max_size=40)
units = st.lists(
    st.integers(1, 4).flatmap(lambda n: st.tuples(st.floats(-n, n), st.just(n))), min_size=1, max_size=20
)


def bets(unit_list, null=0.0, largest=1):
    found = Bets(null, largest)
    for total, size in unit_list:
        found.add(total, size)
    return found


@given(st.integers(0, 80), st.integers(0, 80), st.integers(0, 20))
def test_for_right_and_wrong_it_is_the_beta_binomial_mcnemar_process(wins, losses, ties):
    found = bets([(1, 1)] * wins + [(-1, 1)] * losses + [(0, 1)] * ties)
    assert exp(found.log_either) == pytest.approx(mcnemar_e(wins, losses), rel=1e-6)


def test_one_bet_by_hand():
    # One win against a null of 0: the average of 1 + s over s in [0, 1] above, of 1 - s below.
    found = bets([(1, 1)])
    assert exp(found.log_above) == pytest.approx(1.5)
    assert exp(found.log_below) == pytest.approx(0.5)
    # Against a null of 0.2: 1 + s (1 - 0.2) / 1.2 above, 1 - s (1 - 0.2) / 0.8 below.
    found = bets([(1, 1)], null=0.2)
    assert exp(found.log_above) == pytest.approx(1 + 0.5 * 0.8 / 1.2)
    assert exp(found.log_below) == pytest.approx(0.5)


@settings(deadline=None)
@given(st.floats(-0.9, 0.9), st.lists(st.floats(0, 1), min_size=2, max_size=2), st.data())
def test_the_capital_is_1_on_average_under_the_null(null, weights, data):
    # A two-point distribution on [-1, 1] with mean `null`: the game must be fair for every such one.
    low = data.draw(st.floats(-1, null - 0.01)) if null > -0.98 else -1.0
    high = data.draw(st.floats(null + 0.01, 1))
    share = (null - low) / (high - low)
    for side in ("log_above", "log_below", "log_either"):
        average = sum(
            p * q * exp(getattr(bets([(x, 1), (y, 1)], null), side))
            for p, x in ((share, high), (1 - share, low))
            for q, y in ((share, high), (1 - share, low))
        )
        assert average == pytest.approx(1, abs=1e-9)


@settings(deadline=None)
@given(scores, st.randoms())
def test_the_interval_contains_the_mean_stays_in_range_never_collapses_and_ignores_the_order(values, random):
    interval = betting_interval(values)
    assert 0 <= interval.low <= np.mean(values) + 1e-12
    assert np.mean(values) - 1e-12 <= interval.high <= 1
    assert interval.high - interval.low > 1e-3
    random.shuffle(values)
    again = betting_interval(values)
    assert (again.low, again.high) == pytest.approx((interval.low, interval.high), abs=1e-9)


@settings(deadline=None)
@given(scores, st.floats(-3, 3), st.floats(0.1, 5))
def test_the_interval_moves_with_the_scale(values, shift, span):
    plain = betting_interval(values)
    moved = betting_interval(
        [shift + span * v for v in values], lowest=shift - 1e-12, highest=shift + span + 1e-12
    )
    assert (moved.low, moved.high) == pytest.approx(
        (shift + span * plain.low, shift + span * plain.high), abs=1e-6 * span
    )


@settings(deadline=None)
@given(units)
def test_a_limit_is_the_null_whose_capital_just_reaches_what_rejects_it(found):
    interval = betting_difference([t for t, _ in found], [n for _, n in found], largest=4)
    for limit in (interval.low, interval.high):
        if -0.999 < limit < 0.999:
            assert bets(found, limit, 4).log_either == pytest.approx(log(20), abs=1e-4)


@settings(deadline=None)
@given(st.lists(st.floats(-1, 1), min_size=1, max_size=30))
def test_items_by_themselves_are_groups_of_one(differences):
    alone = betting_interval(differences, lowest=-1, highest=1)
    grouped = betting_difference(differences, [1] * len(differences))
    assert (grouped.low, grouped.high) == pytest.approx((alone.low, alone.high), abs=1e-8)


def test_all_right_and_all_wrong_have_a_width():
    # 0 of n: the least null refuted is where half the mean of (1 + s null/(1 - null))^n over s reaches 20.
    interval = betting_interval([0.0] * 10)
    assert interval.low == 0
    m = interval.high
    stakes = np.linspace(0, 1, 200_001)
    ups = np.trapezoid((1 + stakes * m / (1 - m)) ** 10, stakes)
    downs = np.trapezoid((1 - stakes) ** 10, stakes)
    assert (ups + downs) / 2 == pytest.approx(20, rel=1e-4)
    full = betting_interval([1.0] * 10)
    assert (full.low, full.high) == pytest.approx((1 - m, 1), abs=1e-9)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: betting_interval([]), "at least one"),
        (lambda: betting_interval([0.5, float("nan")]), "nan"),
        (lambda: betting_interval([0.5, 1.5]), "1.5"),
        (lambda: betting_interval([0.5], lowest=1, highest=1), "lowest"),
        (lambda: betting_interval([0.5], level=95), "95"),
        (lambda: betting_difference([1.0], [1, 1]), "size"),
        (lambda: betting_difference([3.0], [2]), "3"),
        (lambda: betting_difference([1.0], [3], largest=2), "1 to 2"),
        (lambda: Bets(1.0), "1.0"),
        (lambda: Bets(0.0, 0), "largest=0"),
        (lambda: Bets().add(1.5), "1.5"),
        (lambda: Bets().add(float("nan")), "nan"),
        (lambda: Bets().add(0.5, 2), "1 to 1"),
    ],
)
def test_bad_input_is_refused_with_its_value(call, named):
    with pytest.raises(ValueError, match=named):
        call()


@pytest.mark.slow
@pytest.mark.parametrize(
    "draw",
    [
        lambda rng, n: rng.random(n) < 0.97,
        lambda rng, n: rng.beta(0.3, 0.1, n),
        # Mostly little, rarely much: where t-intervals fail.
        lambda rng, n: np.where(rng.random(n) < 0.02, 1.0, 0.01),
    ],
)
def test_the_interval_covers_at_every_look_at_once(draw):
    rng = np.random.default_rng(1)
    truth = draw(rng, 1_000_000).mean()
    missed = 0
    for _ in range(300):
        values = 2 * draw(rng, 300).astype(float) - 1
        process = Bets(2 * truth - 1)
        for value in values:
            process.add(value)
            if process.log_either >= log(20):
                missed += 1
                break
    assert missed / 300 <= 0.05
