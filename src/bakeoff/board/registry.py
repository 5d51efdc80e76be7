"""The boards that there are, each version with the rule it was registered with."""

from collections.abc import Iterable, Mapping
from typing import Any

import orjson
from sqlalchemy import Connection, insert, select, update

from bakeoff.board.definition import Board
from bakeoff.board.private.twin import check_twin
from bakeoff.database.clock import now
from bakeoff.database.log import record
from bakeoff.database.tables import board as boards
from bakeoff.digest import canonical_json, digest
from bakeoff.errors import BakeoffError


def register(connection: Connection, board: Board, *, actor: str) -> None:
    """Make a version of a board known. Of one that is known, what moves nothing can be said anew: words,
    columns, moderators.

    Raises:
        BakeoffError: the version is known with another rule, or a higher one is; or its twin is none.
    """
    rule = board.rule
    name = digest(rule)
    there = connection.execute(
        select(boards).where(boards.c.name == board.name).order_by(boards.c.version.desc())
    ).all()
    for row in there:
        if row.version == board.version and row.digest != name:
            raise BakeoffError(
                f"version {board.version} of {board.name} has another rule already",
                "what moves scores needs a new version: old ones stay as they were",
            )
        if row.version == board.version:
            _say_anew(connection, board, row.definition, actor=actor)
            return
    if there and there[0].version > board.version:
        raise BakeoffError(
            f"{board.name} is at version {there[0].version} already", "give the new rule a higher version"
        )
    if board.twin:
        check_twin(board, known(connection, board.twin))
    connection.execute(
        insert(boards).values(
            name=board.name,
            version=board.version,
            digest=name,
            definition=board.model_dump_json(),
            rule=canonical_json(rule).decode(),
            created=now(),
        )
    )
    record(
        connection,
        actor=actor,
        kind="board version",
        subject=f"board {board.name}",
        facts={"version": board.version, "digest": name, "rule": rule},
    )


def _say_anew(connection: Connection, board: Board, before: str, *, actor: str) -> None:
    said = board.model_dump_json()
    if said == before:
        return
    which = (boards.c.name == board.name, boards.c.version == board.version)
    connection.execute(update(boards).where(*which).values(definition=said))
    record(
        connection,
        actor=actor,
        kind="board said anew",
        subject=f"board {board.name}",
        facts={"version": board.version, "definition": orjson.loads(said)},
    )


def known(connection: Connection, name: str, version: int | None = None) -> Board:
    """A board that was registered: its newest version, or that one.

    Raises:
        BakeoffError: there is none.
    """
    query = select(boards).where(boards.c.name == name).order_by(boards.c.version.desc())
    if version is not None:
        query = query.where(boards.c.version == version)
    row = connection.execute(query.limit(1)).one_or_none()
    if row is None:
        there = ", ".join(names(connection)) or "none yet: bakeoff board add FILE"
        which = name if version is None else f"{name} of version {version}"
        raise BakeoffError(f"there is no board {which}", f"there are {there}")
    return Board.model_validate_json(row.definition)


def names(connection: Connection) -> list[str]:
    """The names of all boards, in order."""
    return list(connection.execute(select(boards.c.name).distinct().order_by(boards.c.name)).scalars())


def known_versions(connection: Connection, name: str) -> list[int]:
    """The versions of a board that were registered, in order."""
    query = select(boards.c.version).where(boards.c.name == name).order_by(boards.c.version)
    return list(connection.execute(query).scalars())


def check_rule(connection: Connection, board: Board) -> str:
    """The digest of the rule that this version of the board was registered with, which still holds.

    Raises:
        BakeoffError: the version is not registered, or its suites or tasks are others today.
    """
    row = connection.execute(
        select(boards).where(boards.c.name == board.name, boards.c.version == board.version)
    ).one_or_none()
    if row is None:
        raise BakeoffError(
            f"version {board.version} of {board.name} is not registered", "bakeoff board add FILE"
        )
    if row.digest != board.digest:
        changed = ", ".join(_changed(orjson.loads(row.rule), board.rule)) or "its form"
        raise BakeoffError(
            f"version {board.version} of {board.name} was registered with another rule: "
            f"{changed} changed since",
            "what moves scores needs a new version: raise it in the board's file, and bakeoff board add FILE",
        )
    return str(row.digest)


def _changed(was: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """The parts of a rule that are others now: tasks by name, where nothing else of the suites is."""
    tasks = [_flat(each.get("suites", ())) for each in (was, now)]
    others = [f"task {ref}" for ref, each in tasks[1].items() if tasks[0].get(ref) != each]
    return others or [name for name in now if was.get(name) != now[name]]


def _flat(suites: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    return {ref: each for suite in suites for ref, each in suite.get("tasks", {}).items()}
