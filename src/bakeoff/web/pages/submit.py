"""Handing in a model: what may be, what is checked, what the quota still allows, and the form."""

from dataclasses import dataclass

from sqlalchemy import Connection

from bakeoff.accounts import Account, Action, may
from bakeoff.board.definition import Board
from bakeoff.board.entry.keys import announced
from bakeoff.board.life import State
from bakeoff.board.registry import known
from bakeoff.board.submissions import Submission, submissions
from bakeoff.database.clock import current
from bakeoff.web.pages.rule import eligibility
from bakeoff.web.pages.typed import NOTHING, Typed
from bakeoff.web.submitting import LONGEST, WEIGHT_TYPES

_DAY_S = 86_400.0


@dataclass(frozen=True, slots=True)
class Allowance:
    """How many submissions the quota still allows an organisation; the next is possible `in_days`."""

    organisation: str
    left: int
    in_days: float

    @property
    def words(self) -> str:
        """The same, behind the organisation's name."""
        if self.left:
            return f"{self.left} left"
        return f"none left, the next in {self.in_days:.1f} days"


@dataclass(frozen=True, slots=True)
class Submit:
    """`allowances` are of the organisations that who reads the page speaks for; nobody's where they may not
    submit. `own` are rows that a new one can replace. `takes_keys`: there is a key to seal lent ones with.
    """

    board: Board
    rules: tuple[str, ...]
    allowances: tuple[Allowance, ...]
    own: tuple[Submission, ...]
    takes_keys: bool
    largest: int
    longest: int
    weight_types: tuple[str, ...]
    typed: Typed


def submit(
    connection: Connection, name: str, viewer: Account | None, *, largest: int, typed: Typed = NOTHING
) -> Submit:
    """The page's data. `largest` is the most bytes of a file.

    Raises:
        BakeoffError: there is no such board.
    """
    board = known(connection, name)
    open_ = viewer is not None and may(viewer, Action.SUBMIT) and not board.source
    organisations = _organisations(viewer) if open_ else []
    found = {each: list(submissions(connection, name, organisation=each)) for each in organisations}
    at = current(connection)
    return Submit(
        board=board,
        rules=() if board.source else tuple(eligibility(board)),
        allowances=tuple(_allowance(board, each, rows, at) for each, rows in found.items()),
        own=tuple(
            each for rows in found.values() for each in rows if each.state in (State.PUBLISHED, State.REVIEW)
        ),
        takes_keys=bool(announced(connection)),
        largest=largest,
        longest=LONGEST,
        weight_types=WEIGHT_TYPES,
        typed=typed,
    )


def by_field(problem: str) -> str:
    """The field that an obstacle to a board is about, by its words (`board.entry.eligible`)."""
    about = {"licence": "licence", "billion": "parameters", "its size": "parameters"}
    about |= {"what it was made from": "base", "revision": "model", "hub": "model", "open weights": "model"}
    return next((field for words, field in about.items() if words in problem), "")


def _organisations(viewer: Account | None) -> list[str]:
    return [] if viewer is None else [*sorted(viewer.organisations), viewer.name]


def _allowance(board: Board, organisation: str, found: list[Submission], at: float) -> Allowance:
    """By the rule of `submit`: so many that were handed in within the last days."""
    quota = board.policy.quota
    since = at - quota.days * _DAY_S
    recent = [each.created for each in found if each.created > since]
    left = max(0, quota.submissions - len(recent))
    return Allowance(organisation, left, 0.0 if left else (min(recent) - since) / _DAY_S)
