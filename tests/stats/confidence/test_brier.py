import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.stats.confidence.brier import brier, brier_multiclass, decompose

judged = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 1)), min_size=1, max_size=60)
rules = st.sampled_from(["width", "mass", "values"])


# Worked by hand: 1.68 of squares over eight items.
def test_murphys_terms_of_a_worked_example():
    parts = decompose([0.1] * 4 + [0.9] * 4, [0, 0, 0, 1, 1, 1, 1, 0])
    assert brier([0.1] * 4 + [0.9] * 4, [0, 0, 0, 1, 1, 1, 1, 0]) == pytest.approx(0.21)
    assert (parts.reliability, parts.resolution, parts.uncertainty) == pytest.approx((0.0225, 0.0625, 0.25))
    assert (parts.within_variance, parts.within_covariance) == pytest.approx((0, 0), abs=1e-15)
    assert parts.three_terms == pytest.approx(0.21)


@given(judged, st.integers(1, 20), rules)
def test_the_five_terms_are_the_brier_score_whatever_the_bins(rows, n_bins, rule):
    confidence, correct = zip(*rows, strict=True)
    parts = decompose(confidence, correct, n_bins=n_bins, rule=rule)
    assert parts.brier == pytest.approx(brier(confidence, correct), abs=1e-12)
    assert min(parts.reliability, parts.resolution, parts.uncertainty, parts.within_variance) >= 0


@given(judged)
def test_three_terms_are_enough_where_every_confidence_has_its_own_bin(rows):
    confidence, correct = zip(*rows, strict=True)
    parts = decompose(confidence, correct, rule="values")
    assert parts.three_terms == pytest.approx(brier(confidence, correct), abs=1e-12)


# Stephenson, Coelho & Jolliffe 2008: with forecasts that vary inside the bins three terms miss. Calibrated
# confidences, as here, have twice their variance within a bin as the covariance: about M⁻²/12 is missed.
def test_three_terms_miss_where_confidences_vary_inside_a_bin():
    random = np.random.default_rng(4)
    confidence = random.random(5_000)
    correct = random.random(5_000) < confidence
    parts = decompose(confidence, correct, n_bins=5)
    missed = parts.three_terms - brier(confidence, correct)
    assert missed == pytest.approx(0.2**2 / 12, abs=0.0015)


def test_sure_and_right_is_0_sure_and_wrong_1_and_half_a_quarter():
    assert brier([1, 0], [1, 0]) == 0
    assert brier([1, 0], [0, 1]) == 1
    assert brier([0.5] * 3, [0, 1, 1]) == 0.25


# Brier 1950: a uniform forecast over R classes scores (R - 1) / R.
def test_the_form_for_several_options():
    assert brier_multiclass([[0.25] * 4], [2]) == pytest.approx(0.75)
    assert brier_multiclass([[1, 0, 0]], [1]) == pytest.approx(2)
    assert brier_multiclass([[0.7, 0.3], [0.2, 0.3, 0.5]], [0, 2]) == pytest.approx((0.18 + 0.38) / 2)


@given(judged)
def test_for_two_options_it_is_twice_the_score_of_one(rows):
    confidence, correct = zip(*rows, strict=True)
    both = [[1 - p, p] for p in confidence]
    assert brier_multiclass(both, correct) == pytest.approx(2 * brier(confidence, correct), abs=1e-12)


@given(judged, rules, st.randoms(use_true_random=False))
def test_the_order_of_items_changes_nothing(rows, rule, order):
    confidence, correct = zip(*rows, strict=True)
    order.shuffle(shuffled := list(rows))
    other_confidence, other_correct = zip(*shuffled, strict=True)
    assert brier(other_confidence, other_correct) == brier(confidence, correct)
    assert decompose(other_confidence, other_correct, rule=rule) == decompose(confidence, correct, rule=rule)
    pairs, other_pairs = ([[1 - p, p] for p in ps] for ps in (confidence, other_confidence))
    assert brier_multiclass(other_pairs, other_correct) == brier_multiclass(pairs, correct)


@pytest.mark.parametrize(
    ("probabilities", "target", "named"),
    [
        ([], [], "at least one item"),
        ([[0.5, 0.5]], [0, 1], "1 rows of probabilities and 2 targets"),
        ([[0.5, 0.6]], [0], "item 0 must sum to 1, got 1.1"),
        ([[1.5, -0.5]], [0], "got 1.5"),
        ([[0.5, 0.5], [1.0]], [0, 1], "target of item 1 .* 1 options, got 1"),
        ([[0.5, 0.5]], [-1], "got -1"),
        ([[0.5, 0.5]], [0.5], "got 0.5"),
        ([[]], [0], "item 0 must hold"),
        ([[float("nan"), 1]], [0], "item 0 must be finite, got nan"),
    ],
)
def test_bad_options_are_refused_with_their_value(probabilities, target, named):
    with pytest.raises(ValueError, match=named):
        brier_multiclass(probabilities, target)


def test_bad_verdicts_are_refused_with_their_value():
    with pytest.raises(ValueError, match="got 2"):
        brier([0.5], [2])
    with pytest.raises(ValueError, match="got 80"):
        decompose([80], [1])
