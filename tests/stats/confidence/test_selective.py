from itertools import permutations
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from bakeoff.stats.confidence.selective import (
    augrc,
    aurc,
    aurc_trapezoid,
    coverage_at_risk,
    excess_aurc,
    risk_coverage,
)
from bakeoff.stats.mean.proportion import clopper_pearson_upper

CONFIDENCE, CORRECT = [0.9, 0.8, 0.7, 0.6, 0.5], [1, 1, 0, 1, 0]
judged = st.lists(
    st.tuples(st.sampled_from([0.2, 0.4, 0.6, 0.8, 1.0]), st.integers(0, 1)), min_size=1, max_size=40
)


def test_the_curve_of_a_worked_example():
    curve = risk_coverage(CONFIDENCE, CORRECT)
    assert curve.coverage == pytest.approx((0.2, 0.4, 0.6, 0.8, 1))
    assert curve.risk == pytest.approx((0, 0, 1 / 3, 1 / 4, 2 / 5))


# Definitions of Geifman & El-Yaniv 2017, Geifman et al. 2019 and Traub et al. 2024, by hand.
def test_the_areas_of_a_worked_example():
    assert aurc(CONFIDENCE, CORRECT) == pytest.approx(0.196667, abs=5e-7)
    assert aurc(CONFIDENCE, CORRECT) - excess_aurc(CONFIDENCE, CORRECT) == pytest.approx(0.13)
    assert excess_aurc(CONFIDENCE, CORRECT) == pytest.approx(0.066667, abs=5e-7)
    assert augrc(CONFIDENCE, CORRECT) == pytest.approx(0.16)


def test_the_optimum_is_that_of_so_many_items_and_not_the_limit_of_many():
    limit = 0.4 + 0.6 * log(0.6)
    assert aurc(CONFIDENCE, CORRECT) - limit == pytest.approx(0.1032, abs=5e-5)
    many = aurc([2] * 60_000 + [1] * 40_000, [1] * 60_000 + [0] * 40_000)
    assert many == pytest.approx(limit, abs=1e-4)


# A test of torch-uncertainty's AURC: probabilities of class 1 are .1 .2 .3 .4 .2, targets 0 0 1 1 0.
def test_the_trapezoid_is_torch_uncertaintys():
    assert aurc_trapezoid([0.9, 0.8, 0.7, 0.6, 0.8], [1, 1, 0, 0, 1]) == pytest.approx(0.1125)
    assert aurc_trapezoid([0.9], [1]) is None


@given(st.lists(st.tuples(st.sampled_from([0.5, 0.9]), st.integers(0, 1)), min_size=1, max_size=6))
def test_ties_count_as_the_mean_over_all_their_orders(rows):
    orders = [sorted(order, key=lambda row: -row[0]) for order in permutations(rows)]
    curves = [
        [sum(1 - y for _, y in order[: i + 1]) / (i + 1) for i in range(len(order))] for order in orders
    ]
    confidence, correct = zip(*rows, strict=True)
    assert risk_coverage(confidence, correct).risk == pytest.approx(np.mean(curves, axis=0))


@given(judged)
def test_confidences_without_information_give_the_overall_risk(rows):
    correct = [y for _, y in rows]
    risk = 1 - sum(correct) / len(correct)
    assert aurc([0.9] * len(correct), correct) == pytest.approx(risk)


@given(judged)
def test_no_order_is_better_than_all_right_answers_first(rows):
    confidence, correct = zip(*rows, strict=True)
    assert excess_aurc(correct, correct) == pytest.approx(0, abs=1e-12)
    assert 0 <= excess_aurc(confidence, correct) <= aurc(confidence, correct) <= 1
    assert augrc(correct, correct) <= augrc(confidence, correct) + 1e-12


@given(judged, st.randoms(use_true_random=False))
def test_neither_the_order_of_items_nor_the_scale_of_confidence_matters(rows, order):
    confidence, correct = zip(*rows, strict=True)
    order.shuffle(shuffled := list(rows))
    other_confidence, other_correct = zip(*[(p * 10 - 3, y) for p, y in shuffled], strict=True)
    for function in (risk_coverage, aurc, excess_aurc, augrc, aurc_trapezoid):
        assert function(other_confidence, other_correct) == function(confidence, correct)
    ours, others = (coverage_at_risk(*zip(*data, strict=True), 0.4, steps=4) for data in (rows, shuffled))
    assert ours == others


