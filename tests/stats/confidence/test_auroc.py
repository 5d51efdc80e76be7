from itertools import product
from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from bakeoff.stats.confidence.auroc import auroc

Z = norm.ppf(0.975)
both_kinds = st.lists(
    st.tuples(st.sampled_from([0.1, 0.5, 0.7, 0.9, 0.95]), st.integers(0, 1)), min_size=2, max_size=80
).filter(lambda rows: len({y for _, y in rows}) == 2)


@given(both_kinds)
def test_it_is_the_share_of_pairs_in_which_the_right_answer_is_surer(rows):
    right, wrong = ([p for p, y in rows if y == kind] for kind in (1, 0))
    pairs = [(a > b) + (a == b) / 2 for a, b in product(right, wrong)]
    assert auroc(*zip(*rows, strict=True)).value == pytest.approx(sum(pairs) / len(pairs), abs=1e-12)


# DeLong, DeLong & Clarke-Pearson 1988, their equations with every pair written out.
def test_delongs_interval_is_that_of_the_structural_components():
    random = np.random.default_rng(0)
    right, wrong = np.round(random.normal(1, 1, 40), 1), np.round(random.normal(0, 1, 25), 1)
    pairs = np.array([[(a > b) + (a == b) / 2 for b in wrong] for a in right])
    area = pairs.mean()
    error = (pairs.mean(axis=1).var(ddof=1) / 40 + pairs.mean(axis=0).var(ddof=1) / 25) ** 0.5
    half, odds = Z * error / (area * (1 - area)), log(area / (1 - area))
    found = auroc([*right, *wrong], [1] * 40 + [0] * 25)
    assert found.interval.method == "delong-logit"
    assert (found.interval.low, found.interval.high) == pytest.approx(
        (1 / (1 + exp(half - odds)), 1 / (1 + exp(-half - odds))), abs=1e-9
    )
    assert (found.right, found.wrong) == (40, 25)


# For as many right as wrong, Newcombe's variance is that of Hanley & McNeil 1982 (Radiology 143:29).
def test_with_few_answers_the_limits_are_z_standard_errors_of_their_own_away():
    found = auroc([9, 8, 7, 4, 6, 3, 2, 1], [1, 1, 1, 1, 0, 0, 0, 0])
    assert found.interval.method == "newcombe-auc"
    for limit in (found.interval.low, found.interval.high):
        q1, q2 = limit / (2 - limit), 2 * limit**2 / (1 + limit)
        variance = (limit * (1 - limit) + 3 * (q1 - limit**2) + 3 * (q2 - limit**2)) / 16
        assert abs(found.value - limit) == pytest.approx(Z * variance**0.5, abs=1e-9)


@pytest.mark.parametrize("correct", [[1, 1, 1], [0, 0, 0]])
def test_with_one_kind_of_answer_there_is_nothing_to_say(correct):
    assert auroc([0.9, 0.8, 0.7], correct) is None


@pytest.mark.parametrize("n", [1, 5, 50])
def test_right_and_wrong_perfectly_apart_still_leave_doubt(n):
    found = auroc([0.9] * n + [0.1] * n, [1] * n + [0] * n)
    assert (found.value, found.interval.high) == (1.0, 1.0)
    assert 0 < found.interval.low < 1
    opposite = auroc([0.1] * n + [0.9] * n, [1] * n + [0] * n)
    assert (opposite.value, opposite.interval.low) == (0.0, 0.0)
    assert opposite.interval.high == pytest.approx(1 - found.interval.low)


def test_equal_confidences_are_a_half_with_doubt_on_both_sides():
    found = auroc([0.95] * 100, [1] * 60 + [0] * 40)
    assert found.value == 0.5
    assert found.interval.low < 0.4
    assert found.interval.high > 0.6


@given(both_kinds)
def test_the_interval_contains_the_area_and_never_collapses(rows):
    found = auroc(*zip(*rows, strict=True))
    assert 0 <= found.interval.low <= found.value <= found.interval.high <= 1
    assert found.interval.high - found.interval.low > 0.001


@given(both_kinds, st.randoms(use_true_random=False))
def test_only_the_order_of_confidences_matters_and_not_that_of_items(rows, order):
    confidence, correct = zip(*rows, strict=True)
    found = auroc(confidence, correct)
    assert auroc([log(p) * 100 for p in confidence], correct) == found
    order.shuffle(shuffled := list(rows))
    assert auroc(*zip(*shuffled, strict=True)) == found
    mirrored = auroc([-p for p in confidence], correct)
    assert mirrored.value == pytest.approx(1 - found.value)
    assert mirrored.interval.low == pytest.approx(1 - found.interval.high, abs=1e-9)


