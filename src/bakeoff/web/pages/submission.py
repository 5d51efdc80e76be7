"""A submission: what it is, where it stands, what happened to it, what was said against it."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Connection

from bakeoff.accounts import Account
from bakeoff.board.community.discussion import about, thread
from bakeoff.board.community.flags import Flag, flags
from bakeoff.board.definition import Board
from bakeoff.board.registry import known
from bakeoff.board.scores import Scores, scores_from
from bakeoff.board.submissions import Model, Submission, get, submissions
from bakeoff.database.log import events
from bakeoff.errors import BakeoffError
from bakeoff.web.pages.acts import may_reply, may_rule
from bakeoff.web.pages.queue import Entry, entry
from bakeoff.web.pages.telling import Happening, happening
from bakeoff.web.pages.typed import NOTHING, Problem, Typed
from bakeoff.web.reading import Library


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that is known of a submission. `stated`: it is the submitter's word alone."""

    name: str
    value: str
    stated: bool = False


@dataclass(frozen=True, slots=True)
class Flagged:
    """A flag, and what who reads the page may do about it."""

    flag: Flag
    may_reply: bool
    may_rule: bool


def flagged(
    connection: Connection, board: Board, found: Submission, viewer: Account | None, flag: Flag
) -> Flagged:
    """A flag on a submission, with what somebody may do about it."""
    return Flagged(flag, may_reply(connection, viewer, found, flag), may_rule(viewer, board, found, flag))


@dataclass(frozen=True, slots=True)
class Page:
    """`runs` are pairs of a task and a run's id; empty where the board keeps private answers."""

    board: Board
    entry: Entry
    facts: tuple[Fact, ...]
    scores: Scores | None
    superseded_by: int | None
    runs: tuple[tuple[str, str], ...]
    events: tuple[Happening, ...]
    flags: tuple[Flagged, ...]
    posts: int
    typed: Typed

    @property
    def problem(self) -> Problem | None:
        """What was wrong with a form that is not on the page, or not any more."""
        there: set[str] = {act for act in self.entry.acts if act not in ("vote", "publish")}
        there |= {f"reply {each.flag.id}" for each in self.flags if each.may_reply}
        there |= {f"rule {each.flag.id}" for each in self.flags if each.may_rule}
        return None if self.typed.form in there else self.typed.problem(self.typed.form)


def of_board(connection: Connection, board: str, number: int) -> Submission:
    """A submission to this board.

    Raises:
        BakeoffError: there is none of that number on it.
    """
    known(connection, board)
    found = get(connection, number)
    if found.board != board:
        raise BakeoffError(f"there is no submission {number} to {board}", "its queue lists them")
    return found


def submission(
    library: Library,
    connection: Connection,
    name: str,
    number: int,
    viewer: Account | None,
    typed: Typed = NOTHING,
) -> Page:
    """The page's data.

    Raises:
        BakeoffError: there is no such board, or no such submission to it.
    """
    found, board = of_board(connection, name, number), known(connection, name)
    raised = flags(connection, name).get(number, ())
    newer = [each.id for each in submissions(connection, name) if each.supersedes == number]
    scores = scores_from(found.scores) if found.scores else None
    return Page(
        board=board,
        entry=entry(library, connection, board, found, viewer),
        facts=tuple(_facts(found)),
        scores=scores,
        superseded_by=newer[-1] if newer else None,
        runs=() if scores is None or board.policy.private else tuple(_runs(scores)),
        events=tuple(map(happening, events(connection, f"submission {number}"))),
        flags=tuple(flagged(connection, board, found, viewer, each) for each in raised),
        posts=len(thread(connection, about(connection, f"submission {number}"))),
        typed=typed,
    )


def _runs(scores: Scores) -> Iterator[tuple[str, str]]:
    for task, run in scores.runs.items():
        yield task, run.partition(" ")[0]


def _facts(found: Submission) -> Iterator[Fact]:
    model, stated = found.model, found.model.stated.split(", ")
    for name, value in _known(found, model):
        if value:
            yield Fact(name, value, stated=name in stated)


def _known(found: Submission, model: Model) -> Iterator[tuple[str, str]]:
    yield "organisation", found.organisation
    yield "handed in by", found.submitter
    yield "handed in as", found.way
    yield "engine", model.engine
    yield "revision", model.revision
    yield "precision", model.precision
    yield "weights", model.weight_type if found.way == "weights" else ""
    yield "base", model.base
    yield "licence", model.licence
    yield "parameters", "" if model.parameters is None else f"{model.parameters:g} billion"
    yield "endpoint", model.endpoint
