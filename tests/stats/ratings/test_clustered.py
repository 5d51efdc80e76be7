import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.stats.ratings import Battles, bradley_terry, clustered, pairs_of
from bakeoff.stats.ratings.battles import reweighted
from tests.stats.ratings.votes import battles, connected, llmfao


def written_out(votes, fit, *keys):
    """The clustered covariance from the score vector of each vote, with neither a floor nor one vote more."""
    design = np.eye(votes.models)[votes.first] - np.eye(votes.models)[votes.second]
    p = 1 / (1 + np.exp(-design @ fit.strength))
    hessian = design.T @ (design * (votes.weights * p * (1 - p))[:, None])
    # One eigenvalue is 0 but for rounding, which differs between processors.
    bread = np.linalg.pinv(hessian, rcond=1e-9, hermitian=True)
    score = design * (votes.weights * (votes.outcome - p))[:, None]

    def meat(key):
        groups = sorted(set(key))
        sums = np.array([score[[k == group for k in key]].sum(axis=0) for group in groups])
        return len(groups) / (len(groups) - 1) * sums.T @ sums

    total = sum(meat(key) for key in keys)
    if len(keys) == 2:
        total = total - meat(list(zip(*keys, strict=True)))
    return bread @ total @ bread


def loud(votes, random, size=20):
    """Voters of `size` votes each, each in favour of some models: far from independent."""
    voter = np.arange(len(votes)) // size
    taste = random.normal(0, 1.5, (voter.max() + 1, votes.models))
    z = taste[voter, votes.first] - taste[voter, votes.second]
    outcome = (random.random(len(votes)) < 1 / (1 + np.exp(-z))).astype(float)
    return Battles(votes.models, votes.first, votes.second, outcome), voter


def test_one_key_is_the_formula_written_out():
    random = np.random.default_rng(1)
    votes, voter = loud(connected(5, random, 3_000), random)
    fit = bradley_terry(pairs_of(votes))
    found = clustered(fit, votes, [voter])
    assert found.covariance == pytest.approx(written_out(votes, fit, voter.tolist()), abs=1e-12)
    assert np.array_equal(found.strength, fit.strength)


def test_two_keys_are_the_formula_written_out():
    random = np.random.default_rng(2)
    votes, voter = loud(connected(4, random, 2_000), random)
    weights = random.uniform(0.5, 2, len(votes))
    votes = Battles(4, votes.first, votes.second, votes.outcome, weights)
    prompt = random.integers(0, 50, len(votes))
    fit = bradley_terry(pairs_of(votes))
    found = clustered(fit, votes, [voter.astype(str).tolist(), prompt])
    assert found.covariance == pytest.approx(
        written_out(votes, fit, voter.tolist(), prompt.tolist()), abs=1e-12
    )


def test_a_vote_a_cluster_is_independent_votes():
    votes = connected(5, np.random.default_rng(3), 2_000)
    fit = bradley_terry(pairs_of(votes))
    alone = clustered(fit, votes, [np.arange(len(votes))])
    assert alone.covariance == pytest.approx(fit.covariance, abs=1e-9)
    assert alone.df == pytest.approx(len(votes) - 1)


