"""A line through the logits: against another implementation, and where one does not exist."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.stats.confidence.logistic import Line, fit_line, logit

ROWS = st.lists(st.tuples(st.integers(0, 100), st.booleans()), min_size=3, max_size=60).filter(
    lambda rows: len({label for _, label in rows}) == 2
)


@pytest.mark.parametrize("intercept", [True, False])
def test_it_is_scikit_learns_logistic_regression_on_platts_targets(intercept):
    linear = pytest.importorskip("sklearn.linear_model")
    random = np.random.default_rng(0)
    p = random.uniform(0.01, 0.99, 300)
    y = (random.random(300) < p**2).astype(int)
    positives, negatives = y.sum(), (1 - y).sum()
    target = np.where(y == 1, (positives + 1) / (positives + 2), 1 / (negatives + 2))
    # A target of .9 is nine tenths of a positive and one of a negative.
    x = np.tile(logit(p), 2)[:, None]
    oracle = linear.LogisticRegression(C=1e10, tol=1e-12, fit_intercept=intercept, max_iter=10_000)
    oracle.fit(x, np.repeat([1, 0], 300), sample_weight=np.concatenate([target, 1 - target]))
    found = fit_line(p, y, intercept=intercept)
    assert found.slope == pytest.approx(oracle.coef_[0, 0], rel=1e-4)
    assert found.intercept == pytest.approx(float(np.ravel(oracle.intercept_)[0]), abs=1e-4)


def test_calibrated_probabilities_stay_and_sharpened_ones_come_back():
    random = np.random.default_rng(1)
    p = random.uniform(0.01, 0.99, 20_000)
    y = (random.random(20_000) < p).astype(int)
    stays = fit_line(p, y)
    assert (stays.slope, stays.intercept) == (pytest.approx(1, abs=0.05), pytest.approx(0, abs=0.05))
    sharp = Line(3.0, 1.0)(p)
    back = fit_line(sharp, y)
    assert (back.slope, back.intercept) == (pytest.approx(1 / 3, abs=0.02), pytest.approx(-1 / 3, abs=0.05))


@given(ROWS, st.booleans())
def test_no_nearby_line_is_more_likely(rows, intercept):
    p, y = np.array([k / 100 for k, _ in rows]), np.array([int(label) for _, label in rows])
    found = fit_line(p, y, intercept=intercept, least=0.005)
    if found is None:
        assert np.ptp(p) == 0
        return
    target = np.where(y == 1, (y.sum() + 1) / (y.sum() + 2), 1 / ((1 - y).sum() + 2))

    def loss(slope, shift):
        z = slope * logit(p, 0.005) + shift
        return (np.logaddexp(0, z) - target * z).sum()

    here = loss(found.slope, found.intercept)
    for a, b in ((1e-2, 0), (-1e-2, 0), (0, 1e-2), (0, -1e-2)):
        if intercept or not b:
            assert loss(found.slope + a, found.intercept + b) >= here - 1e-9


def test_the_whole_line_is_the_share_of_positives_on_average():
    """With an intercept the mean of the moved probabilities is that of the targets."""
    p, y = np.array([0.1, 0.4, 0.35, 0.8, 0.2]), np.array([0, 0, 1, 1, 0])
    assert fit_line(p, y)(p).mean() == pytest.approx((2 * 3 / 4 + 3 * 1 / 5) / 5)


def test_what_cannot_be_fitted_and_what_is_turned_back():
    assert fit_line([0.2, 0.3], [1, 1]) is None
    assert fit_line([0.5, 0.5], [0, 1], intercept=False) is None
    assert fit_line([0.3, 0.3, 0.3], [0, 0, 1]).slope == 1
    assert np.isfinite(fit_line([0.0, 1.0], [0, 1]).slope)  # parted perfectly
    line = Line(0.7, -1.0)
    assert line.before(float(line(np.array([0.3]))[0])) == pytest.approx(0.3)
    assert Line(-0.7, 0).before(0.3) is None
    with pytest.raises(ValueError, match="needs its verdict, got 2 and 1"):
        fit_line([0.1, 0.2], [1])
    with pytest.raises(ValueError, match="between 0 and 1"):
        fit_line([0.1, 20], [1, 0])
