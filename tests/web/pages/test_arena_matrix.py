"""Win rates of pairs: what scores expect, and what was voted."""

import re

import pytest

from bakeoff.arena.votes.battle import Battle
from bakeoff.arena.votes.votes import votes_of
from bakeoff.web.pages.arena_matrix import Cell, matrix
from bakeoff.web.pages.arena_standing import stand
from tests.web.pages.test_arena_ranking import arena, site, some  # noqa: F401 (fixtures)


def fought(*votes):
    rows = (Battle(f"{place} {a}{b}", a, b, outcome) for place, (a, b, outcome) in enumerate(votes))
    return stand(votes_of(rows))


def test_two_models_are_expected_to_do_as_their_own_votes_say():
    """With two models alone the strengths are those of their votes: 6 of 8, a tie as half."""
    cells = matrix(fought(*[("x", "y", "a")] * 5, *[("y", "x", "a")], *[("x", "y", "tie")] * 2))
    assert cells[0][0] is cells[1][1] is None
    assert (cells[0][1].observed, cells[0][1].votes) == (0.75, 8)
    assert cells[0][1].expected == pytest.approx(0.75)
    assert cells[1][0].expected == pytest.approx(0.25)
    assert cells[1][0].observed == 0.25


def test_a_pair_that_never_met_has_an_expected_rate_by_what_links_them():
    """Odds multiply along x, y, z: 3 to 1 and 3 to 1 are 9 to 1."""
    three_to_one = (("x", "y", "a"), ("x", "y", "a"), ("x", "y", "a"), ("x", "y", "b"))
    cells = matrix(
        fought(*three_to_one, *((a.replace("x", "z"), b, "ab"[o == "a"]) for a, b, o in three_to_one))
    )
    assert cells[0][2].expected == pytest.approx(0.9)
    assert (cells[0][2].observed, cells[0][2].votes) == (None, 0)


def test_a_model_without_a_score_has_only_its_votes():
    cells = matrix(fought(("x", "y", "a"), ("x", "y", "b"), ("w", "x", "a")))
    assert [cell and (cell.expected, cell.observed) for cell in cells[-1]] == [
        (None, 1.0),
        (None, None),
        None,
    ]


@pytest.mark.parametrize(
    ("rate", "shade"),
    [
        (0.5, ""),
        (0.51, "ahead level1"),
        (0.9, "ahead level4"),
        (1.0, "ahead level4"),
        (0.35, "behind level2"),
    ],
)
def test_the_shade_grows_with_the_distance_from_half(rate, shade):
    assert Cell(rate, None, 0).shade == Cell(None, rate, 3).shade == shade


def test_the_page_has_a_cell_for_every_two_models_in_the_order_of_scores(site, arena):  # noqa: F811
    some(arena.engine)
    text = site.get("/arenas/chat/matrix").text
    assert re.findall(r'<th scope="row"><span>\d</span> <bdi>(\w+)</bdi>', text) == ["ant", "bee", "cat"]
    assert text.count("<td class=") == 9
    assert text.count(" % of 120</small>") == 6
    assert "3 of 3 pairs met, in 360 votes" in text


def test_without_votes_it_says_so(site, arena):  # noqa: F811
    assert "no pair has a win rate" in site.get("/arenas/chat/matrix").text
