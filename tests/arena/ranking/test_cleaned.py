"""What filters do to a ranking: nothing is lost from count, and what moved is said."""

from itertools import pairwise

import pytest

from bakeoff.arena.cleaning.blind import NotBlind
from bakeoff.arena.cleaning.tagged import Tagged
from bakeoff.arena.ranking.cleaned import rank_cleaned
from bakeoff.arena.ranking.method import Method
from bakeoff.arena.ranking.ranking import rank_votes
from bakeoff.arena.votes.battle import Battle
from bakeoff.arena.votes.votes import votes_of
from tests.arena.ranking.test_ranking import fights


def test_without_a_filter_it_is_the_ranking_itself():
    votes = votes_of(fights())
    made = rank_cleaned(votes, (), Method())
    assert made.ranking == made.raw == rank_votes(votes, Method())
    assert made.stages == ()


def test_what_a_filter_sets_aside_moves_who_gained_by_it():
    stuffed = [Battle(f"s{n}", "d", "a", "a", tags=("stuffed",)) for n in range(200)]
    seen = [Battle(f"n{n}", "b", "c", "b", blind=False) for n in range(30)]
    votes = votes_of([*fights(), *stuffed, *seen])
    made = rank_cleaned(votes, (NotBlind(), Tagged("stuffed")), Method())
    blind, tagged = made.stages
    assert (blind.step.flagged, tagged.step.flagged) == (30, 200)
    assert made.raw.votes == 630
    assert made.ranking.votes == 400
    assert [row.model for row in made.ranking.rows] == list("abcd")
    most = {each.model: each.points for each in tagged.moved}
    assert max(most, key=lambda model: abs(most[model])) in "ad"
    assert most["d"] < 0 < most["a"]
    assert sum(most.values()) == pytest.approx(0, abs=1e-9)
    for earlier, later in pairwise(stage.step for stage in made.stages):
        assert earlier.after == later.before


def test_who_loses_the_rating_by_a_filter_is_named():
    votes = votes_of(
        [*fights(), *(Battle(f"e{n}", "e", "a", o, tags=("x",)) for n, o in enumerate(["a", "b"]))]
    )
    (stage,) = rank_cleaned(votes, (Tagged("x"),), Method()).stages
    assert (stage.lost, stage.gained) == (("e",), ())
