import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.stats.ratings import Battles, Pairs, bradley_terry, pairs_of, with_ties
from tests.stats.ratings.votes import arena, cast, connected, expected_pairs, llmfao, renamed, table, two_each

MODELS = ["davidson", "rao-kupper"]


def chances(model, z, t):
    """Win, tie and loss as the papers write them."""
    if model == "davidson":
        p, q, nu = np.exp(z / 2), np.exp(-z / 2), np.exp(t)
        total = p + q + nu
        return p / total, nu / total, q / total
    win, loss = 1 / (1 + np.exp(t - z)), 1 / (1 + np.exp(t + z))
    return win, 1 - win - loss, loss


@pytest.mark.parametrize("model", MODELS)
def test_two_models_have_the_shares_of_their_votes(model):
    fit = with_ties(Pairs.of_counts([[0, 50], [20, 0]], [[0, 30], [30, 0]]), model)
    z = fit.fit.strength[0] - fit.fit.strength[1]
    assert fit.probabilities(np.array([z]))[:, 0] == pytest.approx([0.5, 0.3])
    assert fit.fit.log_likelihood == pytest.approx(50 * np.log(0.5) + 30 * np.log(0.3) + 20 * np.log(0.2))
    if model == "davidson":  # ν = tie / √(win · loss), and odds as without ties
        assert (z, fit.tie) == (pytest.approx(np.log(5 / 2)), pytest.approx(np.log(0.3 / np.sqrt(0.1))))


@pytest.mark.parametrize("model", MODELS)
@given(st.floats(-6, 6), st.floats(0.01, 3))
def test_the_chances_are_those_of_the_papers(model, z, t):
    fit = with_ties(Pairs.of_counts([[0, 5], [2, 0]], [[0, 3], [3, 0]]), model)
    fit = type(fit)(fit.model, fit.fit, t, fit.tie_se)
    win, tie = fit.probabilities(np.array([z]))
    assert [win[0], tie[0]] == pytest.approx(chances(model, z, t)[:2], rel=1e-9)
    assert fit.probabilities(np.array([-z]))[1][0] == pytest.approx(tie[0])


@pytest.mark.parametrize("model", MODELS)
def test_a_general_optimiser_finds_nothing_more_likely(model):
    optimize = pytest.importorskip("scipy.optimize")
    votes = connected(6, np.random.default_rng(8), 500)
    found = with_ties(pairs_of(votes), model)

    def loss(x):
        z = x[votes.first] - x[votes.second]
        win, tie, lost = chances(model, z, x[-1])
        return -np.log(np.select([votes.outcome == 1, votes.outcome == 0], [win, lost], tie)).sum()

    best = optimize.minimize(loss, np.append(np.zeros(6), 0.5), method="BFGS", options={"gtol": 1e-5})
    assert found.fit.log_likelihood == pytest.approx(-best.fun, abs=1e-6)
    assert found.fit.strength == pytest.approx(best.x[:6] - best.x[:6].mean(), abs=1e-4)
    assert found.tie == pytest.approx(best.x[-1], abs=1e-4)


@pytest.mark.parametrize("model", MODELS)
def test_the_covariance_is_the_sandwich_of_numeric_derivatives(model):
    votes = connected(4, np.random.default_rng(9), 4_000)
    found = with_ties(pairs_of(votes), model)
    at = np.append(found.fit.strength, found.tie)

    def each(x):
        z = x[votes.first] - x[votes.second]
        win, tie, lost = chances(model, z, x[-1])
        return np.log(np.select([votes.outcome == 1, votes.outcome == 0], [win, lost], tie))

    h, axes = 1e-4, np.eye(5)
    score = np.array([(each(at + h * e) - each(at - h * e)) / (2 * h) for e in axes]).T
    second = [
        [
            sum(s * u * each(at + h * (s * e + u * f)).sum() for s in (1, -1) for u in (1, -1)) / (4 * h * h)
            for f in axes
        ]
        for e in axes
    ]
    bread = np.linalg.pinv(-np.array(second), rcond=1e-6)
    sandwich = bread @ score.T @ score @ bread
    assert np.diag(found.fit.covariance) == pytest.approx(np.diag(sandwich)[:4], rel=4e-3)
    assert found.tie_se**2 == pytest.approx(sandwich[4, 4], rel=1e-3)


@given(st.integers(0, 10_000))
def test_davidsons_strengths_reproduce_what_each_model_scored(seed):
    """Its likelihood equations: points, with ties as half, and the number of ties."""
    pairs = pairs_of(connected(4, np.random.default_rng(seed)))
    found = with_ties(pairs)
    win, tie = found.probabilities(np.subtract.outer(found.fit.strength, found.fit.strength))
    assert (pairs.battles * (win + tie / 2)).sum(axis=1) == pytest.approx(pairs.points.sum(axis=1), abs=1e-6)
    assert (pairs.battles * tie).sum() == pytest.approx(pairs.tied.sum(), abs=1e-6)


