import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.stats.ratings import Battles, Pairs, bradley_terry, pairs_of
from bakeoff.stats.ratings.battles import reweighted
from tests.stats.ratings.votes import battles, renamed


def test_votes_are_counted_whichever_side_the_models_stood_on():
    votes = Battles(3, np.array([0, 1, 0, 2, 2]), np.array([1, 0, 1, 0, 0]), np.array([1, 0, 0, 0.5, 1]))
    pairs = pairs_of(votes)
    assert pairs.won.tolist() == [[0, 2, 0], [1, 0, 0], [1, 0, 0]]
    assert pairs.tied.tolist() == [[0, 0, 1], [0, 0, 0], [1, 0, 0]]
    assert pairs.battles.tolist() == [[0, 3, 2], [3, 0, 0], [2, 0, 0]]
    assert pairs.points.tolist() == [[0, 2, 0.5], [1, 0, 0], [1.5, 0, 0]]


def test_weights_are_summed_and_squared():
    votes = Battles(2, np.array([0, 0, 1]), np.array([1, 1, 0]), np.array([1, 1, 0.5]), np.array([2, 0.5, 3]))
    pairs = pairs_of(votes)
    assert (pairs.won[0, 1], pairs.won_squares[0, 1]) == (2.5, 4.25)
    assert (pairs.tied[0, 1], pairs.tied_squares[1, 0]) == (3, 9)


@given(battles(), st.booleans())
def test_counting_one_vote_after_another_is_counting_them_all(votes, weighted):
    weights = np.arange(len(votes)) % 3 + 0.5 if weighted else np.ones(len(votes))
    votes = Battles(votes.models, votes.first, votes.second, votes.outcome, weights)
    pairs = Pairs.of_counts(*np.zeros((2, votes.models, votes.models)))
    for first, second, outcome, weight in zip(votes.first, votes.second, votes.outcome, weights, strict=True):
        pairs.add(int(first), int(second), float(outcome), float(weight))
    whole = pairs_of(votes)
    for name in ("won", "tied", "won_squares", "tied_squares"):
        assert np.allclose(getattr(pairs, name), getattr(whole, name), rtol=1e-12)


@given(battles())
def test_sides_and_the_order_of_votes_do_not_matter(votes):
    turned = Battles(votes.models, votes.second[::-1], votes.first[::-1], 1 - votes.outcome[::-1])
    assert np.array_equal(pairs_of(turned).won, pairs_of(votes).won)
    assert np.array_equal(pairs_of(turned).tied, pairs_of(votes).tied)


@given(battles())
def test_renaming_models_moves_rows_and_columns(votes):
    order = np.arange(votes.models)[::-1]
    there, here = pairs_of(renamed(votes, order)), pairs_of(votes)
    assert np.array_equal(there.won[np.ix_(order, order)], here.won)


@given(battles(), battles())
def test_among_counts_the_votes_among(votes, other):
    chosen = np.zeros(votes.models, dtype=bool)
    chosen[np.unique(other.first % votes.models)] = True
    assert np.array_equal(pairs_of(votes.among(chosen)).won, pairs_of(votes).among(chosen).won)
    assert len(votes.among(chosen)) == votes.between(chosen).sum()


def test_a_pair_beyond_the_floor_counts_as_much_as_another():
    won = np.zeros((3, 3))
    won[0, 1] = won[1, 0] = 500
    won[1, 2] = won[2, 1] = 50
    won[0, 2] = won[2, 0] = 10
    pairs = Pairs.of_counts(won, np.zeros((3, 3))).reweighted(50)
    assert pairs.battles[0, 1] == pytest.approx(pairs.battles[1, 2]) == pytest.approx(1)
    assert pairs.battles[0, 2] == pytest.approx(20 / 50)


@given(battles(most=60))
def test_votes_and_counts_are_reweighted_alike(votes):
    one, other = pairs_of(reweighted(votes, 3)), pairs_of(votes).reweighted(3)
    for name in ("won", "tied", "won_squares", "tied_squares"):
        assert np.allclose(getattr(one, name), getattr(other, name), rtol=1e-12)


@given(battles())
def test_the_scale_of_weights_changes_neither_strengths_nor_intervals(votes):
    plain = bradley_terry(pairs_of(votes))
    scaled = Battles(votes.models, votes.first, votes.second, votes.outcome, np.full(len(votes), 7.0))
    fit = bradley_terry(pairs_of(scaled))
    assert np.allclose(fit.strength, plain.strength, equal_nan=True)
    assert np.allclose(fit.covariance, plain.covariance, equal_nan=True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, [], [], []), "models must be 1 or more, got 0"),
        ((2, [0, 1], [1], [1]), "a first model, a second and an outcome, got 2, 1 and 1"),
        ((2, [0, 1], [1, 1], [1, 1]), "vote 1 is between model 1 and itself"),
        ((2, [0, 2], [1, 1], [1, 1]), "first holds model 2; models have numbers from 0 to 1"),
        ((2, [0], [-1], [1]), "second holds model -1"),
        ((2, [0.0], [1], [1]), "first must be a row of models' numbers, got float64"),
        ((2, [[0]], [[1]], [[1]]), "of shape"),
        ((2, [0], [1], [2]), "outcome of vote 0 must be 0, 0.5 or 1, got 2"),
        ((2, [0], [1], [np.nan]), "got nan"),
        ((2, [0], [1], [1], [-1]), "weight of vote 0 must be finite and at least 0, got -1"),
        ((2, [0], [1], [1], [np.inf]), "got inf"),
        ((2, [0], [1], [1], [1, 1]), "each vote needs its weight, got 1 votes"),
    ],
)
def test_votes_that_are_none_are_refused(arguments, message):
    models, *rows = arguments
    with pytest.raises(ValueError, match=message):
        Battles(models, *map(np.array, rows))


@pytest.mark.parametrize(
    ("won", "tied", "message"),
    [
        ([[0, 1]], [[0, 1]], "must be square"),
        ([[0, 1], [1, 0]], [[0]], "tied must have the shape of won"),
        ([[0, -1], [1, 0]], [[0, 0], [0, 0]], "won must be at least 0, got -1"),
        ([[0, 1], [1, 0]], [[0, 2], [1, 0]], "tied must be symmetric"),
        ([[0, 1], [1, 3]], [[0, 0], [0, 0]], "votes between model 1 and itself"),
        ([[0, np.nan], [1, 0]], [[0, 0], [0, 0]], "must be finite"),
    ],
)
def test_counts_that_are_none_are_refused(won, tied, message):
    with pytest.raises(ValueError, match=message):
        Pairs.of_counts(won, tied)


@pytest.mark.parametrize(
    ("vote", "message"),
    [
        ((0, 0, 1), "two of the models"),
        ((0, 5, 1), "two of the models"),
        ((0, 1, 0.7), "0, 0.5 or 1"),
        ((0, 1, 1, -2), "weight"),
    ],
)
def test_one_more_vote_is_checked_like_the_others(vote, message):
    pairs = Pairs.of_counts(np.zeros((2, 2)), np.zeros((2, 2)))
    with pytest.raises(ValueError, match=message):
        pairs.add(*vote)
    assert not pairs.battles.any()


def test_the_counts_given_are_not_written_into():
    won = np.zeros((2, 2))
    Pairs.of_counts(won, won).add(0, 1, 1)
    assert not won.any()
