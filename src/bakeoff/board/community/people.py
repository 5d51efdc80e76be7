"""Who people are on a board, and what they may write."""

from sqlalchemy import Connection, select

from bakeoff.board.definition import Board
from bakeoff.database.tables import submission
from bakeoff.errors import BakeoffError

LONGEST_REASON = 2_000
"""Characters of a reason, a ruling or a reply."""


def check_moderator(board: Board, who: str) -> None:
    """Whether somebody may rule on flags and hide posts. Where no moderators are named, everybody may who can
    write to the database.

    Raises:
        BakeoffError: the board names its moderators, and this is none of them.
    """
    if board.moderators and who not in board.moderators:
        raise BakeoffError(
            f"{who} is no moderator of {board.name}", f"its moderators are {', '.join(board.moderators)}"
        )


def members(connection: Connection, organisation: str, *, before: float | None = None) -> frozenset[str]:
    """Those who speak for an organisation: who has handed something in for it, or had by the time `before`
    (seconds since 1970). Nobody else's word is taken for it.
    """
    query = select(submission.c.submitter).where(submission.c.organisation == organisation).distinct()
    if before is not None:
        query = query.where(submission.c.created <= before)
    return frozenset(connection.execute(query).scalars())


def reasoned(text: str, what: str = "reason") -> str:
    """A reason, a ruling or a reply, in one line, so that it cannot pass for several in a list.

    Raises:
        BakeoffError: as `written`.
    """
    return written(" ".join(text.split()), what, LONGEST_REASON)


def written(text: str, what: str, longest: int) -> str:
    """What somebody wrote, without the space around it. `what` names it in errors.

    Raises:
        BakeoffError: there is nothing in it, it is too long, or it holds what no database can keep.
    """
    stripped = text.strip()
    if not stripped:
        raise BakeoffError(f"the {what} is empty", "write it out: it is shown to everyone")
    if len(stripped) > longest:
        raise BakeoffError(
            f"the {what} has {len(stripped):,} characters, and {longest:,} is the most", "say it shorter"
        )
    if "\0" in stripped or any("\ud800" <= each <= "\udfff" for each in stripped):
        raise BakeoffError(f"the {what} is not plain text", "it holds a null character, or is not UTF-8")
    return stripped