@pytest.mark.parametrize("model", MODELS)
def test_a_model_known_by_three_ties_only_is_not_known_exactly(model):
    won, tied = np.zeros((2, 3, 3))
    won[0, 1] = won[1, 0] = tied[0, 1] = tied[1, 0] = 300
    tied[0, 2] = tied[2, 0] = 3
    found = with_ties(Pairs.of_counts(won, tied), model).fit
    assert found.strength == pytest.approx([0, 0, 0])
    se = np.sqrt(found.covariance[2, 2] + found.covariance[0, 0] - 2 * found.covariance[0, 2])
    # Three votes: an even chance would be known to about 2 / √3 log-odds.
    assert 0.5 < se < 2


@pytest.mark.parametrize("model", MODELS)
def test_names_and_sides_change_nothing(model):
    votes = connected(5, np.random.default_rng(1))
    order = np.array([3, 0, 4, 1, 2])
    other = renamed(Battles(5, votes.second, votes.first, 1 - votes.outcome), order)
    one, there = with_ties(pairs_of(votes), model), with_ties(pairs_of(other), model)
    assert there.fit.strength[order] == pytest.approx(one.fit.strength)
    assert (there.tie, there.tie_se) == (pytest.approx(one.tie), pytest.approx(one.tie_se))


def test_rao_and_kuppers_strengths_and_ties_come_back():
    random = np.random.default_rng(0)
    truth = np.linspace(-1, 1, 8)
    found = with_ties(pairs_of(cast(truth, *two_each(8, 100_000, random), random, eta=0.7)), "rao-kupper")
    assert np.abs((found.fit.strength - truth) / np.sqrt(np.diag(found.fit.covariance))).max() < 4
    assert found.tie == pytest.approx(0.7, abs=4 * found.tie_se)
    exact = with_ties(expected_pairs(truth, 0.7), "rao-kupper")
    assert np.append(exact.fit.strength, exact.tie) == pytest.approx(np.append(truth, 0.7))


@pytest.mark.parametrize("model", MODELS)
def test_what_cannot_be_fitted(model):
    nothing = np.zeros((2, 2))
    with pytest.raises(ValueError, match=r"needs both ties and wins .* got weights 0 and 5"):
        with_ties(Pairs.of_counts([[0, 2], [3, 0]], nothing), model)
    with pytest.raises(ValueError, match="got weights 4 and 0"):
        with_ties(Pairs.of_counts(nothing, [[0, 4], [4, 0]]), model)
    with pytest.raises(ValueError, match="none to rate"):
        with_ties(Pairs.of_counts([[0, 2], [0, 0]], nothing), model)


@pytest.mark.parametrize("model", MODELS)
def test_strengths_that_tell_ties_from_wins_without_error_have_no_finite_fit(model):
    """0 beats 1, and 2 between them ties with both: with strengths ever further apart all is certain."""
    pairs = Pairs.of_counts([[0, 9, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 5], [0, 0, 5], [5, 5, 0]])
    assert bradley_terry(pairs).rated.all()
    with pytest.raises(ValueError, match="no single finite maximum"):
        with_ties(pairs, model)


def test_an_unknown_model_is_refused():
    with pytest.raises(ValueError, match="davidson, rao-kupper, got 'glenn'"):
        with_ties(Pairs.of_counts([[0, 2], [1, 0]], [[0, 1], [1, 0]]), "glenn")


@pytest.mark.data
def test_newmans_scores_of_llmfao_are_davidsons(data_dir):
    """Newman 2023 (JMLR 24:238) counts ties as Davidson does; evalica's golden scores, exactly."""
    names, votes, *_ = llmfao(data_dir / "llmfao")
    golden = {
        row["item"]: float(row["score"])
        for row in table(data_dir / "llmfao" / "evalica_golden_scores.csv")
        if row["algorithm"] == "newman"
    }
    log = np.log([golden[name] for name in names])
    assert with_ties(pairs_of(votes)).fit.strength == pytest.approx(log - log.mean(), abs=1e-10)


@pytest.mark.data
def test_the_order_of_the_arenas_first_models_does_not_hang_on_how_ties_count(data_dir):
    _, pairs = arena(data_dir / "arena_20240814")
    first = np.argsort(-bradley_terry(pairs).strength)[:5]
    for model in MODELS:
        found = with_ties(pairs, model)
        assert np.argsort(-found.fit.strength)[:5].tolist() == first.tolist()
        # Three outcomes by their shares alone would have 1.09 a vote.
        assert 1.05 < -found.fit.log_likelihood / (pairs.battles.sum() / 2) < 1.065
