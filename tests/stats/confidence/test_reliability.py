from collections import defaultdict
from itertools import pairwise
from math import ceil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from bakeoff.stats.confidence import reliability
from bakeoff.stats.confidence.reliability import bins, consistency_band, debiased_ece, ece, null_ece
from bakeoff.stats.mean.proportion import wilson

RULES = ("width", "mass", "values")
# Confidences that heap, as those in words do, among others.
judged = st.lists(
    st.tuples(st.one_of(st.sampled_from([0.0, 0.3, 0.9, 0.95, 1.0]), st.floats(0, 1)), st.integers(0, 1)),
    min_size=1,
    max_size=60,
)


# Worked by hand: four of ten wrong answers at 0.1 and 0.9, off by .15 each.
def test_ece_of_a_worked_example():
    confidence, correct = [0.1] * 4 + [0.9] * 4, [0, 0, 0, 1, 1, 1, 1, 0]
    assert ece(confidence, correct, n_bins=10) == pytest.approx(0.15)
    assert ece(confidence, correct, rule="values") == pytest.approx(0.15)


# One bin of ten, confidence .8, accuracy .7: .1² and .1² - .21/9 (the estimator of Kumar, Liang & Ma 2019).
def test_the_debiased_square_of_one_bin():
    error = debiased_ece([0.8] * 10, [1] * 7 + [0] * 3, n_bins=1)
    assert error.plugin_square == pytest.approx(0.01, abs=1e-12)
    assert error.square == pytest.approx(-0.013333, abs=5e-7)
    assert error.value == 0.0


@pytest.mark.slow
@pytest.mark.parametrize(("n", "runs"), [(100, 2_000), (1_000, 500)])
def test_the_debiased_square_is_zero_on_average_for_a_calibrated_model_and_the_plain_one_is_not(n, runs):
    random = np.random.default_rng(1)
    squares, plain = [], []
    for _ in range(runs):
        # A confidence per bin, so that no variance inside bins blurs the comparison.
        confidence = random.integers(1, 15, n) / 15 - 1 / 30
        error = debiased_ece(confidence, random.random(n) < confidence)
        squares.append(error.square)
        plain.append(error.plugin_square)
    noise = np.std(squares) / runs**0.5
    assert abs(np.mean(squares)) < 4 * noise
    assert np.mean(plain) > 20 * noise


# The bias of the plain ECE with 15 bins on a perfectly calibrated model, confidences uniform on [.4, 1].
@pytest.mark.parametrize(("n", "bias"), [(100, 0.098), (300, 0.054), (1_000, 0.032), (10_000, 0.010)])
def test_null_ece_is_the_known_bias_of_a_calibrated_model(n, bias):
    confidence = np.random.default_rng(0).uniform(0.4, 1, n)
    assert null_ece(confidence).mean == pytest.approx(bias, abs=0.003)


@pytest.mark.slow
def test_a_calibrated_model_stays_under_the_upper_value_as_often_as_it_says():
    random, runs = np.random.default_rng(2), 1_000
    confidence = random.uniform(0.3, 1, 200)
    null = null_ece(confidence, level=0.9, draws=10_000)
    under = np.mean([ece(confidence, random.random(200) < confidence) <= null.upper for _ in range(runs)])
    assert under == pytest.approx(0.9, abs=4 * (0.9 * 0.1 / runs) ** 0.5)


def test_a_model_that_is_always_sure_has_no_error_by_chance():
    null = null_ece([1.0, 1.0, 0.0])
    assert (null.mean, null.upper) == (0.0, 0.0)


@given(judged)
def test_ece_is_what_a_plain_loop_gives(rows):
    groups = defaultdict(list)
    for p, y in rows:
        groups[max(1, ceil(round(p * 4, 12)))].append((p, y))
    by_hand = sum(abs(sum(y - p for p, y in group)) for group in groups.values()) / len(rows)
    near_an_edge = any(0 < abs(p * 4 - round(p * 4)) < 1e-9 for p, _ in rows)
    assert near_an_edge or ece(*zip(*rows, strict=True), n_bins=4) == pytest.approx(by_hand, abs=1e-9)


@given(st.integers(1, 200))
def test_equal_widths_are_open_below_and_closed_above(n_bins):
    ends = [k / n_bins for k in range(n_bins + 1)]
    counts = [b.n for b in bins(ends, [1] * len(ends), n_bins=n_bins)]
    # 0 has no bin below it, and joins the first.
    assert counts == [2] + [1] * (n_bins - 1)


