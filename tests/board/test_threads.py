"""Which threads there are on a board."""

from bakeoff.board.community.discussion import about, hide, say
from bakeoff.board.community.threads import threads
from bakeoff.board.registry import register
from bakeoff.database import writing
from tests.board.making import BOARD


def test_threads_are_those_with_posts_the_newest_first_hidden_ones_counted(engine, board):
    with writing(engine) as connection:
        for each in (board, BOARD):
            register(connection, each, actor="olga")
        assert threads(connection, "little") == ()
        for subject in ("board little", "task little/two", "board small", "board little"):
            made = say(connection, about(connection, subject), "hello", author="bea")
        hide(connection, made.id, actor="mo", reason="an insult")
        found = threads(connection, "little")
    assert [(each.subject, each.posts) for each in found] == [("board little", 2), ("task little/two", 1)]
    assert found[0].newest == made.created
