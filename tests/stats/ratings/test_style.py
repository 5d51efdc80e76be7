import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.stats.ratings import (
    Battles,
    bradley_terry,
    clustered,
    pairs_of,
    relative_difference,
    style_controlled,
)
from bakeoff.stats.ratings import style as module
from tests.stats.ratings.votes import cast, connected, renamed, two_each


def test_scikit_learns_logistic_regression_gives_the_same():
    linear = pytest.importorskip("sklearn.linear_model")
    random = np.random.default_rng(3)
    votes = connected(6, random, 500)
    x = random.normal(size=(len(votes), 3))
    design = np.column_stack([np.eye(6)[votes.first] - np.eye(6)[votes.second], x])
    oracle = linear.LogisticRegression(C=1e12, tol=1e-10, fit_intercept=False, max_iter=10_000)
    weights = np.concatenate([votes.outcome, 1 - votes.outcome])
    oracle.fit(np.tile(design, (2, 1)), np.repeat([1, 0], len(votes)), sample_weight=weights)
    found = style_controlled(votes, x)
    strength = oracle.coef_[0, :6]
    assert found.fit.strength == pytest.approx(strength - strength.mean(), abs=1e-4)
    assert found.coefficient == pytest.approx(oracle.coef_[0, 6:], abs=1e-4)


def written_out(votes, x, found, key):
    design = np.column_stack([np.eye(votes.models)[votes.first] - np.eye(votes.models)[votes.second], x])
    p = 1 / (1 + np.exp(-design @ np.append(found.fit.strength, found.coefficient)))
    bread = np.linalg.pinv(design.T @ (design * (votes.weights * p * (1 - p))[:, None]), rcond=1e-9)
    score = design * (votes.weights * (votes.outcome - p))[:, None]
    groups = key.max() + 1
    sums = np.zeros((groups, design.shape[1]))
    np.add.at(sums, key, score)
    return groups / (groups - 1) * bread @ sums.T @ sums @ bread


def test_the_covariance_is_the_sandwich_written_out_vote_by_vote():
    random = np.random.default_rng(4)
    votes = connected(5, random, 3_000)
    votes = Battles(5, votes.first, votes.second, votes.outcome, random.uniform(0.5, 2, len(votes)))
    x = random.normal(size=(len(votes), 2))
    found = style_controlled(votes, x)
    expected = written_out(votes, x, found, np.arange(len(votes)))
    # A vote more in 1,200 for each model.
    assert np.diag(found.fit.covariance) == pytest.approx(np.diag(expected)[:5], rel=5e-3)
    assert found.coefficient_covariance == pytest.approx(expected[5:, 5:], rel=1e-3, abs=1e-7)


def test_votes_in_clusters_are_the_formula_written_out():
    random = np.random.default_rng(5)
    first, second = two_each(4, 4_000, random)
    voter = np.arange(4_000) // 40
    x = random.normal(size=(4_000, 2))
    # Each voter has a taste of its own in models and in style.
    taste, liking = random.normal(0, 1.5, (100, 4)), random.normal(0.5, 1, (100, 2))
    z = taste[voter, first] - taste[voter, second] + (liking[voter] * x).sum(axis=1)
    outcome = (random.random(4_000) < 1 / (1 + np.exp(-z))).astype(float)
    votes = Battles(4, first, second, outcome)
    found = style_controlled(votes, x, [voter])
    expected = written_out(votes, x, found, voter)
    assert found.fit.covariance == pytest.approx(expected[:4, :4], abs=1e-12)
    assert found.coefficient_covariance == pytest.approx(expected[4:, 4:], abs=1e-12)
    assert found.fit.df == pytest.approx(99)


def test_with_covariates_that_do_nothing_it_is_bradley_terry():
    random = np.random.default_rng(6)
    votes = connected(5, random, 400)
    # Each vote twice, with a covariate and its negative: its coefficient is 0.
    x = random.normal(size=(len(votes), 1))
    twice = Battles(5, *(np.tile(a, 2) for a in (votes.first, votes.second, votes.outcome)))
    found = style_controlled(twice, np.concatenate([x, -x]))
    plain = bradley_terry(pairs_of(twice))
    assert found.coefficient == pytest.approx([0], abs=1e-9)
    assert found.fit.strength == pytest.approx(plain.strength, abs=1e-9)
    assert found.fit.log_likelihood == pytest.approx(plain.log_likelihood)
    assert found.fit.covariance == pytest.approx(plain.covariance, rel=1e-6)


def test_a_planted_coefficient_comes_back_and_leaves_the_strengths():
    """Style confounded with strength: with a penalty against the mean log-likelihood (arena-rank's default)
    the coefficient shrinks to an eighth, and style stays in the strengths.
    """
    random = np.random.default_rng(7)
    truth = np.linspace(-1, 1, 20)
    first, second = two_each(20, 60_000, random)
    x = 0.8 * (truth[first] - truth[second]) + random.normal(size=60_000)
    votes = cast(truth, first, second, random, eta=1e-9, extra=0.25 * x)
    found = style_controlled(votes, x[:, None])
    se = np.sqrt(np.diag(found.coefficient_covariance))
    assert found.coefficient[0] == pytest.approx(0.25, abs=4 * se[0])
    off = (found.fit.strength - truth) / np.sqrt(np.diag(found.fit.covariance))
    assert np.abs(off).max() < 4
    plain = bradley_terry(pairs_of(votes))
    assert np.ptp(plain.strength) > np.ptp(truth) + 0.2


def test_a_column_of_ones_is_what_the_first_place_is_worth():
    random = np.random.default_rng(8)
    votes = cast(np.zeros(4), *two_each(4, 40_000, random), random, eta=1e-9, extra=0.3)
    found = style_controlled(votes, np.ones((40_000, 1)))
    assert found.coefficient[0] == pytest.approx(0.3, abs=0.05)