def test_bins_say_how_many_how_sure_and_how_often_right():
    low, empty, high = bins([0.1, 0.2, 0.9, 1.0, 1.0], [0, 1, 1, 1, 0], n_bins=3)
    assert (low.low, low.high, low.n, low.accuracy) == (0.0, 1 / 3, 2, 0.5)
    assert low.confidence == pytest.approx(0.15)
    assert (empty.n, empty.confidence, empty.accuracy, empty.interval) == (0, None, None, None)
    assert high.interval == wilson(2, 3)


@given(judged, st.integers(1, 20), st.sampled_from(RULES))
def test_every_item_is_in_one_bin(rows, n_bins, rule):
    confidence, correct = zip(*rows, strict=True)
    filled = [b for b in bins(confidence, correct, n_bins=n_bins, rule=rule) if b.n]
    assert sum(b.n for b in filled) == len(rows)
    assert sum(b.n * b.accuracy for b in filled) == pytest.approx(sum(correct))
    assert sum(b.n * b.confidence for b in filled) == pytest.approx(sum(confidence))
    assert all(b.low - 1e-15 <= b.confidence <= b.high + 1e-15 for b in filled)


@given(judged, st.integers(1, 20))
def test_equal_mass_never_parts_items_of_one_confidence(rows, n_bins):
    confidence, correct = zip(*rows, strict=True)
    found = bins(confidence, correct, n_bins=n_bins, rule="mass")
    assert len(found) <= n_bins
    assert all(one.high < next_one.low for one, next_one in pairwise(found))


@given(st.integers(1, 100), st.integers(1, 20))
def test_equal_mass_is_equal_where_no_two_confidences_are(n, n_bins):
    sizes = [b.n for b in bins(np.arange(n) / n, [1] * n, n_bins=n_bins, rule="mass")]
    assert max(sizes) - min(sizes) <= 1
    assert len(sizes) == min(n, n_bins)


def test_words_for_confidence_have_a_bin_each():
    found = bins([0.9, 0.5, 0.9, 0.95], [1, 0, 0, 1], rule="values")
    assert [(b.low, b.high, b.n) for b in found] == [(0.5, 0.5, 1), (0.9, 0.9, 2), (0.95, 0.95, 1)]


@given(judged, st.sampled_from(RULES), st.randoms(use_true_random=False))
def test_the_order_of_items_changes_nothing(rows, rule, order):
    confidence, correct = zip(*rows, strict=True)
    order.shuffle(shuffled := list(rows))
    other_confidence, other_correct = zip(*shuffled, strict=True)
    for function in (bins, ece, debiased_ece):
        assert function(other_confidence, other_correct, rule=rule) == function(
            confidence, correct, rule=rule
        )
    for function in (null_ece, consistency_band):
        assert function(other_confidence, rule=rule, draws=20) == function(confidence, rule=rule, draws=20)


def test_the_band_of_equal_confidences_is_binomial():
    empty, band = consistency_band([0.7] * 40, n_bins=2, level=0.9, draws=20_000)
    assert empty is None
    for limit, share in ((band.low, 0.05), (band.high, 0.95)):
        assert abs(limit * 40 - binom.ppf(share, 40, 0.7)) <= 1


def test_drawing_in_pieces_gives_the_same(monkeypatch):
    confidence = np.random.default_rng(3).random(50)
    at_once = null_ece(confidence, draws=99)
    monkeypatch.setattr(reliability, "_AT_ONCE", 500)
    assert null_ece(confidence, draws=99) == at_once


@pytest.mark.parametrize("function", [bins, ece, debiased_ece])
@pytest.mark.parametrize(
    ("confidence", "correct", "named"),
    [
        ([], [], "confidence must hold"),
        ([0.5], [1, 0], "1 confidences and 2 verdicts"),
        ([90], [1], "90"),
        ([-0.1], [1], "-0.1"),
        ([float("nan")], [1], "confidence must be finite, got nan"),
        ([0.5], [float("inf")], "correct must be finite, got inf"),
        ([0.5], [0.5], "correct must be 1 .* got 0.5"),
    ],
)
def test_bad_input_is_refused_with_its_value(function, confidence, correct, named):
    with pytest.raises(ValueError, match=named):
        function(confidence, correct)


def test_bad_settings_are_refused_with_their_value():
    with pytest.raises(ValueError, match="n_bins must be at least 1, got 0"):
        ece([0.5], [1], n_bins=0)
    with pytest.raises(ValueError, match="'quantile'"):
        ece([0.5], [1], rule="quantile")
    with pytest.raises(ValueError, match="draws must be at least 1, got 0"):
        null_ece([0.5], draws=0)
    for function in (null_ece, consistency_band):
        with pytest.raises(ValueError, match="95"):
            function([0.5], level=95)
    with pytest.raises(ValueError, match="95"):
        bins([0.5], [1], level=95)
