from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from bakeoff.stats.classes.prevalence import (
    precision_at,
    predictive_values,
    prevalence_weights,
    recalibrate,
    rogan_gladen,
    true_share,
)

shares = st.floats(0.001, 0.999)
samples = st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


# The worked example of Lee et al. 2025 (arXiv 2511.21140) and its code.
def test_a_judges_share_is_corrected_with_the_interval_of_lang_and_reiczigel():
    found = rogan_gladen((400, 1_000), (180, 200), (140, 200))
    assert found.value == pytest.approx(0.1667, abs=5e-5)
    assert (found.interval.low, found.interval.high) == pytest.approx((0.05635, 0.26273), abs=5e-6)
    assert found.status == "ok"


# epiR's epi.prev, 23 of 150 positive, sensitivity .96, specificity .89; Rogan & Gladen 1978.
def test_the_true_share_with_known_rates():
    assert true_share(23 / 150, 0.96, 0.89) == pytest.approx(0.0510, abs=5e-5)


@given(shares, shares, shares)
def test_the_correction_undoes_what_the_judge_did(share, sensitivity, specificity):
    apparent = share * sensitivity + (1 - share) * (1 - specificity)
    if sensitivity + specificity > 1.01:
        assert true_share(apparent, sensitivity, specificity) == pytest.approx(share, abs=1e-9)
    elif sensitivity + specificity <= 1:
        assert true_share(apparent, sensitivity, specificity) is None


@given(samples, samples, samples)
def test_an_interval_has_a_width_or_the_status_says_why_not(judged, sensitivity, specificity):
    found = rogan_gladen(judged, sensitivity, specificity)
    if found.status == "ok":
        assert 0 <= found.interval.low < found.interval.high <= 1
    else:
        assert found.interval is None
    if found.status == "judge no better than chance":
        assert found.value is None


def test_a_judge_who_says_yes_more_rarely_than_its_false_alarms_is_incompatible():
    found = rogan_gladen((10, 1_000), (180, 200), (140, 200))
    assert found.status == "incompatible"
    assert found.value < 0
    assert rogan_gladen((990, 1_000), (140, 200), (180, 200)).status == "incompatible"


def test_a_judge_without_skill_tells_nothing():
    assert rogan_gladen((5, 10), (50, 100), (50, 100)).status == "judge no better than chance"


def test_a_perfect_judge_leaves_the_doubt_of_the_sample():
    found = rogan_gladen((30, 100), (10_000, 10_000), (10_000, 10_000))
    assert found.value == pytest.approx(0.3)
    half = norm.ppf(0.975) * (0.3 * 0.7 / 104) ** 0.5
    assert (found.interval.low, found.interval.high) == pytest.approx((0.3 - half, 0.3 + half), abs=0.01)


# Bayes' theorem at recall .9 and false positives .05 (to three digits).
@pytest.mark.parametrize(
    ("prevalence", "precision", "digits"),
    [(0.5, 0.947, 3), (0.1, 0.667, 3), (0.01, 0.154, 3), (0.001, 0.0177, 4)],
)
def test_precision_falls_with_the_prevalence(prevalence, precision, digits):
    assert round(precision_at(0.9, 0.05, prevalence), digits) == precision


@given(shares, shares, shares, shares)
def test_weights_turn_one_prevalence_into_another(recall, false_positives, observed, prevalence):
    positive, negative = prevalence_weights(observed, prevalence)
    assert positive * observed + negative * (1 - observed) == pytest.approx(1)
    hits, alarms = positive * observed * recall, negative * (1 - observed) * false_positives
    assert precision_at(recall, false_positives, prevalence) == pytest.approx(hits / (hits + alarms))


# Saerens, Latinne & Decaestecker 2002: logit p' = logit p + logit π' - logit π.
def test_scores_move_with_the_prevalence():
    assert recalibrate([0.9], 0.5, 0.01)[0] == pytest.approx(0.0833, abs=5e-5)
    assert recalibrate([0, 1], 0.5, 0.01).tolist() == [0, 1]