def test_without_errors_it_takes_59_items_to_certify_a_risk_of_5_percent():
    assert coverage_at_risk(range(58), [1] * 58, 0.05) is None
    accepted = coverage_at_risk(range(59), [1] * 59, 0.05)
    assert (accepted.coverage, accepted.n, accepted.errors, accepted.threshold) == (1.0, 59, 0, 0.0)
    assert accepted.upper == pytest.approx(1 - 0.05 ** (1 / 59))


def test_it_accepts_down_to_where_the_errors_begin():
    # Sure down to 600 of 1000, then as often wrong as right.
    correct = [1] * 600 + [0, 1] * 200
    accepted = coverage_at_risk(range(1_000, 0, -1), correct, 0.05)
    assert (accepted.n, accepted.errors, accepted.threshold) == (600, 0, 401)
    looser = coverage_at_risk(range(1_000, 0, -1), correct, 0.1)
    assert (looser.n, looser.errors) == (700, 50)
    assert looser.upper == clopper_pearson_upper(50, 700) <= 0.1 < clopper_pearson_upper(75, 750)


@given(judged, st.sampled_from([0.2, 0.5]))
def test_what_is_accepted_is_every_item_of_the_threshold_and_above(rows, max_risk):
    confidence, correct = zip(*rows, strict=True)
    accepted = coverage_at_risk(confidence, correct, max_risk)
    if accepted is None:
        return
    kept = [y for p, y in rows if p >= accepted.threshold]
    assert (accepted.n, accepted.errors) == (len(kept), len(kept) - sum(kept))
    assert accepted.coverage == len(kept) / len(rows)
    assert accepted.upper <= max_risk


# Here every item is wrong with just the risk that must not be exceeded: accepting anything is a mistake,
# to be made 5 % of the time at most. Taking whatever threshold looks safe makes it far more often.
@pytest.mark.slow
@pytest.mark.parametrize(("n", "risk"), [(200, 0.2), (1_000, 0.1), (300, 0.05)])
def test_the_guarantee_holds_though_the_threshold_is_chosen_by_the_data(n, risk):
    random, runs = np.random.default_rng(8), 2_000
    confidence = random.random(n)
    order = np.argsort(-confidence)
    sizes = np.arange(n // 20, n + 1, n // 20)
    # The most errors that the bound lets pass: fewer than the smallest number with a lower tail above 0.05.
    allowed = binom.ppf(0.05, sizes, risk) - 1
    wrongly = greedily = 0
    for _ in range(runs):
        correct = random.random(n) >= risk
        wrongly += coverage_at_risk(confidence, correct, risk) is not None
        greedily += bool((np.cumsum(~correct[order])[sizes - 1] <= allowed).any())
    assert wrongly / runs <= 0.05 + 4 * (0.05 * 0.95 / runs) ** 0.5
    assert greedily > 2 * wrongly


# Risk rises as confidence falls; the accepted items' true mean risk must be at most max_risk.
@pytest.mark.slow
def test_the_guarantee_holds_for_a_model_whose_risk_rises_and_accepts_much():
    random, runs = np.random.default_rng(9), 1_000
    confidence = np.sort(random.uniform(0.4, 1, 1_000))
    wrong = 1 - confidence
    broken, coverage = 0, []
    for _ in range(runs):
        accepted = coverage_at_risk(confidence, random.random(1_000) >= wrong, 0.15)
        if accepted is not None:
            broken += wrong[confidence >= accepted.threshold].mean() > 0.15
            coverage.append(accepted.coverage)
    assert broken / runs <= 0.05 + 4 * (0.05 * 0.95 / runs) ** 0.5
    # Half of the items have a mean risk of 0.15.
    assert 0.3 < np.sum(coverage) / runs < 0.5


@pytest.mark.parametrize("function", [risk_coverage, aurc, excess_aurc, augrc, aurc_trapezoid])
@pytest.mark.parametrize(
    ("confidence", "correct", "named"),
    [
        ([], [], "at least one"),
        ([1], [1, 0], "1 confidences and 2"),
        ([float("inf")], [1], "inf"),
        ([1], [5], "5"),
    ],
)
def test_bad_input_is_refused_with_its_value(function, confidence, correct, named):
    with pytest.raises(ValueError, match=named):
        function(confidence, correct)


@pytest.mark.parametrize(
    ("max_risk", "options", "named"),
    [(5, {}, "got 5"), (0, {}, "got 0"), (0.1, {"level": 95}, "95"), (0.1, {"steps": 0}, "steps .* got 0")],
)
def test_bad_settings_are_refused_with_their_value(max_risk, options, named):
    with pytest.raises(ValueError, match=named):
        coverage_at_risk([0.5], [1], max_risk, **options)
