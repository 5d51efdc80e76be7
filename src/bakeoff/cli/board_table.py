"""`bakeoff board table`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from bakeoff.cli.board_database import opened
from bakeoff.errors import BakeoffError

if TYPE_CHECKING:
    from rich.console import Console

    from bakeoff.board.table import Seen, View

Repeated = Annotated[tuple[str, ...], Parameter(negative=())]
Json = Annotated[bool, Parameter(negative=())]


def table(
    board: str,
    *,
    search: str = "",
    where: Repeated = (),
    preset: str = "",
    sort: Annotated[str, Parameter(allow_leading_hyphen=True)] = "",
    columns: str = "",
    at: str = "",
    limit: int | None = None,
    csv: Path | None = None,
    parquet: Path | None = None,
    database: str | None = None,
    json: Json = False,
) -> None:
    """The rows of a board, searched, filtered and sorted as on its page: any view there is one here.

    Example: bakeoff board table open-llm-v2 --search "llama 8b" --where licence=apache-2.0 --sort -parameters

    Parameters
    ----------
    board:
        The board's name.
    search:
        Words that a row must all hold in its model, organisation, precision or licence, or /a pattern/.
    where:
        What else rows must meet, KEY=VALUE as in the page's address: organisation, licence, precision and
        provenance (- for what is not stated), state=ranked, parameters_min, parameters_max, cost_max,
        latency_max, since=DATE, pareto=cost, tied=ROW. Repeatable.
    preset:
        A named choice of rows: edge, small, medium, large, larger, open, measured or full.
    sort:
        The key of a column, to have its best, least or first on top; with - before it the other way.
    columns:
        The keys of the columns to show, with commas between them.
    at:
        The snapshot: a day, the beginning of its digest, first or last.
    limit:
        Only the first so many rows.
    csv:
        Write the rows into this CSV file.
    parquet:
        Write the rows into this Parquet file.
    database:
        The address of the database.
    json:
        Print JSON.
    """
    from bakeoff.board.ranking.publishing import dates, find
    from bakeoff.board.registry import known
    from bakeoff.board.table import as_csv, as_json, as_parquet, prepared, seen
    from bakeoff.board.table import at as dated
    from bakeoff.cli.output import stdout
    from bakeoff.database import reading

    view = _view(
        where, {"search": search, "preset": preset, "sort": sort, "columns": columns, "at": at}, limit
    )
    with opened(database) as engine, reading(engine) as connection:
        known(connection, board)
        state = dated(dates(connection, board), view.at, view.version)
        shown = known(connection, board, state.version).columns
        found = seen(prepared(find(connection, board, state.digest), state.digest, columns=shown), view)
    page = limit is not None
    if csv is not None:
        _write(csv, as_csv(found, page=page))
    if parquet is not None:
        _write(parquet, as_parquet(found, page=page))
    if json:
        print(as_json(found, page=page).decode())  # noqa: T201
    elif csv is None and parquet is None:
        _print(stdout(), found, page)


def _view(where: tuple[str, ...], said: dict[str, str], limit: int | None) -> "View":
    from dataclasses import replace

    from bakeoff.board.table import View

    pairs = [each.partition("=") for each in where]
    for each, (_, sign, _) in zip(where, pairs, strict=True):
        if not sign:
            raise BakeoffError(f"--where {each}: there is no = in it", "write --where licence=mit")
    if limit is not None and limit < 1:
        raise BakeoffError(f"--limit {limit}: at least one row is shown")
    view = View.parse([*((key, value) for key, _, value in pairs), *said.items()])
    return view if limit is None else replace(view, per_page=limit)


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise BakeoffError(f"{path} cannot be written: {error.strerror}") from None


def _print(console: "Console", found: "Seen", page: bool) -> None:
    """The rows, what is the same of all of them, and how many there are."""
    from rich.table import Table

    from bakeoff.board.table import text, written
    from bakeoff.visible import visible

    snapshot = found.table.snapshot
    which = f"{snapshot.board}, version {snapshot.version} · {snapshot.made} · {found.table.digest[7:19]}"
    console.print(visible(which), soft_wrap=True)
    for note in snapshot.notes:
        console.print(visible(note), soft_wrap=True)
    lines = found.rows if page else found.every
    drawn = Table(box=None)
    for each in found.columns:
        unit = " %" if each.kind == "share" else ""
        right = each.kind not in ("text", "date")
        drawn.add_column(
            visible(each.title) + unit,
            justify="right" if right else "left",
            no_wrap=right,
            min_width=24 if each.key == "model" else None,
            overflow="fold",
        )
    for line in lines:
        cells = []
        for each in found.columns:
            limits = each.limits(line.row)
            between = f" [{', '.join(written(end, each.kind) for end in limits)}]" if limits else ""
            cells.append(visible(text(each, line.row) + between))
        drawn.add_row(*cells)
    if lines:
        console.print(drawn, crop=False)  # a narrow terminal wraps, and hides nothing
        if found.table.same:
            same = (f"{each.title} {text(each, lines[0].row)}" for each in found.table.same)
            console.print(f"The same of all rows: {visible(', '.join(same))}.", soft_wrap=True)
    console.print(_counts(found, len(lines)), soft_wrap=True)
    for line in lines:
        if line.row.place is None:
            said = f"  no rank: {line.row.entrant.model} (row {line.key}): {line.row.unranked}"
            console.print(visible(said), soft_wrap=True)


def _counts(found: "Seen", shown: int) -> str:
    parts = [
        f"{found.matching:,} of {found.total:,} rows match"
        if found.view.filtered
        else f"{found.total:,} rows"
    ]
    if shown < found.matching:
        parts.append(f"the first {shown:,} are shown")
    if found.unknown:
        parts.append(f"{found.unknown:,} more do not say what is filtered by")
    return "; ".join(parts) + "."
