from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from bakeoff.stats.classes.cost import bayes_threshold, best_action, cost_curve, error_cost, expected_cost

prices = st.floats(0, 100)


# Elkan 2001: a missed positive ten times as dear.
def test_the_bayes_threshold():
    assert bayes_threshold(1, 10) == pytest.approx(0.0909, abs=5e-5)
    assert bayes_threshold(1, 1) == 0.5


@given(st.floats(0, 1), prices, prices)
def test_flagging_from_the_threshold_on_is_the_cheaper_action(p, false_positive, false_negative):
    if not false_positive + false_negative:
        return
    flagging, sparing = (1 - p) * false_positive, p * false_negative
    if abs(flagging - sparing) > 1e-9:
        assert (flagging < sparing) == (p >= bayes_threshold(false_positive, false_negative))
        assert best_action([[1 - p, p]], [[0, false_positive], [false_negative, 0]])[0] == (
            flagging < sparing
        )


def test_the_best_of_three_actions():
    costs = [[0, 2, 10], [8, 2, 0]]  # let pass, ask, block; for good and for bad
    assert best_action([[0.9, 0.1], [0.5, 0.5], [0.05, 0.95]], costs).tolist() == [0, 1, 2]
    assert best_action([[0.5, 0.5]], [[1, 1], [1, 1]]).tolist() == [0]


# By hand: .01 of the cases cost .2 * 50, the others .1 * 1.
def test_the_cost_of_a_thousand_cases():
    counts, costs = [[90, 10], [4, 16]], [[0, 1], [50, 0]]
    assert expected_cost(counts, costs, [0.99, 0.01]) == pytest.approx(1_000 * (0.99 * 0.1 + 0.01 * 10))
    found = error_cost(4, 20, 10, 100, false_positive=1, false_negative=50, prevalence=0.01)
    assert found.value == pytest.approx(199)


def test_a_class_that_does_not_occur_need_not_have_been_seen():
    costs = [[0, 1], [50, 0]]
    assert expected_cost([[9, 1], [0, 0]], costs, [1, 0]) == pytest.approx(100)
    assert expected_cost([[9, 1], [0, 0]], costs, [0.9, 0.1]) is None


@given(
    st.integers(1, 40).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
    st.integers(1, 40).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
    st.floats(0.01, 0.99),
)
def test_the_interval_contains_the_cost_and_never_collapses(missed, alarms, prevalence):
    found = error_cost(*missed, *alarms, false_positive=1, false_negative=10, prevalence=prevalence)
    assert found.interval.low >= -1e-9
    assert found.interval.low <= found.value <= found.interval.high <= 1_000 * 10
    assert found.interval.high - found.interval.low > 1


# Counted over every table. One alarm in a hundred is where Wilson's interval for 100 items covers least.
@pytest.mark.parametrize(
    ("missed", "alarms", "lowest"), [(0.2, 0.05, 0.94), (0.05, 0.01, 0.915), (0.5, 0.3, 0.94)]
)
def test_the_true_cost_is_covered(missed, alarms, lowest):
    truth = 1_000 * (0.02 * 20 * missed + 0.98 * alarms)
    covered = 0.0
    for fn in range(31):
        for fp in range(101):
            found = error_cost(fn, 30, fp, 100, false_positive=1, false_negative=20, prevalence=0.02)
            chance = binom.pmf(fn, 30, missed) * binom.pmf(fp, 100, alarms)
            covered += chance * (found.interval.low <= truth <= found.interval.high)
    assert covered > lowest


def test_without_positives_or_negatives_there_is_no_cost():
    for empty in ((0, 0, 1, 5), (1, 5, 0, 0)):
        assert error_cost(*empty, false_positive=1, false_negative=1, prevalence=0.5) is None
    assert cost_curve([1, 2], [1, 1], false_positive=1, false_negative=1, prevalence=0.5) is None


scored = st.lists(
    st.tuples(st.sampled_from([0.1, 0.2, 0.5, 0.9]), st.integers(0, 1)), min_size=2, max_size=30
)


@given(scored, st.floats(0.01, 0.99))
def test_every_point_of_the_curve_is_the_cost_of_its_threshold(rows, prevalence):
    scores, labels = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    curve = cost_curve(scores, labels, false_positive=2, false_negative=7, prevalence=prevalence)
    if curve is None:
        assert labels.min() == labels.max()
        return
    assert curve.thresholds[0] == inf
    assert sorted(curve.thresholds[1:], reverse=True) == list(curve.thresholds[1:])
    assert set(curve.thresholds[1:]) == set(scores)
    for threshold, cost in zip(curve.thresholds, curve.costs, strict=True):
        flagged = scores >= threshold
        fn, fp = int((~flagged & (labels == 1)).sum()), int((flagged & (labels == 0)).sum())
        plain = error_cost(
            fn, int(labels.sum()), fp, int((1 - labels).sum()),
            false_positive=2, false_negative=7, prevalence=prevalence,
        )  # fmt: skip
        assert cost == pytest.approx(plain.value)


# The threshold chosen on the items themselves looks cheaper than it is on others.
def test_a_threshold_tuned_on_the_test_is_optimistic():
    random = np.random.default_rng(0)
    seen, real = [], []
    for _ in range(200):
        curves = []
        for _ in range(2):
            labels = np.arange(60) < 20
            scores = random.normal(labels * 1.0, 1)
            curves.append((scores, labels))
        first = cost_curve(*curves[0], false_positive=1, false_negative=2, prevalence=1 / 3)
        best = int(np.argmin(first.costs))
        other = cost_curve(*curves[1], false_positive=1, false_negative=2, prevalence=1 / 3)
        seen.append(first.costs[best])
        real.append(other.costs[sum(t >= first.thresholds[best] for t in other.thresholds) - 1])
    assert np.mean(seen) < np.mean(real) - 20


COSTS = {"false_positive": 1, "false_negative": 1, "prevalence": 0.5}


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: bayes_threshold(-1, 1), "false_positive .* -1"),
        (lambda: bayes_threshold(1, inf), "false_negative .* inf"),
        (lambda: bayes_threshold(0, 0), "0 and 0"),
        (lambda: best_action([[0.5, 0.4]], [[0, 1], [1, 0]]), "item 0 .* 0.4"),
        (lambda: best_action([[1.0]], [[0, 1], [1, 0]]), "1 classes, got 2"),
        (lambda: expected_cost([[1, 2]], [[1]], [1]), r"\(1, 2\), \(1, 1\)"),
        (lambda: expected_cost([[-1, 2]], [[1, 1]], [1]), "got -1"),
        (lambda: expected_cost([[1, 2]], [[1, 1]], [0.5]), r"\[0.5\]"),
        (lambda: error_cost(6, 5, 0, 1, **COSTS), "fn .* 5, got 6"),
        (lambda: error_cost(1, 5, -1, 1, **COSTS), "fp .* got -1"),
        (lambda: error_cost(1, 5, 1, 1, **{**COSTS, "prevalence": 1.0}), "prevalence .* 1.0"),
        (lambda: error_cost(1, 5, 1, 1, **COSTS, level=95), "95"),
        (lambda: cost_curve([1], [1, 0], **COSTS), "1 scores and 2 labels"),
        (lambda: cost_curve([1, 2], [1, 3], **COSTS), "got 3"),
    ],
)
def test_bad_input_is_refused_with_its_value(call, named):
    with pytest.raises(ValueError, match=named):
        call()
