"""The rows of a table of scores that somebody published, as entrants of a board."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from math import isinf, isnan
from pathlib import Path
from typing import Any

from scipy.special import ndtri

from bakeoff.board.ranking.snapshot import Entrant
from bakeoff.board.reported.layout import ALL, Layout
from bakeoff.board.scores import Scores, Value
from bakeoff.errors import BakeoffError
from bakeoff.task.spec import nearest

LEVEL = 0.95
"""Of the limits that are published."""


@dataclass(frozen=True, slots=True)
class _Line:
    """What a model got on a day: `scores` by name, and `cells`, the row of the file that says the rest."""

    number: int
    cells: Mapping[str, Any]
    scores: Mapping[str, Any]


def entrants_by_date(file: Path, layout: Layout) -> Iterator[tuple[date, list[Entrant]]]:
    """The entrants of each day of the table, the oldest first; within a day in an order that does not depend
    on the file's.

    Raises:
        BakeoffError: the file or a column cannot be read, a score is no number or no share, a date no date,
            or something is there twice; with file and row.
    """
    for day, lines in sorted(_lines_by_date(file, layout).items()):
        names = _columns(lines, layout)
        found = [_entrant(file, line, layout, names, day) for line in lines]
        found.sort(key=lambda each: (each.model, each.precision, each.revision, _standing(each)))
        yield day, [_numbered(each, number) for number, each in enumerate(found, 1)]


_READ = {
    ".parquet": "read_parquet(?)",
    # Types are not guessed: a version 1.10 is no number 1.1, and text among numbers is found with its row.
    ".csv": "read_csv(?, header = true, all_varchar = true)",
    ".tsv": "read_csv(?, header = true, all_varchar = true, delim = '\t')",
    ".jsonl": "read_json(?)",
}


_ROW = '"\x1frow"'
"""A column that no file has."""


def _rows(file: Path, layout: Layout) -> list[tuple[int, Mapping[str, Any]]]:
    """The rows that `where` keeps, with their numbers in the file and the columns that are needed."""
    import duckdb

    if file.suffix not in _READ:
        raise BakeoffError(f"{file} is of no kind that is read here", f"one of {', '.join(_READ)}")
    table = _READ[file.suffix]
    asked = list(dict.fromkeys((*layout.about, *(() if layout.metric else layout.scores))))
    kept = " AND ".join(f"CAST({_quoted(name)} AS VARCHAR) = ?" for name in layout.where) or "true"
    numbered = f"SELECT row_number() OVER () AS {_ROW}, * FROM {table}"  # noqa: S608 (names are quoted)
    sql = f"SELECT {', '.join(map(_quoted, asked))}, {_ROW} FROM ({numbered}) WHERE {kept} ORDER BY {_ROW}"  # noqa: S608
    try:
        with duckdb.connect(":memory:") as db:
            columns = db.execute(f"DESCRIBE FROM {table}", [str(file)]).fetchall()
            there = [str(each[0]) for each in columns]
            for name in (*asked, *layout.where):
                if name not in there:
                    raise BakeoffError(
                        f"{file} has no column {name!r}", nearest(name, there, "the columns are")
                    )
            rows = db.execute(sql, [str(file), *layout.where.values()]).fetchall()
    except duckdb.Error as error:
        raise BakeoffError(f"{file} cannot be read: {str(error).splitlines()[0]}") from None
    if not rows:
        raise BakeoffError(f"{file} has no rows" + (" with these values" if layout.where else ""))
    return [(row[-1], dict(zip(asked, row[:-1], strict=True))) for row in rows]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _lines_by_date(file: Path, layout: Layout) -> dict[date, list[_Line]]:
    rows = _rows(file, layout)
    if layout.metric:
        rows = _of_metrics(file, rows, layout)
    groups: dict[date, dict[tuple[str, ...], list[_Line]]] = {}
    for number, cells in rows:
        place = f"{file}: row {number}"
        day = layout.date or _day(cells[layout.dated], f"{place}: {layout.dated}")
        same = groups.setdefault(day, {}).setdefault(_key(cells, layout, place), [])
        if layout.metric:
            _pivot(same, number, cells, layout, file)
            continue
        if same:
            _refuse_twice(layout, file, same[0].number, number, day)
        same.append(_Line(number, cells, cells))
    return {day: [line for lines in keyed.values() for line in lines] for day, keyed in groups.items()}


def _of_metrics(
    file: Path, rows: list[tuple[int, Mapping[str, Any]]], layout: Layout
) -> list[tuple[int, Mapping[str, Any]]]:
    """The rows of a long table that hold what is asked for."""
    there = dict.fromkeys(str(cells[layout.metric]) for _, cells in rows)
    for name in layout.scores:
        if name not in there:
            hint = nearest(name, there, f"{layout.metric} holds")
            raise BakeoffError(f"{file}: no row has {name!r} in the column {layout.metric}", hint)
    if ALL in layout.columns:
        return rows
    asked = set(layout.scores)
    return [(number, cells) for number, cells in rows if cells[layout.metric] in asked]


def _pivot(same: list[_Line], number: int, cells: Mapping[str, Any], layout: Layout, file: Path) -> None:
    """Put a row of a long table into the first line of its model that has nothing by its name yet."""
    name = str(cells[layout.metric])
    for place, line in enumerate(same):
        if name not in line.scores:
            # The row of the score says what the score's error is, and since when it is there.
            said = cells if name == layout.score else line.cells
            same[place] = _Line(line.number, said, {**line.scores, name: cells[layout.value]})
            return
        if place == 0:
            _refuse_twice(layout, file, line.number, number, name)
    same.append(_Line(number, cells, {name: cells[layout.value]}))


def _refuse_twice(layout: Layout, file: Path, first: int, second: int, what: object) -> None:
    if layout.twice == "refused":
        raise BakeoffError(
            f"{file}: row {second}: {what}: its model is there already, since row {first}",
            "name the columns that tell them apart: --precision, --revision, or several of --model; or keep "
            "both, --twice kept",
        )


def _key(cells: Mapping[str, Any], layout: Layout, place: str) -> tuple[str, ...]:
    model = _model(cells, layout)
    if not model:
        raise BakeoffError(f"{place}: {', '.join(layout.model)}: no model is named")
    return model, _text(cells, layout.precision), _text(cells, layout.revision)


def _model(cells: Mapping[str, Any], layout: Layout) -> str:
    return " ".join(filter(None, (_text(cells, name) for name in layout.model)))


def _columns(lines: Sequence[_Line], layout: Layout) -> list[str]:
    """The further scores there are on a day, in the order in which they come."""
    if ALL not in layout.columns:
        return list(layout.columns)
    found = dict.fromkeys(name for line in lines for name in line.scores)
    return [name for name in found if name != layout.score]


def _entrant(file: Path, line: _Line, layout: Layout, names: Sequence[str], day: date) -> Entrant:
    cells, place = line.cells, f"{file}: row {line.number}"

    values = {
        name: _number(line.scores.get(name), f"{place}: {name}", layout, share=True)
        for name in dict.fromkeys((*layout.scores, *names))
    }
    groups = {name: _mean(values[each] for each in group) for name, group in layout.groups.items()}
    value = _mean(groups.values()) if groups else values[layout.score]
    # A row without the score is here for its columns, and what it says of errors is of one of those.
    low, high = _limits(cells, layout, value, place) if value is not None else (None, None)
    items = _plain(cells.get(layout.n), f"{place}: {layout.n}") if value is not None else None
    seen = _text(cells, layout.first_seen)
    since = _day(cells[layout.first_seen], f"{place}: {layout.first_seen}") if seen else day
    return Entrant(
        submission=0,
        organisation=_text(cells, layout.organisation),
        model=_model(cells, layout),
        revision=_text(cells, layout.revision),
        precision=_text(cells, layout.precision),
        licence=_text(cells, layout.licence),
        parameters=_plain(cells.get(layout.parameters), f"{place}: {layout.parameters}"),
        provenance="reported",
        first_seen=f"{since}T00:00:00+00:00",
        attempt=1,
        attempts=1,
        state="published",
        scores=Scores(
            Value(value, low, high, int(items or 0)),
            {
                name: Value(each)
                for name, each in {**groups, **{name: values[name] for name in names}}.items()
            },
            incomplete="" if value is not None else "no score is reported",
        ),
    )


def _mean(values: Iterable[float | None]) -> float | None:
    """The mean, None where one is missing."""
    found = list(values)
    whole = [each for each in found if each is not None]
    return sum(whole) / len(whole) if len(whole) == len(found) else None


def _limits(
    cells: Mapping[str, Any], layout: Layout, value: float, place: str
) -> tuple[float | None, float | None]:
    if layout.low:
        low, high = (_number(cells[name], f"{place}: {name}", layout) for name in (layout.low, layout.high))
    elif layout.interval:
        low, high = _around(value, cells[layout.interval], f"{place}: {layout.interval}", layout.scale)
    elif layout.stderr:
        error = _number(cells[layout.stderr], f"{place}: {layout.stderr}", layout)
        half = None if error is None else float(ndtri(0.5 + LEVEL / 2)) * error
        low, high = (None, None) if half is None else (value - half, value + half)
    else:
        return None, None
    if low is None or high is None:
        return None, None
    if not low <= value <= high:
        raise BakeoffError(f"{place}: the score {value:g} is not within its limits, {low:g} and {high:g}")
    return low, high


def _around(value: float, said: Any, place: str, scale: float) -> tuple[float | None, float | None]:
    """The limits in `+6/-5`."""
    if said is None or said == "":
        return None, None
    match = re.fullmatch(r"\+(\d+(?:\.\d+)?) ?/ ?[-−](\d+(?:\.\d+)?)", str(said))
    if match is None:
        raise BakeoffError(f"{place}: {said!r:.40} is no interval", "written as +6/-5")
    return value - float(match[2]) / scale, value + float(match[1]) / scale


def _number(said: Any, place: str, layout: Layout, *, share: bool = False) -> float | None:
    """A score on the board's scale."""
    found = _plain(said, place)
    if found is None:
        return None
    scaled = found / layout.scale
    if share and layout.unit == "share" and not 0 <= scaled <= 1:
        raise BakeoffError(
            f"{place}: {found:g} is no share of {layout.scale:g}",
            "--scale 100 for percentages; --unit raw for other numbers, such as ratings",
        )
    return scaled


def _plain(said: Any, place: str) -> float | None:
    """A number, None where the cell is empty: what is missing is never a zero."""
    if said is None or said == "":
        return None
    try:
        found = float("text" if isinstance(said, bool) else said)
    except (TypeError, ValueError):
        raise BakeoffError(
            f"{place}: {said!r:.40} is no number", "an empty cell is a missing score"
        ) from None
    if isinf(found):
        raise BakeoffError(f"{place}: {said!r:.40} is no finite number")
    return None if isnan(found) else found  # NaN is how some write an empty cell


def _text(cells: Mapping[str, Any], column: str) -> str:
    return "" if not column or cells[column] is None else str(cells[column])


def _day(said: Any, place: str) -> date:
    if isinstance(said, datetime):
        return said.date()
    if isinstance(said, date):
        return said
    try:
        return date.fromisoformat(str(said)[:10])
    except ValueError:
        raise BakeoffError(f"{place}: {said!r:.40} is no date", "write 2026-01-31") from None


def _standing(entrant: Entrant) -> tuple[bool, float]:
    value = entrant.scores.score.value
    return value is None, -(value or 0.0)


def _numbered(entrant: Entrant, number: int) -> Entrant:
    return replace(entrant, submission=number)
