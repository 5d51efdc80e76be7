import numpy as np
import pytest
from hypothesis import given

from bakeoff.stats.ratings import Pairs, bradley_terry, pairs_of
from bakeoff.stats.ratings.bootstrap import bootstrap
from bakeoff.stats.ratings.win_rate import mean_win_rates, pair_win_rates
from tests.stats.ratings.votes import battles, connected


def test_two_models_are_expected_to_win_what_they_won():
    fit = bradley_terry(Pairs.of_counts([[0, 30], [10, 0]], [[0, 8], [8, 0]]))
    pairs, means = pair_win_rates(fit), mean_win_rates(fit)
    assert pairs.rate[0, 1] == pytest.approx(34 / 48)
    assert means.rate == pytest.approx([34 / 48, 14 / 48])
    for name in ("rate", "low", "high"):  # with one opponent they are the same
        assert getattr(means, name) == pytest.approx([getattr(pairs, name)[0, 1], getattr(pairs, name)[1, 0]])


def test_a_mean_is_over_the_others_each_as_often():
    fit = bradley_terry(pairs_of(connected(5, np.random.default_rng(1), 500)))
    rate = pair_win_rates(fit).rate
    assert mean_win_rates(fit).rate == pytest.approx(np.nanmean(rate, axis=1))
    assert np.isnan(np.diag(rate)).all()


@given(battles(most=60))
def test_rates_are_shares_and_the_other_side_has_the_rest(votes):
    fit = bradley_terry(pairs_of(votes))
    pairs, means = pair_win_rates(fit, 0.9), mean_win_rates(fit, 0.9)
    off = np.outer(fit.rated, fit.rated) & ~np.eye(votes.models, dtype=bool)
    assert np.array_equal(np.isnan(pairs.rate), ~off)
    assert pairs.rate[off] + pairs.rate.T[off] == pytest.approx(np.ones(off.sum()))
    assert pairs.low[off] + pairs.high.T[off] == pytest.approx(np.ones(off.sum()))
    assert (pairs.low[off] < pairs.rate[off]).all()
    assert (pairs.rate[off] < pairs.high[off]).all()
    rated = fit.rated
    assert np.array_equal(np.isnan(means.rate), ~rated)
    assert (means.low[rated] >= 0).all()
    assert (means.low[rated] < means.rate[rated]).all()
    assert (means.high[rated] <= 1).all()
    assert np.array_equal(
        np.argsort(means.rate[rated].round(9), kind="stable"),
        np.argsort(fit.strength[rated].round(8), kind="stable"),
    )


def test_intervals_are_those_of_drawn_votes():
    pairs = pairs_of(connected(6, np.random.default_rng(2), 1_500))
    fit = bradley_terry(pairs)
    drawn = bootstrap(pairs, draws=1_500)
    p = 1 / (1 + np.exp(drawn[:, None, :] - drawn[:, :, None]))
    shares = (p.sum(axis=2) - 0.5) / 5
    found = mean_win_rates(fit)
    low, high = np.quantile(shares, [0.025, 0.975], axis=0)
    assert found.low == pytest.approx(low, abs=0.006)
    assert found.high == pytest.approx(high, abs=0.006)


def test_a_level_that_is_none_is_refused():
    fit = bradley_terry(Pairs.of_counts([[0, 3], [1, 0]], np.zeros((2, 2))))
    for rates in (pair_win_rates, mean_win_rates):
        with pytest.raises(ValueError, match="confidence level"):
            rates(fit, 95)
