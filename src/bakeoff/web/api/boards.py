"""`/boards`: the boards there are, what each is, and its versions."""

from typing import Any, Literal

import orjson
from fastapi import APIRouter
from pydantic import Field
from sqlalchemy import Connection, select

from bakeoff.board.definition import Board
from bakeoff.board.ranking.publishing import dates
from bakeoff.board.registry import known, names
from bakeoff.database.tables import board as table
from bakeoff.web.api.request import BoardName, Books, problems
from bakeoff.web.api.shape import Moment, Shape

router = APIRouter(tags=["boards"])


class Dated(Shape):
    """Which state of a board: its digest, and when it was published."""

    digest: str
    version: int
    made: Moment


class BoardCard(Shape):
    """A board in short. `newest` is its newest state; null where nothing was published."""

    name: str
    title: str
    about: str
    version: int
    source: str = Field(description="Who reports the scores; empty where they are measured here.")
    newest: Dated | None


class Boards(Shape):
    """All boards, by name."""

    boards: list[BoardCard]


class Quota(Shape):
    """So many submissions of one organisation in so many days."""

    submissions: int
    days: int


class Policy(Shape):
    """What holds for everyone."""

    quota: Quota
    ranked_per_organisation: int | None
    unscored_budget: float
    private: bool = Field(description="Whether its answers are private, and scores rounded by the Ladder.")
    removal: dict[str, str] = Field(description="The rules, by name, under which a row can lose its rank.")


class Eligibility(Shape):
    """Which models are taken. `max_parameters` is in billions; `card` in characters of the model card."""

    licences: list[str]
    openness: Literal["weights", "any"]
    max_parameters: float | None
    card: int


class Weighted(Shape):
    """A suite, its weight among those of the board, and its tasks, each with the digest of what is asked."""

    suite: str
    weight: float
    tasks: dict[str, str]


class BoardRule(BoardCard):
    """A board with the rule of its newest version."""

    rule: str = Field(
        description="The digest of the rule: two boards of one digest rank the same runs alike."
    )
    since: str = Field(description="A date.")
    level: float = Field(description="The level of intervals and ranges of ranks.")
    limit: int | None = Field(description="So many items of each task are asked; null for all.")
    suites: list[Weighted]
    eligibility: Eligibility
    policy: Policy
    moderators: list[str]
    twin: str = Field(description="The public board on which one develops for a private one.")


class Version(Shape):
    """A version of a board, with all that moves its scores and ranks."""

    version: int
    digest: str
    created: Moment
    rule: dict[str, Any]


class Versions(Shape):
    """The versions of a board, the oldest first."""

    versions: list[Version]


@router.get("/boards")
def boards(library: Books) -> Boards:
    """All boards, with the newest state of each."""
    with library.read() as connection:
        return Boards(boards=[_card(connection, known(connection, name)) for name in names(connection)])


@router.get("/boards/{board}", responses=problems(404))
def board(board: BoardName, library: Books) -> BoardRule:
    """What a board ranks, by which rule, and who may be on it."""
    with library.read() as connection:
        found = known(connection, board)
        newest = _versions(connection, board)[-1]
        said = found.model_dump(mode="json", exclude={"suites"})
        card = _card(connection, found).model_dump()
    return BoardRule(**(said | card), rule=newest.digest, suites=_suites(newest.rule))


@router.get("/boards/{board}/versions", responses=problems(404))
def versions(board: BoardName, library: Books) -> Versions:
    """The versions of a board. What moves scores or ranks makes a new one; old ones stay as they were."""
    with library.read() as connection:
        known(connection, board)
        return Versions(versions=_versions(connection, board))


def _card(connection: Connection, found: Board) -> BoardCard:
    newest = next(iter(dates(connection, found.name)), None)
    return BoardCard(
        name=found.name,
        title=found.title or found.name,
        about=found.about,
        version=found.version,
        source=found.source,
        newest=None if newest is None else Dated.model_validate(newest),
    )


def _versions(connection: Connection, name: str) -> list[Version]:
    query = select(table).where(table.c.name == name).order_by(table.c.version)
    return [
        Version(version=row.version, digest=row.digest, created=row.created, rule=orjson.loads(row.rule))
        for row in connection.execute(query)
    ]


def _suites(rule: dict[str, Any]) -> list[Weighted]:
    """From the rule as it was registered: names, and no places of files."""
    return [
        Weighted(suite=each["suite"]["name"], weight=each["weight"], tasks=each["tasks"])
        for each in rule["suites"]
    ]
