"""Which threads there are on a board."""

from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from bakeoff.board.community.discussion import belongs
from bakeoff.database.tables import post


@dataclass(frozen=True, slots=True)
class Thread:
    """A subject (`board NAME`, `task NAME/TASK`, `submission N`) with its number of posts, those that are
    hidden or erased too, and the time of the newest (seconds since 1970).
    """

    subject: str
    posts: int
    newest: float


def threads(connection: Connection, board: str) -> tuple[Thread, ...]:
    """The threads on a board, its tasks and its rows that have a post, the one with the newest post first."""
    newest = func.max(post.c.created)
    query = select(post.c.subject, func.count(), newest).group_by(post.c.subject).order_by(newest.desc())
    mine = belongs(connection, board)
    return tuple(Thread(*row) for row in connection.execute(query) if mine(row[0]))
