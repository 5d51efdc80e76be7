"""The log of one board: its own entries, whole, in pages, by topic."""

import pytest

from bakeoff.board.changelog import MOST, TOPICS, last_moves, told
from bakeoff.board.community.discussion import about, say
from bakeoff.board.life import State
from bakeoff.board.registry import register
from bakeoff.board.submissions import move, submit
from bakeoff.database import reading, writing
from bakeoff.database.log import events, record
from bakeoff.errors import BakeoffError
from tests.board.making import BOARD, model


@pytest.fixture
def filled(engine, board):
    """Two boards, with submissions and posts; the numbers of the first's."""
    other = BOARD.model_copy(update={"name": "litt_e"})
    with writing(engine) as connection:
        for each in (board, other):
            register(connection, each, actor="olga")
        numbers = [
            submit(connection, on, model(number), organisation="o", submitter="ann").id
            for number, on in enumerate((board, other, board))
        ]
        say(connection, about(connection, "task little/one"), "hello", author="bea")
        say(connection, about(connection, "board litt_e"), "hello", author="bea")
        record(connection, actor="w1", kind="job done", subject="job 1")
        record(connection, actor="bea", kind="post added", subject="task litt_e/one", facts={"post": 9})
    return [numbers[0], numbers[2]]


def test_it_has_what_is_on_the_board_its_tasks_and_its_submissions_and_nothing_else(engine, filled):
    mine = {"board little", "task little/one", *(f"submission {number}" for number in filled)}
    with reading(engine) as connection:
        found = told(connection, "little")
        there = [each for each in events(connection) if each.subject in mine]
    assert list(found.entries) == there[::-1]
    assert found.total == found.matching == len(there) == 4
    assert found.older is None


def test_a_board_has_nothing_of_one_whose_name_looks_like_its_own(engine, filled):
    with reading(engine) as connection:
        found = told(connection, "litt_e").entries
    assert [each.subject for each in found] == [
        "task litt_e/one",
        "board litt_e",
        "submission 2",
        "board litt_e",
    ]


def test_pages_put_together_are_the_whole(engine, filled):
    with reading(engine) as connection:
        whole, seen, before = told(connection, "little"), [], None
        while True:
            page = told(connection, "little", before=before, most=1)
            seen += page.entries
            if (before := page.older) is None:
                break
    assert tuple(seen) == whole.entries


def test_each_topic_has_its_kinds(engine, filled):
    with reading(engine) as connection:
        found = {
            topic: [each.kind for each in told(connection, "little", topic=topic).entries] for topic in TOPICS
        }
    assert found == {
        "rules": ["board version"],
        "snapshots": [],
        "submissions": ["submitted"] * 2,
        "flags": [],
        "posts": ["post added"],
        "votes": [],
    }


@pytest.mark.parametrize(
    ("how", "said"), [({"topic": "%"}, "no topic"), ({"most": 0}, "1 to"), ({"most": MOST + 1}, "1 to")]
)
def test_what_it_cannot_tell_it_refuses(engine, filled, how, said):
    with reading(engine) as connection, pytest.raises(BakeoffError, match=said):
        told(connection, "little", **how)


@pytest.mark.parametrize("before", [-(2**70), 0, 2**70])
def test_any_number_is_a_place_in_it(engine, filled, before):
    with reading(engine) as connection:
        assert len(told(connection, "little", before=before).entries) == (4 if before > 0 else 0)


def test_the_last_move_is_the_one_into_the_present_state(engine, filled):
    first, second = filled
    with writing(engine) as connection:
        move(connection, first, State.VALIDATING, actor="ann")
        move(connection, first, State.WITHDRAWN, actor="ann", reason="wrong weights")
        found = last_moves(connection, filled)
    assert {number: each.reason for number, each in found.items()} == {first: "wrong weights"}
    assert second not in found
