"""A board for one voter, team, language or tag."""

import pytest

from bakeoff.arena.ranking.method import Method
from bakeoff.arena.ranking.ranking import rank_votes
from bakeoff.arena.ranking.segments import chosen, rank_segment
from bakeoff.arena.votes.battle import Battle
from bakeoff.arena.votes.pseudonym import pseudonym
from bakeoff.arena.votes.votes import votes_of
from bakeoff.errors import BakeoffError
from tests.arena.ranking.test_ranking import fights

REBEL = pseudonym("rebel")


def rebellious(number=30):
    """What everybody says, and one voter who says the contrary of a and d."""
    mine = [Battle(f"r{n}", "a", "d", "b", voter=REBEL, language="de", tags=("hard",)) for n in range(number)]
    return votes_of([*fights(language="en"), *mine])


def scored(found):
    return {row.model: row for row in found.rows}


def test_a_voter_moves_what_the_votes_are_about_and_only_so_far():
    found = rank_segment(rebellious(), "voter", REBEL, Method())
    rows = scored(found)
    assert (found.votes, found.others, rows["a"].votes, rows["b"].votes) == (30, 400, 30, 0)
    for model, side in (("a", -1), ("d", 1)):
        assert side * (rows[model].score - rows[model].elsewhere) > 0
        assert rows[model].own > rows["b"].own
    elsewhere = {row.model: row.score for row in rank_votes(votes_of(fights()), Method()).rows}
    assert {model: row.elsewhere for model, row in rows.items()} == pytest.approx(elsewhere)


def test_one_who_votes_as_all_do_has_the_board_of_all():
    votes = votes_of(fights())
    one = pseudonym("v3")
    found = rank_segment(votes, "voter", one, Method())
    assert found.learnt_from == 8
    assert found.apart < 80
    for row in found.rows:
        assert row.score == pytest.approx(row.elsewhere, abs=2.5 * found.apart)
    assert [row.model for row in found.rows] == list("abcd")


@pytest.mark.parametrize(("kind", "value"), [("language", "de"), ("tag", "hard"), ("voter", REBEL)])
def test_segments_of_every_kind_are_the_same_votes_here(kind, value):
    votes = rebellious()
    mask = chosen(votes, kind, value)
    assert int(mask.sum()) == 30
    assert rank_segment(votes, kind, value, Method()).votes == 30


def test_a_team_is_its_voters():
    votes = votes_of(fights())
    team = ",".join(pseudonym(f"v{n}") for n in range(3))
    assert chosen(votes, "voter", team).sum() == sum(
        chosen(votes, "voter", pseudonym(f"v{n}")).sum() for n in range(3)
    )


@pytest.mark.parametrize(
    ("kind", "value", "says"),
    [
        ("team", "x", "not told apart by 'team'"),
        ("voter", "nobody", "pseudonym of 16 hex digits"),
        ("voter", "f" * 16, "no vote has the voter"),
        ("voter", "0" * 16, "no vote has the voter"),
        ("language", "fr", "no vote has the language 'fr'"),
        ("tag", "easy", "no vote has the tag 'easy'"),
    ],
)
def test_what_is_not_there_is_named(kind, value, says):
    with pytest.raises(BakeoffError, match=says):
        rank_segment(rebellious(), kind, value, Method())


def test_without_others_there_is_nothing_to_draw_towards():
    with pytest.raises(BakeoffError, match="no two models can be rated"):
        rank_segment(votes_of(fights(language="en")), "language", "en", Method())