@given(shares, shares, shares)
def test_scores_move_by_the_difference_of_logits_and_back(p, observed, prevalence):
    def logit(q):
        return log(q / (1 - q))

    moved = recalibrate([p], observed, prevalence)[0]
    target = logit(p) + logit(prevalence) - logit(observed)
    assert moved == pytest.approx(1 / (1 + exp(-target)), rel=1e-6)
    assert recalibrate([moved], prevalence, observed)[0] == pytest.approx(p, rel=1e-6)


# Mercaldo, Lau & Zhou 2007: ApoE4 and Alzheimer's disease, at a prevalence of 3 %.
def test_predictive_values_of_mercaldos_example():
    ppv, npv = predictive_values(240, 178, 87, 288, 0.03)
    assert ppv.value == pytest.approx(0.07110, abs=5e-6)
    assert (ppv.interval.low, ppv.interval.high) == pytest.approx((0.05887, 0.08564), abs=5e-6)
    assert npv.value == pytest.approx(0.98314, abs=5e-6)
    assert (npv.interval.low, npv.interval.high) == pytest.approx((0.98095, 0.98508), abs=5e-6)


counts = st.integers(0, 60)


@given(counts, counts, counts, counts, shares)
def test_predictive_values_stay_inside_their_intervals_even_with_empty_cells(tp, fn, fp, tn, prevalence):
    both = predictive_values(tp, fn, fp, tn, prevalence)
    if not (tp + fn and fp + tn):
        assert both is None
        return
    for found, flagged in zip(both, (tp + fp, tn + fn), strict=True):
        assert (found.value is None) == (found.interval is None) == (not flagged)
        if flagged:
            assert 0 <= found.interval.low <= found.value <= found.interval.high <= 1
            assert found.interval.low < found.interval.high
            assert found.interval.method.endswith("adjusted") == (0 in (tp, fn, fp, tn))


# Counted over every table of 30 positives and 60 negatives.
@pytest.mark.parametrize(("recall", "false_positives"), [(0.8, 0.1), (0.6, 0.3), (0.95, 0.05)])
def test_predictive_values_cover(recall, false_positives):
    from scipy.stats import binom

    covered = total = 0.0
    for tp in range(31):
        for fp in range(61):
            chance = binom.pmf(tp, 30, recall) * binom.pmf(fp, 60, false_positives)
            ppv = predictive_values(tp, 30 - tp, fp, 60 - fp, 0.02)[0]
            truth = precision_at(recall, false_positives, 0.02)
            if ppv.interval is not None:
                covered += chance * (ppv.interval.low <= truth <= ppv.interval.high)
                total += chance
    assert covered / total > 0.93


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: true_share(1.2, 0.9, 0.9), "apparent .* 1.2"),
        (lambda: true_share(0.2, 0.9, float("nan")), "specificity .* nan"),
        (lambda: rogan_gladen((5, 4), (1, 2), (1, 2)), "judged .* 5 of 4"),
        (lambda: rogan_gladen((1, 4), (0, 0), (1, 2)), "sensitivity .* 0 of 0"),
        (lambda: rogan_gladen((1, 4), (1, 2), (0.5, 2)), "specificity .* 0.5 of 2"),
        (lambda: rogan_gladen((1, 4), (1, 2), (1, 2), level=95), "95"),
        (lambda: precision_at(0.5, 0.5, -1), "prevalence .* -1"),
        (lambda: predictive_values(1, 1, -1, 1, 0.5), "fp .* -1"),
        (lambda: predictive_values(1, float("nan"), 1, 1, 0.5), "fn .* nan"),
        (lambda: predictive_values(1, 1, 1, float("inf"), 0.5), "tn .* inf"),
        (lambda: predictive_values(1, 1, 1, 1, 0.0), "prevalence .* 0.0"),
        (lambda: recalibrate([1.5], 0.5, 0.1), "got 1.5"),
        (lambda: recalibrate([], 0.5, 0.1), "at least one"),
        (lambda: prevalence_weights(0.0, 0.1), "observed .* 0.0"),
    ],
)
def test_bad_input_is_refused_with_its_value(call, named):
    with pytest.raises(ValueError, match=named):
        call()


def test_nothing_flagged_has_no_precision():
    assert precision_at(0, 0, 0.5) is None
    assert np.isclose(precision_at(0.2, 0, 0.5), 1)
