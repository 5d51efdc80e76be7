import numpy as np
from hypothesis import given

from bakeoff.arena.votes.battle import Battle
from bakeoff.arena.votes.pair_counts import pair_counts
from bakeoff.arena.votes.pseudonym import pseudonym
from bakeoff.arena.votes.rating import clusters, rated_battles, rated_pairs
from bakeoff.arena.votes.votes import votes_of
from bakeoff.stats.ratings import pairs_of
from tests.arena.votes.strategies import battles


@given(battles(min_size=1))
def test_votes_and_their_counts_are_rated_alike(rows: list[Battle]) -> None:
    votes = votes_of(rows)
    by_vote, by_count = pairs_of(rated_battles(votes)), rated_pairs(pair_counts(votes))
    assert np.array_equal(by_vote.won, by_count.won)
    assert np.array_equal(by_vote.tied, by_count.tied)


def test_what_each_outcome_scores() -> None:
    rows = [Battle(str(n), "m", "n", each) for n, each in enumerate(("a", "b", "tie", "both_bad"))]
    assert rated_battles(votes_of(rows)).outcome.tolist() == [1, 0, 0.5, 0.5]


def test_votes_of_nobody_known_hang_together_with_no_other() -> None:
    voters = [None, "x", None, "y", "x"]
    rows = [Battle(str(n), "m", "n", "a", voter=name and pseudonym(name)) for n, name in enumerate(voters)]
    found = clusters(votes_of(rows).voter).tolist()
    assert found[1] == found[4]
    assert len(set(found)) == 4
    assert min(found) == 0
