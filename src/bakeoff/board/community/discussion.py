"""What people say of a board, of a task on it, of a row: one thread each, and no post ever goes.

A moderator can hide a post, in sight and for a reason, or erase its text where somebody has a right to that.
Texts are not in the log, which forgets nothing; their digests are.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, select

from bakeoff.board.community.attested import added, changed, disagreements, row
from bakeoff.board.community.people import check_moderator, members, reasoned, written
from bakeoff.board.definition import Board
from bakeoff.board.registry import known
from bakeoff.board.submissions import get
from bakeoff.database.clock import now
from bakeoff.database.log import events, lock
from bakeoff.database.tables import post as table
from bakeoff.database.tables import submission as submissions
from bakeoff.errors import BakeoffError
from bakeoff.task.suite import load_suite

LONGEST_POST = 10_000
"""Characters of a post."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What a thread is on: `board NAME`, `task NAME/TASK` or `submission N`; and its board."""

    name: str
    board: Board


@dataclass(frozen=True, slots=True)
class Act:
    """What a moderator did to a post, when (seconds since 1970; None where the log does not say), and why."""

    by: str
    at: float | None
    reason: str


@dataclass(frozen=True, slots=True)
class Post:
    """A post, for an `organisation` or for its author alone. What is hidden or erased has no `body`."""

    id: int
    subject: str
    author: str
    organisation: str
    body: str
    created: float
    hidden: Act | None = None
    erased: Act | None = None


def about(connection: Connection, words: str) -> Subject:
    """The subject that these words name.

    Raises:
        BakeoffError: they name none, or one that does not exist.
    """
    kind, _, name = " ".join(words.split()).partition(" ")
    if kind == "board" and name:
        return Subject(f"board {name}", known(connection, name))
    if kind == "task" and "/" in name:
        owner, _, task = name.partition("/")
        board = known(connection, owner)
        tasks = dict.fromkeys(ref for each in board.suites for ref in load_suite(each.suite).refs)
        if task not in tasks:
            there = ", ".join(tasks) or "none: its scores are reported by others"
            raise BakeoffError(f"there is no task {task} on {board.name}", f"there are {there}")
        return Subject(f"task {owner}/{task}", board)
    if kind == "submission" and name.isascii() and name.isdigit() and len(name) < 19:
        found = get(connection, int(name))
        return Subject(f"submission {found.id}", known(connection, found.board))
    raise BakeoffError(
        f"there is no thread on {words!r}", "one is on: board NAME, task NAME/TASK, or submission NUMBER"
    )


def say(connection: Connection, subject: Subject, body: str, *, author: str, organisation: str = "") -> Post:
    """Add a post to a thread.

    Raises:
        BakeoffError: there is nothing in it, it is too long, or the author does not speak for `organisation`.
    """
    body = written(body, "post", LONGEST_POST)
    if organisation and author not in members(connection, organisation):
        raise BakeoffError(
            f"{author} does not speak for {organisation}, having handed in nothing for it",
            "leave the organisation out",
        )
    number = added(
        connection,
        table,
        {
            "subject": subject.name,
            "author": author,
            "organisation": organisation,
            "body": body,
            "created": now(),
        },
        subject=subject.name,
        actor=author,
        kind="post added",
        facts={"organisation": organisation} if organisation else None,
    )
    return _post(connection, number)


def thread(connection: Connection, subject: Subject) -> tuple[Post, ...]:
    """The posts on a subject, the oldest first; of what is hidden or erased who did it, when and why."""
    return _posts(connection, subject.name)


def hide(connection: Connection, number: int, *, actor: str, reason: str) -> Post:
    """Hide a post: in its place stand who did it, when and why.

    Raises:
        BakeoffError: there is none, it is hidden or erased, there is no reason, or the actor is no moderator.
    """
    found = _moderated(connection, number, actor)
    reason = reasoned(reason)
    if found.hidden_by is not None:
        raise BakeoffError(f"post {number} is hidden already, by {found.hidden_by}")
    return _act(
        connection,
        found,
        {"hidden_by": actor, "hidden_for": reason},
        "post hidden",
        actor=actor,
        reason=reason,
    )


