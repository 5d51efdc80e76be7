import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.stats.ratings import Battles, Pairs, bradley_terry, pairs_of
from tests.stats.ratings.votes import arena, battles, connected, llmfao, renamed, table, two_each


def test_two_models_have_the_odds_of_their_votes():
    fit = bradley_terry(Pairs.of_counts([[0, 30], [10, 0]], [[0, 8], [8, 0]]))
    odds = np.log(34 / 14)
    assert fit.strength == pytest.approx([odds / 2, -odds / 2])
    # Of 48 votes and one more: wins, losses and ties around p, and one with p (1 - p); over (N p (1 - p))².
    p = 34 / 48
    squares = 30 * (1 - p) ** 2 + 10 * p**2 + 8 * (0.5 - p) ** 2 + 2 * p * (1 - p)
    variance = squares / (48 * p * (1 - p)) ** 2
    difference = fit.covariance[0, 0] + fit.covariance[1, 1] - 2 * fit.covariance[0, 1]
    assert difference == pytest.approx(variance)


def test_three_models_in_a_ring_are_equal():
    won = np.array([[0, 3, 0], [0, 0, 3], [3, 0, 0]])
    assert bradley_terry(Pairs.of_counts(won, np.zeros((3, 3)))).strength == pytest.approx([0, 0, 0])


# Agresti 2002 (Categorical Data Analysis, section 10.6.1): home and away games of the American League's East
# in 1987; strengths with Baltimore's at 0, to two digits.
def test_baseball_teams_of_1987():
    won = np.array(
        [
            [0, 7, 9, 7, 7, 9, 11],
            [6, 0, 7, 5, 11, 9, 9],
            [4, 6, 0, 7, 7, 8, 12],
            [6, 8, 6, 0, 6, 7, 10],
            [6, 2, 6, 7, 0, 7, 12],
            [4, 4, 5, 6, 6, 0, 6],
            [2, 4, 1, 3, 1, 7, 0],
        ]
    )
    strength = bradley_terry(Pairs.of_counts(won, np.zeros((7, 7)))).strength
    published = [1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0]
    assert strength - strength[-1] == pytest.approx(published, abs=0.006)


def test_scikit_learns_logistic_regression_gives_the_same():
    linear = pytest.importorskip("sklearn.linear_model")
    random = np.random.default_rng(3)
    votes = connected(8, random, 400)
    design = np.eye(8)[votes.first] - np.eye(8)[votes.second]
    # A tie is half a vote for either side.
    oracle = linear.LogisticRegression(C=1e12, tol=1e-10, fit_intercept=False, max_iter=10_000)
    oracle.fit(
        np.concatenate([design, design]),
        np.repeat([1, 0], len(votes)),
        sample_weight=np.concatenate([votes.outcome, 1 - votes.outcome]),
    )
    expected = oracle.coef_[0] - oracle.coef_[0].mean()
    assert bradley_terry(pairs_of(votes)).strength == pytest.approx(expected, abs=1e-5)


def test_the_covariance_is_the_sandwich_written_out_vote_by_vote():
    random = np.random.default_rng(5)
    votes = connected(5, random, 3_000)
    votes = Battles(5, votes.first, votes.second, votes.outcome, random.uniform(0.5, 2, len(votes)))
    fit = bradley_terry(pairs_of(votes))
    design = np.eye(5)[votes.first] - np.eye(5)[votes.second]
    p = 1 / (1 + np.exp(-design @ fit.strength))
    information = design.T @ (design * (votes.weight * p * (1 - p))[:, None])
    score = design * (votes.weight * (votes.outcome - p))[:, None]
    bread = np.linalg.pinv(information, rcond=1e-9)
    plain = bread @ score.T @ score @ bread
    # Beside 1,200 votes a model has one vote more of its own and parts of the others', as surprising as
    # votes without ties, where a third here are ties.
    ratio = np.diag(fit.covariance) / np.diag(plain)
    assert (ratio > 1 + 2 / 1_200).all()
    assert (ratio < 1 + 4 / 1_200).all()


