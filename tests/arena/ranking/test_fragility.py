"""What the first place hangs on, by the names of models."""

import pytest

from bakeoff.arena.ranking.fragility import FirstPlace
from bakeoff.arena.ranking.method import Method
from bakeoff.arena.ranking.ranking import rank_counts, rank_votes
from bakeoff.arena.votes.pair_counts import pair_counts, read_pair_counts
from bakeoff.arena.votes.votes import votes_of
from tests.arena.ranking.test_ranking import fights


def test_the_same_votes_say_the_same_one_by_one_and_counted():
    votes = votes_of(fights())
    found = rank_votes(votes, Method()).first_place
    assert found == rank_counts(pair_counts(votes), Method()).first_place
    assert (found.model, found.other, found.of) == ("a", "b", 400)
    # a is ahead of b by some fifth of their votes with each other, and others speak for it, too.
    assert 5 < found.votes < 60


def test_without_so_many_of_its_wins_the_ranking_has_another_first():
    """Dropping wins of the first over the second is one way, so the fewest found are no more."""
    rows = fights()
    found = rank_votes(votes_of(rows), Method()).first_place
    beaten = [n for n, each in enumerate(rows) if {each.model_a, each.model_b} == {"a", "b"}]
    won = [n for n in beaten if rows[n].outcome == ("a" if rows[n].model_a == "a" else "b")]

    def first(dropped):
        left = votes_of([each for n, each in enumerate(rows) if n not in set(won[:dropped])])
        return rank_votes(left, Method()).rows[0].model

    assert first(found.votes - 1) == "a"
    assert any(first(dropped) != "a" for dropped in range(found.votes, len(won)))


@pytest.mark.parametrize("method", [Method(even=True), Method(ties="davidson")])
def test_other_methods_are_not_asked(method):
    assert rank_votes(votes_of(fights()), method).first_place is None


@pytest.mark.data
def test_the_published_board_of_august_2024(data_dir):
    counts = read_pair_counts(data_dir / "arena_20240814" / "pair_counts.parquet")
    found = rank_counts(counts, Method()).first_place
    assert found == FirstPlace("chatgpt-4o-latest", "gemini-1.5-pro-exp-0801", found.votes, 1_670_250)
    assert found.votes == pytest.approx(462, abs=1)
