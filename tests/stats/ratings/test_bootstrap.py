import numpy as np
import pytest

from bakeoff.stats.ratings import Battles, Pairs, bradley_terry, clustered, pairs_of
from bakeoff.stats.ratings import bootstrap as module
from bakeoff.stats.ratings.bootstrap import bootstrap, bootstrap_clusters, percentile_intervals
from tests.stats.ratings.votes import arena, connected, llmfao


def test_the_spread_of_the_draws_is_the_sandwichs():
    pairs = pairs_of(connected(8, np.random.default_rng(1), 6_000))
    drawn = bootstrap(pairs, draws=2_000)
    fit = bradley_terry(pairs)
    assert np.cov(drawn.T) == pytest.approx(fit.covariance, abs=0.1 * np.diag(fit.covariance).max())
    assert drawn.mean(axis=0) == pytest.approx(fit.strength, abs=0.01)


@pytest.mark.parametrize("one_by_one", [True, False])
def test_each_draw_is_fitted_to_the_end(one_by_one, monkeypatch):
    """The same draws, each fitted on its own."""
    pairs = pairs_of(connected(6, np.random.default_rng(2), 600 if not one_by_one else 50))
    seen = []
    original = module._Batch.__call__

    def spied(self, counts):
        seen.append((self.first, self.second, counts.copy()))
        return original(self, counts)

    monkeypatch.setattr(module._Batch, "__call__", spied)
    drawn = bootstrap(pairs, draws=40, seed=5)
    row = 0
    for first, second, counts in seen:
        for k in range(counts.shape[2]):
            won, tied = np.zeros((2, 6, 6))
            won[first, second], won[second, first], tied[first, second] = counts[:, :, k]
            assert won.sum() + tied.sum() == pairs.battles.sum() / 2
            alone = bradley_terry(Pairs.of_counts(won, tied + tied.T))
            if alone.rated.all():
                assert drawn[row] == pytest.approx(alone.strength, abs=1e-4)
            row += 1
    assert row == 40


def test_a_seed_gives_the_same_draws_and_another_others():
    pairs = pairs_of(connected(4, np.random.default_rng(3), 300))
    assert np.array_equal(bootstrap(pairs, draws=20, seed=1), bootstrap(pairs, draws=20, seed=1))
    assert not np.array_equal(bootstrap(pairs, draws=20, seed=1), bootstrap(pairs, draws=20, seed=2))


def test_a_model_that_won_but_once_may_have_lost_everything():
    """Its one win is missing in a draw of 300 with probability (299/300)^300, .37."""
    won = np.zeros((3, 3))
    won[0, 1] = won[1, 0] = 140
    won[0, 2], won[2, 0] = 19, 1
    pairs = Pairs.of_counts(won, np.zeros((3, 3)))
    drawn = bootstrap(pairs, draws=1_000)
    assert np.isneginf(drawn[:, 2]).mean() == pytest.approx((299 / 300) ** 300, abs=0.05)
    assert np.isfinite(drawn[:, :2]).all()
    low_end = percentile_intervals(drawn)[2]
    assert low_end.low == -np.inf
    assert np.isfinite(low_end.high)
    # Where the third is out, the others stay where they were together.
    fit = bradley_terry(pairs)
    out = np.isneginf(drawn[:, 2])
    assert drawn[out][:, :2].mean(axis=1) == pytest.approx(fit.strength[:2].mean())


def test_unrated_models_have_no_draws():
    won = np.array([[0, 5, 3], [4, 0, 2], [0, 0, 0]])
    drawn = bootstrap(Pairs.of_counts(won, np.zeros((3, 3))), draws=10)
    assert np.isnan(drawn[:, 2]).all()
    assert percentile_intervals(drawn)[2] is None
    nobody = bootstrap(Pairs.of_counts([[0, 5], [0, 0]], np.zeros((2, 2))), draws=10)
    assert np.isnan(nobody).all()


def test_clusters_of_one_vote_are_votes():
    votes = connected(5, np.random.default_rng(4), 2_000)
    drawn = bootstrap_clusters(votes, np.arange(len(votes)), draws=1_000)
    fit = bradley_terry(pairs_of(votes))
    ratio = drawn.std(axis=0) / np.sqrt(np.diag(fit.covariance))
    assert ratio == pytest.approx(np.ones(5), abs=0.1)


def test_whole_voters_are_drawn():
    """Of two kinds of voters with opposite tastes, what matters is how many of each are drawn."""
    random = np.random.default_rng(5)
    voter = np.repeat(np.arange(200), 10)
    kind = random.integers(0, 2, 200)[voter]
    first = random.integers(0, 2, 2_000)
    votes = Battles(
        2, first, 1 - first, (random.random(2_000) < np.where(kind == first, 0.9, 0.1)).astype(float)
    )
    drawn = bootstrap_clusters(votes, voter, draws=1_000)
    fit = bradley_terry(pairs_of(votes))
    together = clustered(fit, votes, [voter])
    assert drawn.std(axis=0) == pytest.approx(np.sqrt(np.diag(together.covariance)), rel=0.1)
    assert drawn.std(axis=0)[0] > 2 * np.sqrt(fit.covariance[0, 0])


def test_weights_stay_with_their_votes():
    random = np.random.default_rng(6)
    votes = connected(4, random, 1_500)
    votes = Battles(4, votes.first, votes.second, votes.outcome, random.choice([0.1, 3.0], len(votes)))
    drawn = bootstrap_clusters(votes, np.arange(len(votes)), draws=1_000)
    fit = bradley_terry(pairs_of(votes))
    assert drawn.std(axis=0) / np.sqrt(np.diag(fit.covariance)) == pytest.approx(np.ones(4), abs=0.1)
    with pytest.raises(ValueError, match="weights must be drawn one by one"):
        bootstrap(pairs_of(votes))


def test_percentiles_of_draws_by_hand():
    drawn = np.arange(1.0, 101)[:, None]
    interval = percentile_intervals(drawn, 0.9)[0]
    assert (interval.low, interval.high, interval.method) == (5, 96, "bootstrap")
    cut_off = np.where(drawn > 98, np.nan, drawn)
    assert percentile_intervals(cut_off, 0.99)[0].high == np.inf


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda v: bootstrap(pairs_of(v), draws=0), "at least 1 draw, got 0"),
        (lambda v: bootstrap_clusters(v, np.arange(63), draws=0), "at least 1 draw"),
        (lambda v: bootstrap_clusters(v, [1, 2]), "each value needs its group"),
        (lambda v: bootstrap_clusters(v, [1] * 63), "two or more"),
        (lambda v: percentile_intervals(np.zeros((2, 2)), 95), "confidence level"),
    ],
)
def test_what_cannot_be_drawn_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call(connected(3, np.random.default_rng(0)))


@pytest.mark.data
def test_the_arenas_standard_errors_are_confirmed(data_dir):
    _, pairs = arena(data_dir / "arena_20240814")
    ratio = bootstrap(pairs, draws=200).std(axis=0) / np.sqrt(np.diag(bradley_terry(pairs).covariance))
    assert np.median(ratio) == pytest.approx(1, abs=0.02)


@pytest.mark.data
def test_llmfaos_workers_are_confirmed_too(data_dir):
    _, votes, worker, _ = llmfao(data_dir / "llmfao")
    drawn = bootstrap_clusters(votes, worker, draws=300)
    together = clustered(bradley_terry(pairs_of(votes)), votes, [worker])
    assert np.median(drawn.std(axis=0) / np.sqrt(np.diag(together.covariance))) == pytest.approx(1, abs=0.1)
