"""Boards, their queue and their changes, for people."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from rich.console import Console
from rich.table import Table

from bakeoff.board.ranking.difference import Change, raw
from bakeoff.board.ranking.history import Standing
from bakeoff.board.ranking.snapshot import Row, Snapshot
from bakeoff.board.scores import Value
from bakeoff.board.submissions import Submission
from bakeoff.cli.output import duration, percent
from bakeoff.database.log import Event
from bakeoff.jobs import Job, Wait
from bakeoff.visible import visible


def print_snapshot(
    console: Console, found: Snapshot, top: int | None = None, columns: Sequence[str] = ()
) -> None:
    """The rows in their order, or the `top` of them, with these `columns` of the board beside the scores;
    then those without a rank, and why, and what is to be said of rows.
    """
    ranked = [row for row in found.rows if row.place is not None]
    others = [row for row in found.rows if row.place is None]
    console.print(
        f"{visible(found.board)}, version {found.version} · {found.made} · {found.digest[7:19]}",
        soft_wrap=True,
    )
    names = list(ranked[0].entrant.scores.columns) if ranked else []
    shown = ranked[:top]
    table = Table(box=None)
    table.add_column("rank", justify="right", no_wrap=True)
    table.add_column("model", min_width=24, overflow="fold")
    score = "score %" if found.unit == "share" else "score"
    for name in (score, f"{100 * found.level:g} % interval", *(each.rpartition("/")[2] for each in names)):
        table.add_column(visible(name), justify="right", no_wrap=True)
    # A column that says nothing of any row is left out, and what is the same of all is said once.
    said = {
        name: cells
        for name, cells in _extras(shown, columns).items()
        if any(cell not in ("", "1 of 1") for cell in cells)
    }
    extras = [(name, cells) for name, cells in said.items() if len(shown) == 1 or len(set(cells)) > 1]
    same = [f"{name} {cells[0]}" for name, cells in said.items() if (name, cells) not in extras]
    for name, cells in extras:
        table.add_column(name, min_width=min(10, max(map(len, (name, *cells)))))
    for place, row in enumerate(shown):
        table.add_row(*_cells(row, names, found.unit), *(cells[place] for _, cells in extras))
    for note in found.notes:
        console.print(visible(note), soft_wrap=True)
    if ranked:
        console.print(table, crop=False)  # a narrow terminal wraps, and hides nothing
        if same:
            console.print(f"All rows shown: {', '.join(same)}.", soft_wrap=True)
        if top is not None and top < len(ranked):
            console.print(f"… and {len(ranked) - top:,} more")
        console.print(
            f"All ranges of ranks hold at once with {100 * found.level:g} %; where they overlap, no telling."
            if any(row.low is not None for row in ranked)
            else "The scores come without errors: an order, and no ranks that it could bear.",
            soft_wrap=True,
        )
    for row in others[:top]:
        entrant = row.entrant
        console.print(
            f"  no rank: {visible(entrant.model)} ({visible(entrant.organisation)}, submission "
            f"{entrant.submission}): {visible(row.unranked)}; score {percent(entrant.scores.score.value)} %",
            soft_wrap=True,
        )
    for row in (*shown, *others[:top]):
        for flag in row.entrant.flags:
            console.print(f"  submission {row.entrant.submission}: {visible(flag)}", soft_wrap=True)


def print_queue(
    console: Console, found: Sequence[Submission], work: Mapping[Any, Job], waiting: Mapping[int, Wait]
) -> None:
    """A line for each submission: where it stands, what it waits for, and what went wrong."""
    table = Table(box=None)
    for name in ("no.", "model", "by", "attempt", "state", "job", "samples", "since"):
        table.add_column(name)
    for each in found:
        job = work.get(each.id)
        table.add_row(
            str(each.id),
            visible(each.model.name),
            visible(each.organisation),
            str(each.attempt),
            each.state.value,
            "–" if job is None else f"{job.kind} {job.state}, attempt {job.attempts}",
            "–" if job is None or not job.done else f"{job.done:,}",
            _time(each.changed),
        )
    console.print(table)
    for each in found:
        job = work.get(each.id)
        if job is not None and job.id in waiting:
            console.print(f"submission {each.id} waits: {visible(_waits(waiting[job.id]))}", soft_wrap=True)
        if job is not None and job.error:
            fault = job.fault.value if job.fault else "?"
            console.print(f"submission {each.id} ({fault}): {visible(job.error)}", soft_wrap=True)


def _waits(wait: Wait) -> str:
    place = "" if wait.position is None else f"number {wait.position} of the queue; "
    band = "" if wait.done_in is None else f"; done in about {' to '.join(map(duration, wait.done_in))}"
    return f"{place}{', '.join(wait.reasons)}{band}"


def print_history(console: Console, found: Sequence[Standing]) -> None:
    """A line for each snapshot and row."""
    table = Table(box=None)
    for name in ("made", "version", "model", "rank", "of", "score"):
        table.add_column(name, no_wrap=name != "model", justify="right" if name in ("rank", "of") else "left")
    for each in found:
        ranks = "–" if each.place is None else _ranks(each.place, each.low, each.high)
        score = each.unranked if each.place is None else _number(each.score.value, each.unit)
        cells = (each.made[:16], str(each.version), each.model, ranks, f"{each.ranked:,}", score)
        table.add_row(*map(visible, cells))
    console.print(table)


def print_events(console: Console, told: Iterable[Event]) -> None:
    """What happened, in order."""
    for each in told:
        reason = f": {visible(each.reason)}" if each.reason else ""
        console.print(
            f"{_time(each.at)}  {visible(each.actor)}  {visible(each.kind)}{reason}", soft_wrap=True
        )


def print_changes(console: Console, changes: Sequence[Change]) -> None:
    """A line for each change."""
    if not changes:
        console.print("nothing changed")
    for each in changes:
        who = "" if each.submission is None else f"{visible(each.model)} (submission {each.submission})  "
        console.print(f"{each.kind:<9} {who}{visible(each.text)}", soft_wrap=True)


def _extras(rows: Sequence[Row], columns: Sequence[str]) -> dict[str, list[str]]:
    return {
        "by": [visible(row.entrant.organisation) for row in rows],
        **{name.replace("_", " "): [_fact(row, name) for row in rows] for name in columns},
        "attempt": [f"{row.entrant.attempt} of {row.entrant.attempts}" for row in rows],
    }


def _fact(row: Row, column: str) -> str:
    """What a column says of a row; empty where that is not known."""
    entrant = row.entrant
    match column:
        case "cost":
            return "" if entrant.scores.cost is None else f"${entrant.scores.cost:,.2f}"
        case "latency":
            return "" if entrant.scores.latency_p50 is None else f"{entrant.scores.latency_p50:,.2f} s"
        case "parameters":
            return "" if entrant.parameters is None else f"{entrant.parameters:g} B"
        case "first_seen":
            return entrant.first_seen[:10]
        case _:
            return visible(str(getattr(entrant, column)))


def _cells(row: Row, names: Sequence[str], unit: str) -> list[str]:
    score = row.entrant.scores.score
    return [
        _ranks(row.place, row.low, row.high),
        visible(row.entrant.model),
        _number(score.value, unit),
        _interval(score, unit),
        *(_number(row.entrant.scores.columns[name].value, unit) for name in names),
    ]


def _ranks(place: int | None, low: int | None, high: int | None) -> str:
    if low is None or high is None:
        return f"({place})"
    return str(low) if low == high else f"{low}–{high}"


def _interval(value: Value, unit: str) -> str:
    if value.low is None or value.high is None:
        return "–"
    return f"[{_number(value.low, unit)}, {_number(value.high, unit)}]"


def _number(value: float | None, unit: str) -> str:
    return raw(value) if unit == "raw" and value is not None else percent(value)


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%SZ")