@given(st.integers(0, 1_000))
def test_names_sides_and_order_change_nothing(seed):
    random = np.random.default_rng(seed)
    votes = connected(4, random, 80)
    x = random.normal(size=(len(votes), 2))
    order = random.permutation(4)
    other = renamed(Battles(4, votes.second[::-1], votes.first[::-1], 1 - votes.outcome[::-1]), order)
    one, there = style_controlled(votes, x), style_controlled(other, -x[::-1])
    assert there.fit.strength[order] == pytest.approx(one.fit.strength, abs=1e-7)
    assert there.coefficient == pytest.approx(one.coefficient, abs=1e-7)
    assert there.coefficient_covariance == pytest.approx(one.coefficient_covariance, rel=1e-5, abs=1e-12)


def test_the_parts_that_votes_are_worked_on_in_change_nothing(monkeypatch):
    random = np.random.default_rng(9)
    votes = connected(5, random, 1_000)
    x = random.normal(size=(len(votes), 2))
    whole = style_controlled(votes, x)
    monkeypatch.setattr(module, "_CHUNK", 7)
    parts = style_controlled(votes, x)
    assert parts.fit.strength == pytest.approx(whole.fit.strength, abs=1e-9)
    assert parts.fit.covariance == pytest.approx(whole.fit.covariance)


def test_only_votes_among_rated_models_count():
    random = np.random.default_rng(10)
    votes = connected(4, random, 200)
    x = random.normal(size=(len(votes), 1))
    more = Battles(
        5, np.append(votes.first, [4, 4]), np.append(votes.second, [0, 1]), np.append(votes.outcome, [1, 1])
    )
    found = style_controlled(more, np.append(x, [[9], [9]], axis=0))
    assert found.fit.strength[:4] == pytest.approx(style_controlled(votes, x).fit.strength)
    assert found.fit.standing.status[4] == "undefeated"
    assert np.isnan(found.fit.strength[4])


def test_covariates_that_cannot_be_told_apart_are_named():
    random = np.random.default_rng(11)
    votes = connected(4, random, 200)
    n = len(votes)
    x = random.normal(size=(n, 2))
    of_the_model = np.array([3.0, 1, 4, 1])
    follows = (of_the_model[votes.first] - of_the_model[votes.second])[:, None]
    with pytest.raises(ValueError, match="covariate 2 is 0 in every vote"):
        style_controlled(votes, np.column_stack([x, np.zeros(n)]))
    with pytest.raises(ValueError, match="covariate 2 says nothing beyond who answered"):
        style_controlled(votes, np.column_stack([x, follows]))
    with pytest.raises(ValueError, match="says nothing beyond"):
        style_controlled(votes, np.column_stack([x, x[:, :1] + 2 * x[:, 1:]]))
    with pytest.raises(ValueError, match="no single finite maximum"):
        style_controlled(votes, np.column_stack([x, 2 * votes.outcome - 1]))


def test_what_is_no_table_of_covariates_is_refused():
    votes = connected(4, np.random.default_rng(0))
    with pytest.raises(ValueError, match="64 votes and 3 rows"):
        style_controlled(votes, np.ones((3, 1)))
    with pytest.raises(ValueError, match="features must be finite"):
        style_controlled(votes, np.full((64, 1), np.nan))
    with pytest.raises(ValueError, match="none to rate"):
        style_controlled(Battles(2, np.array([0]), np.array([1]), np.array([1.0])), np.ones((1, 1)))


def test_relative_differences_by_hand():
    a, b = np.array([[30, 0], [10, 2], [5, 0]]), np.array([[10, 0], [30, 0], [5, 4]])
    found = relative_difference(a, b)
    # .5, -.5, 0 and 0, 1, -1, over their root mean squares.
    assert found[:, 0] == pytest.approx(np.array([0.5, -0.5, 0]) / np.sqrt(0.5 / 3))
    assert found[:, 1] == pytest.approx(np.array([0, 1, -1]) / np.sqrt(2 / 3))
    assert relative_difference(b, a) == pytest.approx(-found)


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([[1]], [[1, 2]], "counted alike"),
        ([[-1]], [[1]], "at least 0, got -1"),
        ([[1], [2]], [[1], [2]], "covariate 0 is the same for both answers"),
    ],
)
def test_counts_that_are_none_are_refused(a, b, message):
    with pytest.raises(ValueError, match=message):
        relative_difference(a, b)


def test_clusters_widen_strengths_as_without_covariates():
    random = np.random.default_rng(12)
    votes = connected(4, random, 996)
    voter = np.arange(1_000) // 10
    x = random.normal(size=(1_000, 1))
    found, plain = (
        style_controlled(votes, x, [voter]),
        clustered(bradley_terry(pairs_of(votes)), votes, [voter]),
    )
    assert found.fit.df == plain.df
    assert np.diag(found.fit.covariance) == pytest.approx(np.diag(plain.covariance), rel=0.05)


def test_clusters_that_balance_inside_do_not_make_a_coefficient_surer():
    """Two votes a cluster, alike but for the outcome: their pulls on the coefficient cancel."""
    first, second = np.tile([0, 0, 1, 1, 2, 2], 60), np.tile([1, 1, 2, 2, 0, 0], 60)
    votes = Battles(3, first, second, np.tile([1.0, 0.0], 180))
    x = np.repeat(np.random.default_rng(13).normal(size=180), 2)[:, None]
    plain, together = style_controlled(votes, x), style_controlled(votes, x, [np.arange(360) // 2])
    assert together.coefficient_covariance == pytest.approx(plain.coefficient_covariance)