def test_a_model_known_by_three_ties_only_is_not_known_exactly():
    won = np.array([[0, 300, 0], [300, 0, 0], [0, 0, 0]])
    tied = np.zeros((3, 3))
    tied[0, 2] = tied[2, 0] = 3
    fit = bradley_terry(Pairs.of_counts(won, tied))
    assert fit.strength == pytest.approx([0, 0, 0])
    # A vote's worth, .25, over (3 · .25)², and little for the others.
    difference = fit.covariance[2, 2] + fit.covariance[0, 0] - 2 * fit.covariance[2, 0]
    assert difference == pytest.approx(0.25 / 0.75**2, rel=0.02)


@given(battles(), st.randoms(use_true_random=False))
def test_names_sides_and_order_change_nothing(votes, shuffle):
    fit = bradley_terry(pairs_of(votes))
    order = list(range(votes.models))
    shuffle.shuffle(order)
    other = renamed(votes, order)
    turned = Battles(other.models, other.second[::-1], other.first[::-1], 1 - other.outcome[::-1])
    there = bradley_terry(pairs_of(turned))
    if not np.array_equal(there.rated[order], fit.rated):
        # Of two sets of one size and with as many votes, the first by number is rated.
        assert there.rated.sum() == fit.rated.sum()
        return
    assert np.allclose(there.strength[order], fit.strength, atol=1e-7, equal_nan=True)
    assert np.allclose(there.covariance[np.ix_(order, order)], fit.covariance, rtol=1e-6, equal_nan=True)


@given(battles())
def test_a_vote_twice_pulls_as_one_of_weight_2(votes):
    twice = Battles(votes.models, *(np.tile(x, 2) for x in (votes.first, votes.second, votes.outcome)))
    heavy = Battles(votes.models, votes.first, votes.second, votes.outcome, np.full(len(votes), 2.0))
    one, other = bradley_terry(pairs_of(twice)), bradley_terry(pairs_of(heavy))
    assert np.allclose(one.strength, other.strength, equal_nan=True)


@given(battles(most=60))
def test_each_model_is_expected_to_score_what_it_scored(votes):
    """The likelihood equations of ties as half."""
    pairs = pairs_of(votes)
    fit = bradley_terry(pairs)
    if not fit.rated.any():
        return
    inner, r = pairs.among(fit.rated), fit.strength[fit.rated]
    assert r.mean() == pytest.approx(0, abs=1e-9)
    p = 1 / (1 + np.exp(np.subtract.outer(r, r).T))
    assert (inner.battles * p).sum(axis=1) == pytest.approx(inner.points.sum(axis=1), abs=1e-6)


@given(battles(most=60))
def test_the_covariance_is_one_of_strengths_with_mean_0(votes):
    fit = bradley_terry(pairs_of(votes))
    inner = fit.covariance[np.ix_(fit.rated, fit.rated)]
    assert np.allclose(inner.sum(axis=0), 0, atol=1e-8 * max(1.0, np.abs(inner).max(initial=0)))
    if inner.size:
        assert np.linalg.eigvalsh(inner)[0] > -1e-9 * inner.max()
        assert (np.diag(inner) > 0).all()


def test_only_votes_among_rated_models_count():
    random = np.random.default_rng(2)
    votes = connected(4, random)
    # Model 4 loses each time, model 5 has never voted on.
    with_loser = Battles(
        6,
        np.append(votes.first, [0, 1, 2]),
        np.append(votes.second, [4, 4, 4]),
        np.append(votes.outcome, [1, 1, 1]),
    )
    fit = bradley_terry(pairs_of(with_loser))
    assert fit.standing.status[4:] == ("winless", "unseen")
    assert fit.strength[:4] == pytest.approx(bradley_terry(pairs_of(votes)).strength)
    assert np.isnan(fit.strength[4:]).all()


def test_from_an_earlier_fit_one_more_vote_takes_fewer_steps():
    random = np.random.default_rng(4)
    pairs = pairs_of(connected(20, random, 5_000))
    before = bradley_terry(pairs)
    pairs.add(3, 7, 0.5)
    cold, warm = bradley_terry(pairs), bradley_terry(pairs, start=before)
    assert np.allclose(warm.strength, cold.strength, atol=1e-9)
    assert warm.iterations < cold.iterations
    with pytest.raises(ValueError, match="start must have 20 models as the votes do, got 2"):
        bradley_terry(pairs, start=bradley_terry(Pairs.of_counts([[0, 1], [1, 0]], np.zeros((2, 2)))))


