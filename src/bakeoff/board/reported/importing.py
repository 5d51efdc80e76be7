"""Boards of numbers that others report: kept, ordered and dated, never mixed with what was measured here."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path

import orjson
from sqlalchemy import Connection, insert, select

from bakeoff.board.definition import Board
from bakeoff.board.ranking.publishing import latest
from bakeoff.board.ranking.snapshot import Entrant, Row, Snapshot, ranked, snapshot_from
from bakeoff.board.registry import known, register
from bakeoff.board.reported.layout import Layout
from bakeoff.board.reported.published import LEVEL, entrants_by_date
from bakeoff.board.scores import Value
from bakeoff.database.log import head, record
from bakeoff.database.tables import board as boards
from bakeoff.database.tables import snapshot as table
from bakeoff.digest import canonical_json, digest, digest_bytes
from bakeoff.errors import BakeoffError

LOWER = "a lower score is better"
"""The note of a snapshot whose order is that."""


@dataclass(frozen=True, slots=True)
class Imported:
    """The snapshots that were `made`, the oldest first, and the days of those that were there already."""

    made: tuple[Snapshot, ...]
    known: tuple[date, ...]


def import_reported(connection: Connection, name: str, file: Path, layout: Layout, *, actor: str) -> Imported:
    """Keep a table of scores as a board of its own, a snapshot for each date in it.

    Rows without a score are kept, without a rank. Where the board is known, other dates are added to it; a
    date that it has stays as it is, whether it is in the file or not.

    Raises:
        BakeoffError: as in `entrants_by_date`; a date that is known has other numbers; the board is one of
            what is measured here, or of another unit.
    """
    board = _board(connection, name, layout, actor)
    notes = tuple(_notes(layout))
    made, there, content = [], [], digest_bytes(_bytes(file))
    for day, entrants in entrants_by_date(file, layout):
        moment = datetime.combine(day, datetime.min.time(), UTC)
        found = Snapshot(
            board=name,
            version=board.version,
            rule=board.digest,
            level=LEVEL,
            made=moment.isoformat(timespec="seconds"),
            log=head(connection),
            rows=_ranked(entrants, layout),
            notes=notes,
            unit=layout.unit,
        )
        before = _of_day(connection, name, moment)
        if before is not None:
            _check_same(before, found, day)
            there.append(day)
            continue
        made.append(found)
        state = found.as_json()
        named = digest(state)
        connection.execute(
            insert(table).values(
                digest=named,
                board=name,
                version=board.version,
                made=moment.timestamp(),
                content=canonical_json(state).decode(),
            )
        )
        record(
            connection,
            actor=actor,
            kind="snapshot",
            subject=f"board {name}",
            reason=f"imported from {layout.source}",
            facts={"digest": named, "version": board.version, "rows": len(entrants), "file": content},
        )
    return Imported(tuple(made), tuple(there))


def _notes(layout: Layout) -> Iterator[str]:
    yield f"reported, not measured here: {layout.source}"
    if layout.groups:
        yield f"{layout.score} is not reported: the mean of the means of {', '.join(layout.groups)}"
    if layout.lower_is_better:
        yield LOWER


def _board(connection: Connection, name: str, layout: Layout, actor: str) -> Board:
    """The board of that name, made known where it is not."""
    if not layout.source.strip():
        raise BakeoffError("where the numbers come from must be said", "--source ADDRESS")
    if connection.execute(select(boards.c.name).where(boards.c.name == name).limit(1)).first() is None:
        board = Board(name=name, version=1, since=date(1970, 1, 1), source=layout.source)
        register(connection, board, actor=actor)
        return board
    board = known(connection, name)
    if not board.source:
        raise BakeoffError(f"{name} is a board of what is measured here", "name another")
    last = latest(connection, name)
    if last is not None and (last.unit, LOWER in last.notes) != (layout.unit, layout.lower_is_better):
        raise BakeoffError(
            f"{name} has scores of the unit {last.unit}, the "
            f"{'lower' if LOWER in last.notes else 'higher'} the better, and this is laid out otherwise",
            "lay it out alike, or name another board",
        )
    return board


def _ranked(entrants: Sequence[Entrant], layout: Layout) -> tuple[Row, ...]:
    if not layout.lower_is_better:
        return ranked(entrants, level=LEVEL)
    itself = {each.submission: each for each in entrants}
    turned = [
        replace(each, scores=replace(each.scores, score=_turned(each.scores.score))) for each in entrants
    ]
    return tuple(replace(row, entrant=itself[row.entrant.submission]) for row in ranked(turned, level=LEVEL))


def _turned(score: Value) -> Value:
    """The score with its sign turned, so that a higher one is better."""
    low, high = (None if each is None else -each for each in (score.high, score.low))
    return replace(score, value=None if score.value is None else -score.value, low=low, high=high)


def _of_day(connection: Connection, name: str, moment: datetime) -> Snapshot | None:
    content = connection.execute(
        select(table.c.content).where(table.c.board == name, table.c.made == moment.timestamp())
    ).scalar()
    return None if content is None else snapshot_from(orjson.loads(content))


def _check_same(before: Snapshot, found: Snapshot, day: date) -> None:
    """What was published on a day stays: only the same again is no mistake."""
    if before.rows == found.rows:
        return
    was, now = ({each.entrant.model: each for each in side.rows} for side in (before, found))
    other = sorted(name for name in was.keys() | now.keys() if was.get(name) != now.get(name))
    raise BakeoffError(
        f"{found.board} has a state of {day} already, of {len(before.rows):,} rows, and these "
        f"{len(found.rows):,} are others: {', '.join(other[:3])}{' …' if len(other) > 3 else ''}",
        "what was published stays; give a corrected table the date of its correction, or a board of its own",
    )


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise BakeoffError(f"{file} cannot be read: {error.strerror or error}", "check the path") from None
