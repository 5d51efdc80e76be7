import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import optimize, stats

from bakeoff.stats.many.covariance import mean_covariance
from bakeoff.stats.many.selection import first_adjusted

few_scores = st.tuples(st.integers(1, 6), st.integers(2, 30)).flatmap(
    lambda shape: arrays(float, shape, elements=st.sampled_from([0, 0.5, 1]))
)


def test_a_first_far_ahead_is_left_as_it_is():
    found = first_adjusted([0.9, 0.3, 0.2], np.eye(3) * 1e-4)
    assert found.first == (0,)
    assert found.estimate == pytest.approx(0.9, abs=1e-6)
    # But for the tenth of the error rate that the simultaneous interval takes.
    assert (found.interval.low, found.interval.high) == pytest.approx((0.8804, 0.9196), abs=5e-4)


def test_a_small_lead_is_corrected_downwards_and_a_larger_one_less():
    estimates = [first_adjusted([lead, 0, 0], np.eye(3)).estimate - lead for lead in (0.2, 1, 2, 4, 8)]
    assert estimates == sorted(estimates)
    assert estimates[0] < -1
    assert estimates[-1] == pytest.approx(0, abs=0.01)


# Against SciPy's truncated normal and another root finder, with the simultaneous interval in closed form:
# independent models with one variance, level .995, c = Φ⁻¹((1 + .995^(1/m)) / 2).
@pytest.mark.parametrize("means", [[1.0, 0.4, -0.3], [2.0, 1.9], [0.3, 0.1, 0.0, -0.1, -0.2]])
def test_the_hybrid_by_another_implementation(means):
    found = first_adjusted(means, np.eye(len(means)), draws=400_000)
    observed, runner_up = sorted(means)[::-1][:2]
    c = stats.norm.ppf((1 + 0.995 ** (1 / len(means))) / 2)

    def quantile(probability):
        def excess(mu):
            low = max(runner_up, mu - c) - mu
            return stats.truncnorm.cdf(observed, low, c, loc=mu) - probability

        return optimize.brentq(excess, observed - c + 1e-9, observed + c - 1e-9)

    tail = (0.05 - 0.005) / (1 - 0.005) / 2
    expected = (quantile(1 - tail), quantile(0.5), quantile(tail))
    assert (found.interval.low, found.estimate, found.interval.high) == pytest.approx(expected, abs=0.02)


def test_the_hybrid_by_a_published_implementation():
    # honestboard 0.6.1, Board.winner_hybrid: .537621 in (.4342, .6152), its lower limit by simulation.
    random = np.random.default_rng(3)
    luck, hardness = random.random((10, 200)), random.normal(0, 1.5, 200)
    scores = (luck < 1 / (1 + np.exp(hardness - np.linspace(-0.3, 0.3, 10)[:, None]))).astype(float)
    found = first_adjusted(scores.mean(axis=1), mean_covariance(scores))
    assert (found.first, found.observed) == ((9,), 0.545)
    assert found.estimate == pytest.approx(0.537621, abs=1e-4)
    assert (found.interval.low, found.interval.high) == pytest.approx((0.4342, 0.6152), abs=0.003)


def test_two_models_that_tie_are_not_corrected_for_each_other():
    # The mean of two equally noisy models is independent of their difference, whatever it is.
    tied = first_adjusted([0.5, 0.5], np.eye(2) * 1e-4)
    assert tied.first == (0, 1)
    assert tied.estimate == pytest.approx(0.5, abs=1e-6)


def test_models_with_the_very_same_scores_count_as_one():
    scores = np.random.default_rng(0).integers(0, 2, (3, 200)).astype(float)
    twice = np.vstack([scores, scores[np.argmax(scores.mean(axis=1))]])
    once = first_adjusted(scores.mean(axis=1), mean_covariance(scores))
    doubled = first_adjusted(twice.mean(axis=1), mean_covariance(twice))
    assert len(doubled.first) == 2
    assert doubled.estimate == pytest.approx(once.estimate, abs=0.005)


def test_a_first_that_is_right_on_every_item_has_nothing_to_correct_by():
    scores = np.array([[1, 1, 1, 1], [1, 0, 1, 0]])
    assert first_adjusted(scores.mean(axis=1), mean_covariance(scores)) is None


@given(few_scores, st.sampled_from([0.8, 0.95]))
def test_the_interval_holds_the_estimate_and_never_collapses(scores, level):
    means = scores.mean(axis=1)
    found = first_adjusted(means, mean_covariance(scores), level=level, draws=2_000)
    if found is None:
        return
    assert all(means[model] == means.max() for model in found.first)
    assert found.interval.low < found.estimate < found.interval.high


@given(few_scores, st.randoms(use_true_random=False))
def test_the_order_of_models_changes_nothing(scores, order):
    places = list(range(len(scores)))
    order.shuffle(places)
    means, covariance = scores.mean(axis=1), mean_covariance(scores)
    one = first_adjusted(means, covariance, draws=2_000)
    other = first_adjusted(means[places], covariance[np.ix_(places, places)], draws=2_000)
    if one is None:
        assert other is None
        return
    assert sorted(places[model] for model in other.first) == list(one.first)
    assert (other.estimate, other.interval.low, other.interval.high) == pytest.approx(
        (one.estimate, one.interval.low, one.interval.high), abs=1e-6
    )


@pytest.mark.parametrize(
    ("means", "covariance", "level", "named"),
    [
        ([], np.eye(1), 0.95, "means"),
        ([1, 2], np.eye(3), 0.95, "2 by 2"),
        ([1, 2], np.eye(2), 95, "95"),
        ([1, 2], np.zeros((2, 2)), 0.95, "standard error of 0"),
        ([1, 2], np.eye(2), 0.999, "draw more"),
    ],
)
def test_bad_input_is_refused(means, covariance, level, named):
    with pytest.raises(ValueError, match=named):
        first_adjusted(means, covariance, level=level, draws=2_000)
