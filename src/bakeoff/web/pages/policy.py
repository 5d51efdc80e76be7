"""The rules of a board in words, its versions and what differs between them, and the log of what happened."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from time import time
from typing import Any

from sqlalchemy import Connection

from bakeoff.board.changelog import TOPICS, told
from bakeoff.board.definition import Board
from bakeoff.board.ranking.publishing import problems
from bakeoff.board.registry import known
from bakeoff.database.log import Event, events
from bakeoff.web.pages.rule import changes, eligibility, policy
from bakeoff.web.pages.telling import Happening, happening
from bakeoff.web.reading import Library

ENTRIES = 50


@dataclass(frozen=True, slots=True)
class Suite:
    """A suite of the board as it was registered. `share` of the board's score is in [0, 1]; `columns` are
    their names with the tasks of each.
    """

    name: str
    share: float
    columns: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Version:
    """A version of the board, by whom it was registered and when (seconds since 1970), and what is other
    than in the one before.
    """

    number: int
    at: float
    actor: str
    digest: str
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PolicyPage:
    """`log` are entries of the topic that was asked for, the newest first; `matching` of `total` there are,
    and `older` is what to ask for those before. `problems` are what is not as it was written; () where all is
    whole.
    """

    board: Board
    suites: tuple[Suite, ...]
    eligibility: tuple[str, ...]
    policy: tuple[str, ...]
    versions: tuple[Version, ...]
    topics: tuple[str, ...]
    topic: str
    log: tuple[Happening, ...]
    matching: int
    total: int
    older: int | None
    begun: bool
    problems: tuple[str, ...]


def policy_page(
    library: Library, connection: Connection, name: str, *, topic: str = "", before: int | None = None
) -> PolicyPage:
    """The page's data.

    Raises:
        BakeoffError: there is no such board, or the log has no such topic.
    """
    board = known(connection, name)
    registered = [each for each in events(connection, f"board {name}") if each.kind == "board version"]
    entries = told(connection, name, topic=topic, before=before, most=ENTRIES)
    return PolicyPage(
        board=board,
        suites=tuple(_suites(registered[-1].facts["rule"])) if registered else (),
        eligibility=() if board.source else tuple(eligibility(board)),
        policy=() if board.source else tuple(policy(board)),
        versions=tuple(reversed(list(_versions(registered)))),
        topics=tuple(TOPICS),
        topic=topic,
        log=tuple(map(happening, entries.entries)),
        matching=entries.matching,
        total=entries.total,
        older=entries.older,
        begun=before is not None,
        problems=checked(library, connection, name),
    )


def checked(library: Library, connection: Connection, board: str) -> tuple[str, ...]:
    """What on a board is not as it was written; looked at once a minute at most."""
    minute = int(time() // 60)
    return library.checks.get(f"{board} {minute}", lambda: tuple(problems(connection, board)))


def _suites(rule: Mapping[str, Any]) -> Iterator[Suite]:
    total = sum(each["weight"] for each in rule["suites"])
    for each in rule["suites"]:
        suite = each["suite"]
        yield Suite(
            suite["name"],
            each["weight"] / total,
            tuple(
                (
                    column["name"],
                    tuple(dict.fromkeys(task for part in column["parts"] for task in part["tasks"])),
                )
                for column in suite["columns"]
            ),
        )


def _versions(registered: list[Event]) -> Iterator[Version]:
    was: Mapping[str, Any] | None = None
    for each in registered:
        rule = each.facts["rule"]
        differs = () if was is None else tuple(changes(was, rule))
        yield Version(each.facts["version"], each.at, each.actor, each.facts["digest"], differs)
        was = rule
