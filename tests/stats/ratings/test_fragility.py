from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given

from bakeoff.stats.ratings import Pairs, bradley_terry, pairs_of
from bakeoff.stats.ratings.fragility import first_place, overtaken
from tests.stats.ratings.votes import arena, battles, connected, llmfao


def board(won, tied=None):
    won = np.array(won, dtype=float)
    pairs = Pairs.of_counts(won, np.zeros_like(won) if tied is None else tied)
    return pairs, bradley_terry(pairs)


def without(pairs, dropped):
    return bradley_terry(Pairs.of_counts(pairs.won - dropped.won, pairs.tied - dropped.tied))


def fewest(pairs, first):
    """By every way to leave votes out, the fewest without which a rated model is above the first; or None."""
    m = pairs.models
    wins = [(i, j) for i, j in product(range(m), repeat=2) if pairs.won[i, j]]
    ties = [(i, j) for i, j in product(range(m), repeat=2) if i < j and pairs.tied[i, j]]
    ways = [
        range(int(table[at]) + 1) for kind, table in ((wins, pairs.won), (ties, pairs.tied)) for at in kind
    ]
    for taken in sorted(product(*ways), key=sum):
        won, tied = pairs.won.copy(), pairs.tied.copy()
        for at, number in zip(wins, taken, strict=False):
            won[at] -= number
        for (i, j), number in zip(ties, taken[len(wins) :], strict=True):
            tied[i, j] -= number
            tied[j, i] -= number
        strength = bradley_terry(Pairs.of_counts(won, tied)).strength
        if not np.isnan(strength[first]) and np.nanmax(strength) > strength[first] + 1e-7:
            return sum(taken)
    return None


def test_of_two_models_the_lead_in_wins_and_one_more_is_dropped():
    found = first_place(*board([[0, 9], [5, 0]]))
    assert (found.first, found.second, found.votes, found.of) == (0, 1, 5, 14)
    assert found.dropped.won.tolist() == [[0, 5], [0, 0]]


def test_without_votes_that_leave_both_rated_none_is_found():
    """Without one win they are equal; without both the second never lost, and has no rating."""
    assert first_place(*board([[0, 2], [1, 0]])) is None
    assert first_place(*board([[0, 2], [0, 0]])) is None


def test_the_third_may_need_fewer_votes_than_the_second():
    """The second met the first a thousand times; the third, a little behind it, twenty times."""
    won = np.array([[0, 520, 11], [480, 0, 0], [9, 0, 0]])
    pairs, fit = board(won)
    assert np.argsort(-fit.strength).tolist() == [0, 1, 2]
    found = first_place(pairs, fit)
    assert (found.second, found.votes) == (2, 3)
    assert overtaken(pairs, fit, 0, 1).votes == 41
    assert overtaken(pairs, fit, 1, 2) is not None


def test_small_boards_against_every_way_to_leave_votes_out():
    """Never fewer than the true minimum, and it in nearly all: what is found was checked by a refit."""
    random = np.random.default_rng(1)
    found = []
    while len(found) < 60:
        m = int(random.integers(2, 5))
        won = np.triu(random.integers(0, 4, (m, m)), 1) + np.tril(random.integers(0, 3, (m, m)), -1)
        tied = np.triu(random.integers(0, 2, (m, m)), 1)
        pairs, fit = board(won, tied + tied.T)
        ways = np.prod(1.0 + won) * np.prod(1.0 + tied)
        if ways > 1_500 or not fit.rated.any():
            continue
        least, ours = fewest(pairs, int(np.nanargmax(fit.strength))), first_place(pairs, fit)
        if ours is not None:
            found.append(ours.votes - least)
    assert min(found) == 0
    assert np.mean(np.array(found) == 0) >= 0.9


@given(battles(most=60))
def test_what_is_found_changes_the_order(votes):
    pairs = pairs_of(votes)
    fit = bradley_terry(pairs)
    found = first_place(pairs, fit)
    assume(found is not None)
    assert fit.strength[found.first] == np.nanmax(fit.strength)
    assert (found.dropped.won <= pairs.won).all()
    assert (found.dropped.tied <= pairs.tied).all()
    assert found.dropped.battles.sum() / 2 == found.votes
    after = without(pairs, found.dropped).strength
    assert after[found.second] > after[found.first]
    again = overtaken(pairs, fit, found.first, found.second)
    assert (again.votes, again.of) == (found.votes, found.of)


def test_with_every_vote_a_thousand_times_the_share_is_the_same():
    """But that of single votes the first must fall strictly below, and be dropped as a whole."""
    for seed in range(20):
        pairs = pairs_of(connected(4, np.random.default_rng(seed), 60))
        many = Pairs.of_counts(1_000 * pairs.won, 1_000 * pairs.tied)
        one, thousand = (first_place(each, bradley_terry(each)).votes for each in (pairs, many))
        assert 1_000 * (one - 1) <= thousand <= 1_000 * one


@pytest.mark.data
def test_the_first_place_of_august_2024_hangs_on_three_votes_in_ten_thousand(data_dir):
    names, pairs = arena(data_dir / "arena_20240814")
    fit = bradley_terry(pairs)
    found = first_place(pairs, fit)
    assert (names[found.first], names[found.second]) == ("chatgpt-4o-latest", "gemini-1.5-pro-exp-0801")
    assert found.of == 1_670_250
    assert found.votes == pytest.approx(462, abs=1)
    after = without(pairs, found.dropped).strength
    assert int(after.argmax()) == found.second


@pytest.mark.data
def test_the_first_place_of_a_small_crowd_hangs_on_a_dozen_votes(data_dir):
    names, votes, *_ = llmfao(data_dir / "llmfao")
    pairs = pairs_of(votes)
    found = first_place(pairs, bradley_terry(pairs))
    assert (names[found.first], found.of) == ("GPT 4", 8_931)
    assert found.votes == pytest.approx(13, abs=1)


def test_what_cannot_be_asked_is_refused():
    pairs, fit = board([[0, 9, 1], [5, 0, 0], [0, 0, 0]])
    with pytest.raises(ValueError, match="must both be rated"):
        overtaken(pairs, fit, 0, 2)
    with pytest.raises(ValueError, match="model 0 is above model 1 already"):
        overtaken(pairs, fit, 1, 0)
    with pytest.raises(ValueError, match="whole, of weight 1"):
        first_place(pairs.reweighted(), fit)