# Normal confidences, 800 draws: the standard error of a coverage is 0.008.
@pytest.mark.slow
@pytest.mark.parametrize("area", [0.5, 0.7, 0.85])
@pytest.mark.parametrize(("n", "right"), [(100, 0.95), (100, 0.9), (100, 0.6), (400, 0.8)])
def test_the_true_area_is_covered(n, right, area):
    random, covered = np.random.default_rng(5), []
    while len(covered) < 800:
        correct = random.random(n) < right
        found = auroc(random.normal(size=n) + 2**0.5 * norm.ppf(area) * correct, correct)
        if found is not None:
            covered.append(found.interval.low <= area <= found.interval.high)
    assert np.mean(covered) > 0.93


def test_it_takes_a_large_benchmark():
    random = np.random.default_rng(6)
    confidence = random.random(200_000)
    # For calibrated uniform confidences P(right surer than wrong) = 5/6.
    assert auroc(confidence, random.random(200_000) < confidence).value == pytest.approx(5 / 6, abs=0.005)


@pytest.mark.parametrize(
    ("confidence", "correct", "named"),
    [([], [], "at least one"), ([1, 2], [1], "2 confidences and 1 verdicts"), ([1], [3], "got 3")],
)
def test_bad_input_is_refused_with_its_value(confidence, correct, named):
    with pytest.raises(ValueError, match=named):
        auroc(confidence, correct)
    with pytest.raises(ValueError, match="95"):
        auroc([1, 2], [0, 1], level=95)


def test_groups_of_one_keep_the_area_and_copies_add_nothing():
    random = np.random.default_rng(0)
    right = (np.arange(200) % 4 == 0).astype(int)
    scores = random.normal(size=200) + right
    alone, single = auroc(scores, right), auroc(scores, right, clusters=np.arange(200))
    assert single.value == alone.value
    width = [each.interval.high - each.interval.low for each in (alone, single)]
    assert width[1] == pytest.approx(width[0], rel=0.03)  # Student's t for the normal
    copied = [np.repeat(each, 5) for each in (scores, right, np.arange(200))]
    found, naive = auroc(*copied[:2], clusters=copied[2]), auroc(*copied[:2])
    assert found.value == pytest.approx(alone.value)
    assert found.interval.high - found.interval.low == pytest.approx(width[0], rel=0.05)
    assert naive.interval.high - naive.interval.low < 0.5 * width[0]


def test_the_clustered_variance_is_obuchowskis():
    """Written out as in the paper: sums of placements by group, with the covariance of the two kinds."""
    random = np.random.default_rng(1)
    group = np.repeat(np.arange(60), 4)
    right = (random.random(240) < 0.4).astype(int)
    scores = random.normal(size=60)[group] + random.normal(size=240) + right
    found = auroc(scores, right, clusters=group)
    x, y = scores[right == 1], scores[right == 0]
    v10 = ((x[:, None] > y) + (x[:, None] == y) / 2).mean(axis=1)
    v01 = ((x[:, None] > y) + (x[:, None] == y) / 2).mean(axis=0)
    area, n = v10.mean(), 60
    s10 = np.array([(v10[group[right == 1] == g] - area).sum() for g in range(n)]) / len(x)
    s01 = np.array([(v01[group[right == 0] == g] - area).sum() for g in range(n)]) / len(y)
    variance = n / (n - 1) * ((s10**2).sum() + (s01**2).sum() + 2 * (s10 * s01).sum())
    from scipy.stats import t

    half = t.ppf(0.975, n - 1) * variance**0.5 / (area * (1 - area))
    odds = np.log(area / (1 - area))
    assert found.interval.method == "clustered-delong-logit"
    assert found.interval.low == pytest.approx(1 / (1 + np.exp(half - odds)))
    assert found.interval.high == pytest.approx(1 / (1 + np.exp(-half - odds)))


def test_few_of_a_kind_in_groups_have_limits_and_one_group_has_none():
    scores, right = [0.9, 0.8, 0.7, 0.2, 0.1, 0.3], [1, 1, 1, 0, 0, 0]
    paired = auroc(scores, right, clusters=[0, 0, 1, 1, 2, 2])
    assert paired.interval.method == "clustered-newcombe-auc"
    assert paired.interval.low < auroc(scores, right).interval.low
    assert (auroc(scores, right, clusters=[0] * 6).interval.low) == 0