def unhide(connection: Connection, number: int, *, actor: str, reason: str) -> Post:
    """Show a post again that was hidden.

    Raises:
        BakeoffError: there is none, it is not hidden, there is no reason, or the actor is no moderator.
    """
    found = _moderated(connection, number, actor)
    reason = reasoned(reason)
    if found.hidden_by is None:
        raise BakeoffError(f"post {number} is not hidden")
    return _act(
        connection, found, {"hidden_by": None, "hidden_for": None}, "post shown", actor=actor, reason=reason
    )


def erase(connection: Connection, number: int, *, actor: str, reason: str) -> Post:
    """Remove the text of a post for good. The post stays, with who did it, when and why.

    Raises:
        BakeoffError: there is none, it is erased, there is no reason, or the actor is no moderator.
    """
    found = _moderated(connection, number, actor)
    return _act(connection, found, {"body": ""}, "post erased", actor=actor, reason=reasoned(reason))


def problems(connection: Connection, board: str) -> Iterator[str]:
    """Posts on a board, its tasks and its rows that are not as the log says; nothing where all are."""
    return disagreements(connection, table, lambda found: str(found.subject), belongs(connection, board))


def belongs(connection: Connection, board: str) -> Callable[[str], bool]:
    """Tells of the name of a subject whether it is the board, a task on it or one of its rows."""
    rows = connection.execute(select(submissions.c.id).where(submissions.c.board == board)).scalars()
    names = {f"board {board}", *(f"submission {number}" for number in rows)}
    return lambda subject: subject in names or subject.startswith(f"task {board}/")


def _moderated(connection: Connection, number: int, actor: str) -> Row[Any]:
    """A post that can still be hidden, shown or erased, and by this actor."""
    lock(connection)
    found = row(connection, table, number)
    check_moderator(board_of(connection, found.subject), actor)
    if not found.body:
        raise BakeoffError(
            f"the text of post {number} was erased", "there is nothing left of it but its place"
        )
    return found


def board_of(connection: Connection, subject: str) -> Board:
    """The board of a subject that has posts: its task may have left the board since.

    Raises:
        BakeoffError: the board or the submission is not there.
    """
    kind, _, name = subject.partition(" ")
    if kind == "submission":
        return known(connection, get(connection, int(name)).board)
    return known(connection, name.partition("/")[0])


def _act(
    connection: Connection, found: Row[Any], values: dict[str, Any], kind: str, *, actor: str, reason: str
) -> Post:
    changed(connection, table, found.id, values, subject=found.subject, actor=actor, kind=kind, reason=reason)
    return _post(connection, found.id)


def _post(connection: Connection, number: int) -> Post:
    subject = row(connection, table, number).subject
    return next(each for each in _posts(connection, subject) if each.id == number)


def _posts(connection: Connection, subject: str) -> tuple[Post, ...]:
    acts = {
        (each.kind, each.facts["post"]): Act(each.actor, each.at, each.reason)
        for each in events(connection, subject)
        if each.kind in ("post hidden", "post erased")
    }
    rows = connection.execute(select(table).where(table.c.subject == subject).order_by(table.c.id))
    return tuple(
        Post(
            id=each.id,
            subject=each.subject,
            author=each.author,
            organisation=each.organisation,
            body="" if each.hidden_by is not None else each.body,
            created=each.created,
            hidden=None
            if each.hidden_by is None
            else acts.get(("post hidden", each.id), Act(each.hidden_by, None, each.hidden_for)),
            erased=None if each.body else acts.get(("post erased", each.id), _UNTOLD),
        )
        for each in rows
    )


_UNTOLD = Act("somebody", None, "the log does not say why")
