import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bakeoff.stats.many.covariance import mean_covariance
from bakeoff.stats.many.deviations import canonical_order, deviations

few_scores = st.tuples(st.integers(1, 6), st.integers(2, 8)).flatmap(
    lambda shape: arrays(float, shape, elements=st.sampled_from([0, 1]))
)


def test_the_draws_have_the_covariance_asked_for():
    covariance = np.array([[4, 1, -2], [1, 1, 0], [-2, 0, 3.0]])
    drawn = deviations(np.arange(3.0), covariance, draws=200_000, seed=3)
    # The standard error of an entry is at most 4 √(2 / 200,000).
    assert np.cov(drawn) == pytest.approx(covariance, abs=0.06)
    assert drawn.mean(axis=1) == pytest.approx(np.zeros(3), abs=0.02)


def test_a_singular_covariance_keeps_what_cannot_vary_fixed():
    shares = np.array([0.5, 0.3, 0.2])
    multinomial = np.diag(shares) - np.outer(shares, shares)
    drawn = deviations(shares, multinomial, draws=1_000, seed=0)
    assert drawn.sum(axis=0) == pytest.approx(np.zeros(1_000), abs=1e-7)
    assert drawn.std(axis=1) == pytest.approx(np.sqrt(shares * (1 - shares)), rel=0.1)


@given(few_scores, st.randoms(use_true_random=False))
def test_each_model_has_its_draws_wherever_it_stands(scores, order):
    """Small tables of right and wrong are full of models that share mean and variance."""
    places = list(range(len(scores)))
    order.shuffle(places)
    means, covariance = scores.mean(axis=1), mean_covariance(scores)
    one = deviations(means, covariance, draws=100, seed=5)
    other = deviations(means[places], covariance[np.ix_(places, places)], draws=100, seed=5)
    # Interchangeable models may swap their draws; as tables of draws both are the same.
    assert _sorted_rows(other) == pytest.approx(_sorted_rows(one), abs=1e-6)
    assert _pairs(means[places], other) == pytest.approx(_pairs(means, one), abs=1e-6)


def test_models_alike_but_for_what_they_share_with_others_are_told_apart():
    # Models 0 and 1 have one mean, one variance and the same covariances, with models 2 and 3 swapped.
    means = np.array([0, 0, 1, 2.0])
    covariance = np.eye(4)
    covariance[0, 2] = covariance[2, 0] = covariance[1, 3] = covariance[3, 1] = 0.5
    order = canonical_order(means, covariance)
    swapped = [1, 0, 2, 3]
    other = canonical_order(means[swapped], covariance[np.ix_(swapped, swapped)])
    assert [swapped[model] for model in other] == order.tolist()


@pytest.mark.parametrize(
    ("covariance", "draws", "named"), [(np.eye(2), 99, "99"), ([[1, 0.9], [0.9, 0.1]], 1_000, "eigenvalue")]
)
def test_bad_input_is_refused(covariance, draws, named):
    with pytest.raises(ValueError, match=named):
        deviations(np.zeros(2), np.array(covariance), draws=draws, seed=0)


def _sorted_rows(drawn):
    return drawn[np.lexsort(np.round(drawn[:, :5], 4).T)]


def _pairs(means, drawn):
    """What a max-t test takes from the draws: the largest difference of a draw among pairs of each gap."""
    gaps = np.round(np.abs(np.subtract.outer(means, means)), 9)
    apart = np.abs(drawn[:, None] - drawn[None])
    return np.array([apart[gaps == gap].max(axis=0) for gap in np.unique(gaps)])