@pytest.mark.parametrize("odds", [1e2, 1e6])
def test_lopsided_votes_are_fitted_to_the_end(odds):
    ladder = np.zeros((6, 6))
    for i in range(5):
        ladder[i, i + 1], ladder[i + 1, i] = odds, 1
    fit = bradley_terry(Pairs.of_counts(ladder, np.zeros((6, 6))))
    assert -np.diff(fit.strength) == pytest.approx([np.log(odds)] * 5, rel=1e-6)


@pytest.mark.parametrize("odds", [1e2, 1e4, 1e6])
def test_from_an_earlier_fit_that_is_all_wrong_the_same_is_found(odds):
    """A full step of Newton's method from there would lead far beyond."""
    ladder = np.diag(np.full(5, odds), 1) + np.diag(np.ones(5), -1)
    before = bradley_terry(Pairs.of_counts(ladder.T, np.zeros((6, 6))))
    pairs = pairs_of(connected(6, np.random.default_rng(6), 300))
    assert bradley_terry(pairs, start=before).strength == pytest.approx(bradley_terry(pairs).strength)


def test_a_chain_of_many_models_is_fitted():
    ladder = np.diag(np.full(299, 2.0), 1) + np.diag(np.full(299, 1.0), -1)
    fit = bradley_terry(Pairs.of_counts(ladder, np.zeros((300, 300))))
    assert -np.diff(fit.strength) == pytest.approx([np.log(2)] * 299, rel=1e-6)


def test_reweighting_asks_for_pairs_alike_when_no_strengths_explain_the_votes():
    """Three in a ring, one pair voted on ten times as often: its votes no longer decide."""
    won = np.array([[0, 800, 20], [200, 0, 80], [80, 20, 0]], dtype=float)
    pairs = Pairs.of_counts(won, np.zeros((3, 3)))
    even = Pairs.of_counts(won / pairs.battles.clip(1), np.zeros((3, 3)))
    assert bradley_terry(pairs.reweighted(50)).strength == pytest.approx(bradley_terry(even).strength)
    assert bradley_terry(even).strength == pytest.approx([0, 0, 0], abs=1e-9)
    assert bradley_terry(pairs).strength[0] > 0.1


@pytest.mark.data
def test_the_board_of_2024_08_14_is_refitted_from_1_670_250_votes(data_dir):
    names, pairs = arena(data_dir / "arena_20240814")
    assert pairs.battles.sum() / 2 == 1_670_250
    fit = bradley_terry(pairs)
    points = 400 / np.log(10)
    reference = {row["model"]: row for row in table(data_dir / "arena_20240814" / "refit_reference.csv")}
    scores = np.array([float(reference[name]["bt"]) for name in names])
    errors = np.array([float(reference[name]["se_centred"]) for name in names])
    assert points * fit.strength == pytest.approx(scores - scores.mean(), abs=1e-6)
    assert points * np.sqrt(np.diag(fit.covariance)) == pytest.approx(errors, rel=1e-3)


@pytest.mark.data
def test_evalicas_golden_scores_of_llmfao(data_dir):
    names, votes, *_ = llmfao(data_dir / "llmfao")
    golden = {
        row["item"]: float(row["score"])
        for row in table(data_dir / "llmfao" / "evalica_golden_scores.csv")
        if row["algorithm"] == "bradley_terry"
    }
    log = np.log([golden[name] for name in names])
    assert bradley_terry(pairs_of(votes)).strength == pytest.approx(log - log.mean(), abs=1e-8)


def test_strengths_come_back():
    random = np.random.default_rng(0)
    truth = np.linspace(-1, 1, 10)
    first, second = two_each(10, 100_000, random)
    p = 1 / (1 + np.exp(truth[second] - truth[first]))
    fit = bradley_terry(pairs_of(Battles(10, first, second, (random.random(len(p)) < p).astype(float))))
    assert np.abs((fit.strength - truth) / np.sqrt(np.diag(fit.covariance))).max() < 4