@given(battles(st.integers(2, 5), most=40), st.integers(2, 6), st.booleans())
def test_no_variance_is_below_that_of_independent_votes(votes, size, two):
    fit = bradley_terry(pairs_of(votes))
    key = np.arange(len(votes)) % size
    keys = [key, np.arange(len(votes)) // 3] if two else [key]
    if not fit.rated.any() or any(len(set(k[votes.between(fit.rated)])) < 2 for k in keys):
        return
    found = clustered(fit, votes, keys)
    rated = np.ix_(fit.rated, fit.rated)
    v, plain = found.covariance[rated], fit.covariance[rated]
    largest = np.abs(v).max()

    def of_pairs(c):
        return np.add.outer(np.diag(c), np.diag(c)) - 2 * c

    assert (of_pairs(v) > of_pairs(plain) - 1e-8 * largest).all()
    assert np.linalg.eigvalsh(v)[0] > -1e-8 * largest
    assert v.sum(axis=0) == pytest.approx(np.zeros(len(v)), abs=1e-8 * max(1, largest))


def test_votes_that_balance_inside_clusters_are_not_worth_more_than_independent_ones():
    """A judge asked in both orders that always prefers the first answer."""
    first, second = np.tile([0, 1, 1, 2, 2, 0], 50), np.tile([1, 0, 2, 1, 0, 2], 50)
    votes = Battles(3, first, second, np.ones(300))
    fit = bradley_terry(pairs_of(votes))
    found = clustered(fit, votes, [np.arange(300) // 2])
    assert np.diag(found.covariance) == pytest.approx(np.diag(fit.covariance))


def test_clusters_again_are_the_same_clusters():
    random = np.random.default_rng(7)
    votes, voter = loud(connected(4, random, 400), random)
    once = clustered(bradley_terry(pairs_of(votes)), votes, [voter])
    assert np.array_equal(clustered(once, votes, [voter]).covariance, once.covariance)
    prompts = clustered(once, votes, [np.arange(len(votes)) % 100])
    assert np.diag(prompts.covariance).sum() < np.diag(once.covariance).sum()


def test_reweighted_votes_have_reweighted_clusters():
    random = np.random.default_rng(8)
    votes, voter = loud(connected(5, random, 2_000), random)
    light = reweighted(votes, 10)
    fit = bradley_terry(pairs_of(votes).reweighted(10))
    expected = written_out(light, fit, voter.tolist())
    assert clustered(fit, light, [voter]).covariance == pytest.approx(expected, rel=1e-6, abs=1e-9)
    with pytest.raises(ValueError, match="not the one of bradley_terry on these votes"):
        clustered(fit, votes, [voter])


def test_votes_without_a_rated_model_have_nothing_to_widen():
    votes = Battles(2, np.array([0, 0]), np.array([1, 1]), np.array([1.0, 1.0]))
    fit = bradley_terry(pairs_of(votes))
    assert clustered(fit, votes, [[0, 1]]) is fit


def test_votes_of_unrated_models_do_not_count():
    random = np.random.default_rng(4)
    votes, voter = loud(connected(4, random, 400), random)
    more = Battles(
        5,
        np.append(votes.first, [0, 1]),
        np.append(votes.second, [4, 4]),
        np.append(votes.outcome, [1, 1]),
    )
    found = clustered(bradley_terry(pairs_of(more)), more, [np.append(voter, [900, 901])])
    plain = clustered(bradley_terry(pairs_of(votes)), votes, [voter])
    assert found.covariance[:4, :4] == pytest.approx(plain.covariance)
    assert found.df == plain.df
    assert np.isnan(found.covariance[4]).all()


def test_a_voter_with_half_of_the_votes_leaves_few_degrees_of_freedom():
    votes = connected(3, np.random.default_rng(5), 997)
    voter = np.where(np.arange(1_000) < 500, 0, np.arange(1_000))
    found = clustered(bradley_terry(pairs_of(votes)), votes, [voter])
    # G* = 1000² / (500² + 500)
    assert found.df == pytest.approx(1_000**2 / (500**2 + 500) - 1)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ([], "one or two keys"),
        ([[0]] * 3, "one or two keys .* got 3"),
        ([[0, 1]], "each value needs its group"),
        ([[7] * 63], "two or more"),
    ],
)
def test_clusters_that_are_none_are_refused(keys, message):
    votes = connected(3, np.random.default_rng(0))
    with pytest.raises(ValueError, match=message):
        clustered(bradley_terry(pairs_of(votes)), votes, keys)


def test_the_fit_must_be_of_as_many_models():
    votes = connected(3, np.random.default_rng(0))
    with pytest.raises(ValueError, match="votes are of 3 models and the fit of 4"):
        clustered(bradley_terry(pairs_of(connected(4, np.random.default_rng(0)))), votes, [np.arange(63)])


@pytest.mark.data
def test_llmfaos_workers_widen_the_intervals_and_its_thirteen_prompts_more_so(data_dir):
    _, votes, worker, prompt = llmfao(data_dir / "llmfao")
    fit = bradley_terry(pairs_of(votes))

    def widening(*keys):
        found = clustered(fit, votes, keys)
        return np.sqrt(np.diag(found.covariance) / np.diag(fit.covariance)).mean()

    assert len(set(prompt)) == 13
    assert 1.15 < widening(worker) < 1.3 < widening(prompt) < widening(worker, prompt)
