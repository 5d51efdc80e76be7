import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from bakeoff.stats.board.pareto import front, front_with_uncertainty

levels = st.sampled_from([0.0, 0.5, 1.0, 2.0])
boards = st.lists(st.tuples(levels, levels, levels), min_size=1, max_size=8)


def paired(quality, items=400, seed=0, sd=0.5, shared=0.7):
    """Scores of models on the same items around their true quality, and the covariance of their means."""
    random = np.random.default_rng(seed)
    common = random.normal(size=items) * sd * shared**0.5
    scores = (
        np.array(quality)[:, None]
        + common
        + random.normal(size=(len(quality), items)) * sd * (1 - shared) ** 0.5
    )
    return scores.mean(axis=1), np.cov(scores) / items


@given(boards)
def test_a_model_is_off_where_another_is_nowhere_worse_and_somewhere_better(rows):
    quality, cost, latency = zip(*rows, strict=True)
    for (q, c, t), on in zip(rows, front(quality, cost, latency), strict=True):
        dominators = [r for r in rows if r[0] >= q and r[1] <= c and r[2] <= t and r != (q, c, t)]
        assert on == (not dominators)


def test_latency_can_save_a_model_that_costs_more_for_less():
    quality, cost = [0.9, 0.8, 0.7], [1, 2, 3]
    assert front(quality, cost) == (True, False, False)
    assert front(quality, cost, [9, 5, 5]) == (True, True, False)


@given(boards)
def test_without_uncertainty_it_is_the_plain_front(rows):
    quality, cost, latency = zip(*rows, strict=True)
    found = front_with_uncertainty(quality, np.zeros((len(rows), len(rows))), cost, latency, draws=50)
    assert found.on == front(quality, cost, latency)
    assert found.probability == tuple(float(on) for on in found.on)


# One pair: the critical value is that of one one-sided test, and the dearer model is on the front as often as
# its quality is drawn above the other's.
def test_two_models_are_one_test():
    found = front_with_uncertainty([0.70, 0.66], [[0.0004, 0.0001], [0.0001, 0.0003]], [1, 2], draws=40_000)
    error = (0.0004 + 0.0003 - 0.0002) ** 0.5
    assert found.critical == pytest.approx(norm.ppf(0.95), abs=0.04)
    assert 0.04 / error > found.critical
    assert (found.on, found.beaten_by) == ((True, False), ((), (0,)))
    assert found.probability[0] == 1.0
    dearer = norm.cdf(-0.04 / error)
    assert found.probability[1] == pytest.approx(dearer, abs=4 * (dearer / 40_000) ** 0.5)
    assert front_with_uncertainty([0.69, 0.66], [[0.0004, 0.0001], [0.0001, 0.0003]], [1, 2]).on == (
        True,
        True,
    )


def test_a_model_that_nothing_undercuts_stays_however_bad():
    assert front_with_uncertainty([0.2, 0.9], np.eye(2) * 1e-6, [1, 2]).on == (True, True)
    # Neither is cheaper and quicker, so there is nothing to test.
    found = front_with_uncertainty([0.2, 0.9], np.eye(2) * 1e-6, [1, 2], [2, 1])
    assert (found.on, found.probability, found.critical) == ((True, True), (1.0, 1.0), 0.0)


# Six models as good as each other: the chain of costs has 15 pairs, each of which could remove a model.
def test_more_pairs_need_a_wider_margin():
    mean, covariance = paired([0.5] * 6)
    costs = range(6)
    alone = front_with_uncertainty(mean[:2], covariance[:2, :2], costs[:2]).critical
    together = front_with_uncertainty(mean, covariance, costs).critical
    bonferroni = norm.ppf(1 - 0.05 / 15)
    assert alone < together < bonferroni


def test_models_with_the_same_answers_are_judged_by_what_they_cost():
    mean, covariance = paired([0.5, 0.5])
    index = [0, 1, 0]
    found = front_with_uncertainty(mean[index], covariance[np.ix_(index, index)], [1, 1, 2])
    assert found.on[0]
    assert not found.on[2]
    assert 0 in found.beaten_by[2]
    same = front_with_uncertainty(mean[index], covariance[np.ix_(index, index)], [1, 1, 1])
    assert same.on[0] == same.on[2]
    assert same.probability[0] == same.probability[2] > 0


def test_the_order_of_models_changes_nothing():
    mean, covariance = paired(np.linspace(0.4, 0.6, 8), items=100)
    cost, latency = np.array([3, 1, 2, 2, 5, 4, 4, 1]), np.array([1, 2, 2, 1, 3, 1, 2, 5])
    found = front_with_uncertainty(mean, covariance, cost, latency, draws=500)
    order = np.random.default_rng(1).permutation(8)
    other = front_with_uncertainty(
        mean[order], covariance[np.ix_(order, order)], cost[order], latency[order], draws=500
    )
    assert other.critical == found.critical
    assert other.on == tuple(found.on[m] for m in order)
    assert other.probability == tuple(found.probability[m] for m in order)
    assert [{order[j] for j in winners} for winners in other.beaten_by] == [
        set(found.beaten_by[m]) for m in order
    ]


# 500 boards: the standard error of a share of 0.95 is 0.01. The plain front is the contrast.
@pytest.mark.slow
@pytest.mark.parametrize("shared", [0.0, 0.8])
def test_all_models_that_no_cheaper_one_exceeds_stay_together(shared):
    quality, cost, latency = [0.5] * 8, [1, 2, 3, 4, 5, 6, 7, 7], [1, 1, 2, 2, 1, 3, 3, 4]
    stay = plain = 0
    for seed in range(500):
        mean, covariance = paired(quality, items=300, seed=seed, shared=shared)
        stay += all(front_with_uncertainty(mean, covariance, cost, latency, draws=1_000).on)
        plain += all(front(mean, cost, latency))
    assert stay / 500 == pytest.approx(0.95, abs=4 * 0.01)
    assert plain / 500 < 0.1


def test_a_model_that_is_clearly_worse_and_dearer_leaves():
    mean, covariance = paired([0.8, 0.6, 0.85])
    found = front_with_uncertainty(mean, covariance, [1, 2, 3])
    assert found.on == (True, False, True)
    assert found.beaten_by[1] == (0,)
    assert found.probability[1] < 0.001


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (([], [], []), "quality must hold"),
        (([0.5], [[1]], [1, 2]), "1 models needs its cost, got 2"),
        (([0.5], [[1]], [1], [1, 2]), "1 models needs its latency, got 2"),
        (([0.5], [[1]], [float("nan")]), "cost must be finite, got nan"),
        (([0.5, 0.6], [[1]], [1, 2]), r"\(2, 2\), got \(1, 1\)"),
        (([0.5, 0.6], [[1, 0.5], [0, 1]], [1, 2]), "symmetric"),
        (([0.5, 0.6], [[1, 2], [2, 1]], [1, 2]), "eigenvalue -1"),
    ],
)
def test_bad_input_is_refused_with_its_value(arguments, named):
    with pytest.raises(ValueError, match=named):
        front_with_uncertainty(*arguments)


def test_bad_settings_are_refused_with_their_value():
    with pytest.raises(ValueError, match="95"):
        front_with_uncertainty([0.5], [[1]], [1], level=95)
    with pytest.raises(ValueError, match="draws must be at least 1, got 0"):
        front_with_uncertainty([0.5], [[1]], [1], draws=0)
    with pytest.raises(ValueError, match="2 models needs its cost, got 1"):
        front([0.5, 0.6], [1])
