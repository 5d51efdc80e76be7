"""What is said of a board, of a task on it, of a row; and the flags."""

from dataclasses import dataclass
from functools import lru_cache

from markupsafe import Markup
from sqlalchemy import Connection

from bakeoff.accounts import Account, Action, may, speaks_for
from bakeoff.board.community.discussion import LONGEST_POST, Post, Subject, about, thread
from bakeoff.board.community.flags import flags
from bakeoff.board.community.people import members
from bakeoff.board.community.threads import threads
from bakeoff.board.definition import Board
from bakeoff.board.registry import known
from bakeoff.board.submissions import get, submissions
from bakeoff.errors import BakeoffError
from bakeoff.web.pages.submission import Flagged, flagged
from bakeoff.web.pages.typed import NOTHING, Problem, Typed
from bakeoff.web.text.markdown import markdown


@dataclass(frozen=True, slots=True)
class Said:
    """A post with its text as HTML that harms nobody."""

    post: Post
    body: Markup


@dataclass(frozen=True, slots=True)
class Thread:
    """A thread that can be chosen: `title` names its subject for people."""

    subject: str
    title: str
    posts: int
    newest: float


@dataclass(frozen=True, slots=True)
class Discussion:
    """The thread on a subject, the others there are, and the flags: of its row, or on the board's thread of
    all rows. `organisations` are those for which who reads the page may write.
    """

    board: Board
    subject: str
    title: str
    submission: int | None
    posts: tuple[Said, ...]
    threads: tuple[Thread, ...]
    flags: tuple[Flagged, ...]
    may_post: bool
    may_hide: bool
    organisations: tuple[str, ...]
    longest: int
    typed: Typed

    @property
    def problem(self) -> Problem | None:
        """What was wrong with a form that is not on the page, or not any more."""
        there = {"post"} if self.may_post else set()
        if self.may_hide:
            for each in self.posts:
                if not each.post.erased:
                    other = "unhide" if each.post.hidden else "hide"
                    there |= {f"{act} {each.post.id}" for act in (other, "erase")}
        return None if self.typed.form in there else self.typed.problem(self.typed.form)


def on(connection: Connection, board: str, words: str) -> Subject:
    """The subject that these words name, on this board; "" is the board itself.

    Raises:
        BakeoffError: there is no such board, or no such subject on it.
    """
    known(connection, board)
    found = about(connection, words or f"board {board}")
    if found.board.name != board:
        raise BakeoffError(f"there is no thread on {words} on {board}", "it is on another board")
    return found


def discussion(
    connection: Connection, name: str, words: str, viewer: Account | None, typed: Typed = NOTHING
) -> Discussion:
    """The page's data.

    Raises:
        BakeoffError: there is no such board, or no such subject on it.
    """
    subject = on(connection, name, words)
    board = subject.board
    number = int(subject.name.removeprefix("submission ")) if _is_row(subject.name) else None
    models = {each.id: each.model.name for each in submissions(connection, name)}
    return Discussion(
        board=board,
        subject=subject.name,
        title=_title(subject.name, board, models),
        submission=number,
        posts=tuple(Said(each, _rendered(each.body)) for each in thread(connection, subject)),
        threads=tuple(
            Thread(each.subject, _title(each.subject, board, models), each.posts, each.newest)
            for each in threads(connection, name)
        ),
        flags=tuple(_flags(connection, board, number, viewer, whole=subject.name == f"board {name}")),
        may_post=may(viewer, Action.DISCUSS),
        may_hide=may(viewer, Action.HIDE, board),
        organisations=_organisations(connection, viewer),
        longest=LONGEST_POST,
        typed=typed,
    )


@lru_cache(maxsize=1024)  # long posts take milliseconds each
def _rendered(body: str) -> Markup:
    return markdown(body)


def _flags(
    connection: Connection, board: Board, number: int | None, viewer: Account | None, *, whole: bool
) -> list[Flagged]:
    raised = flags(connection, board.name)
    found = [
        flagged(connection, board, get(connection, row), viewer, each)
        for row, several in raised.items()
        if whole or row == number
        for each in several
    ]
    return sorted(found, key=lambda each: (each.flag.state != "open", -each.flag.id))


def _organisations(connection: Connection, viewer: Account | None) -> tuple[str, ...]:
    """Those that an account speaks for, and has handed something in for."""
    if viewer is None:
        return ()
    return tuple(
        each
        for each in sorted(viewer.organisations)
        if speaks_for(viewer, each) and viewer.name in members(connection, each)
    )


def _is_row(subject: str) -> bool:
    return subject.startswith("submission ")


def _title(subject: str, board: Board, models: dict[int, str]) -> str:
    kind, _, name = subject.partition(" ")
    match kind:
        case "submission":
            return f"{models.get(int(name), 'a submission')} (submission {name})"
        case "task":
            return f"Task {name.partition('/')[2]}"
        case _:
            return board.title or board.name
