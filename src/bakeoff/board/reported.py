"""Boards of numbers that others report: kept, ordered and dated, never mixed with what was measured here."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import Connection, insert, select

from bakeoff.board.definition import Board
from bakeoff.board.scores import Scores, Value
from bakeoff.board.snapshot import Entrant, Snapshot, ranked
from bakeoff.board.submissions import register
from bakeoff.database.log import head, record
from bakeoff.database.tables import snapshot as table
from bakeoff.digest import canonical_json, digest_bytes
from bakeoff.errors import BakeoffError


@dataclass(frozen=True, slots=True)
class Layout:
    """Which columns of a table say what.

    `score` orders the rows; `low` and `high` are its 95 % limits, where the table has them. `columns` are
    further scores. `scale` is what scores are divided by: 100 for percentages. Of a long table, `where` keeps
    the rows with these values.
    """

    model: str
    score: str
    low: str | None = None
    high: str | None = None
    columns: tuple[str, ...] = ()
    dated: str | None = None
    precision: str | None = None
    licence: str | None = None
    scale: float = 1.0
    unit: Literal["share", "raw"] = "share"
    where: Mapping[str, str] = field(default_factory=dict)

    @property
    def asked(self) -> list[str]:
        """Every column that it needs."""
        named = (self.model, self.score, self.low, self.high, self.dated, self.precision, self.licence)
        return [*(name for name in named if name), *self.columns, *self.where]


def import_reported(
    connection: Connection, name: str, file: Path, layout: Layout, *, source: str, actor: str
) -> list[Snapshot]:
    """Keep a table of scores as a board of its own, a snapshot for each date in it, the oldest first.

    `source` says where the numbers were taken from. Rows without a score are kept, without a rank. A model
    that is there twice on a date, under other settings, has two rows.

    Raises:
        BakeoffError: the file or a column cannot be read, a score is no number, or a date no date.
    """
    if not source.strip():
        raise BakeoffError("where the numbers come from must be said", "--source ADDRESS")
    board = Board(name=name, version=1, since=date(1970, 1, 1), source=source)
    register(connection, board, actor=actor)
    made = []
    for day, rows in _dates(file, layout):
        entrants = [_entrant(number, row, layout, day) for number, row in enumerate(rows, 1)]
        found = Snapshot(
            board=name,
            version=1,
            rule=board.digest,
            level=board.level,
            made=f"{day}T00:00:00+00:00",
            log=head(connection),
            rows=ranked(entrants, level=board.level),
            notes=(f"reported, not measured here: {source}",),
            unit=layout.unit,
        )
        made.append(found)
        connection.execute(
            insert(table).values(
                digest=found.digest,
                board=name,
                version=1,
                made=datetime.combine(day, datetime.min.time(), UTC).timestamp(),
                content=canonical_json(found.as_json()).decode(),
            )
        )
        record(
            connection,
            actor=actor,
            kind="snapshot",
            subject=f"board {name}",
            reason=f"imported from {source}",
            facts={
                "digest": found.digest,
                "version": 1,
                "rows": len(entrants),
                "file": digest_bytes(file.read_bytes()),
            },
        )
    return made


def has_snapshots(connection: Connection, name: str) -> bool:
    """Whether a board was published or imported before."""
    return (
        connection.execute(select(table.c.digest).where(table.c.board == name).limit(1)).first() is not None
    )


def _dates(file: Path, layout: Layout) -> Iterator[tuple[date, Sequence[Mapping[str, Any]]]]:
    rows = _rows(file, layout)
    if not rows:
        raise BakeoffError(f"{file} has no rows" + (" with these values" if layout.where else ""))
    if layout.dated is None:
        yield datetime.fromtimestamp(file.stat().st_mtime, UTC).date(), rows
        return
    days: dict[date, list[Mapping[str, Any]]] = {}
    for row in rows:
        days.setdefault(_day(row[layout.dated], layout.dated), []).append(row)
    yield from sorted(days.items())


_READ = {
    ".parquet": "SELECT * FROM read_parquet(?)",
    ".csv": "SELECT * FROM read_csv(?)",
    ".jsonl": "SELECT * FROM read_json(?)",
}


def _rows(file: Path, layout: Layout) -> list[Mapping[str, Any]]:
    import duckdb

    if file.suffix not in _READ:
        raise BakeoffError(f"{file} is of no kind that is read here", f"one of {', '.join(_READ)}")
    try:
        with duckdb.connect(":memory:") as db:
            found = db.execute(_READ[file.suffix], [str(file)])
            there = [each[0] for each in found.description or ()]
            rows = found.fetchall()
    except duckdb.Error as error:
        raise BakeoffError(f"{file} cannot be read: {str(error).splitlines()[0]}") from None
    if missing := [name for name in layout.asked if name not in there]:
        raise BakeoffError(f"{file} has no column {missing[0]!r}", f"the columns are {', '.join(there)}")
    named = (dict(zip(there, row, strict=True)) for row in rows)
    return [row for row in named if all(str(row[name]) == value for name, value in layout.where.items())]


def _entrant(number: int, row: Mapping[str, Any], layout: Layout, day: date) -> Entrant:
    place = f"row {number} of {day}"
    columns = {name: Value(_number(row[name], name, place, layout.scale)) for name in layout.columns}
    score = Value(
        _number(row[layout.score], layout.score, place, layout.scale),
        _number(row[layout.low], layout.low, place, layout.scale) if layout.low else None,
        _number(row[layout.high], layout.high, place, layout.scale) if layout.high else None,
    )
    return Entrant(
        submission=number,
        organisation="",
        model=str(row[layout.model]),
        revision="",
        precision=_text(row, layout.precision),
        licence=_text(row, layout.licence),
        parameters=None,
        provenance="reported",
        first_seen=f"{day}T00:00:00+00:00",
        attempt=1,
        attempts=1,
        state="published",
        scores=Scores(score, columns, incomplete="" if score.value is not None else "no score is reported"),
    )


def _text(row: Mapping[str, Any], column: str | None) -> str:
    return "" if column is None or row[column] is None else str(row[column])


def _number(value: Any, column: str, place: str, scale: float) -> float | None:
    """A number, None where the cell is empty: what is missing is never a zero."""
    if value is None or value == "":
        return None
    try:
        found = float(value) / scale
    except (TypeError, ValueError):
        raise BakeoffError(f"{place}: {column}: {value!r:.40} is no number") from None
    return found if abs(found) < float("inf") else None


def _day(value: Any, column: str) -> date:
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        raise BakeoffError(f"{column}: {value!r:.40} is no date", "write 2026-01-31") from None
