"""Suites and their scores for people."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bakeoff.cli.output import percent
from bakeoff.cli.report import interval_text
from bakeoff.cli.task_view import paragraphs
from bakeoff.run.suite import ColumnScore, SuiteScore
from bakeoff.stats import Interval
from bakeoff.task.suite import Part, Suite
from bakeoff.visible import visible

_NAMED = 6


def print_suite(console: Console, suite: Suite) -> None:
    """Columns, tasks, and the rule."""
    console.print(Text.assemble((suite.name, "bold"), f" v{suite.version}  {visible(suite.description)}"))
    if suite.about:
        console.print(Text(paragraphs(suite.about), style="dim"))
    console.print()
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("column", "weight", "tasks", "is the mean"):
        table.add_column(name, header_style="dim", overflow="fold")
    total = sum(column.weight for column in suite.columns)
    for column in suite.columns:
        table.add_row(
            visible(column.name),
            f"{percent(column.weight / total)} %",
            "\n".join(" + ".join(part.tasks) for part in column.parts),
            "\n".join(_rule(part) for part in column.parts),
        )
    console.print(table)
    clipped = ", a score below its floor counting as 0" if suite.clip else ""
    console.print(f"\nThe score is the weighted mean of the columns{clipped}.")


def print_scores(console: Console, rows: Sequence[SuiteScore]) -> None:
    """One model with its columns below each other; several models as a table, the best first."""
    first = rows[0]
    console.print(
        Text.assemble((first.suite, "bold"), f" v{first.version}", (", in %, with intervals", "dim"))
    )
    console.print()
    console.print(_one(first) if len(rows) == 1 else _several(rows))
    for row in rows:
        for note in (*_missing(row), *row.notes):
            console.print(Text(f"{visible(row.model)}: {visible(note)}", style="yellow"))


def _one(row: SuiteScore) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(visible(row.model), header_style="bold")
    for name in ("score", "interval", "items"):
        table.add_column(name, justify="right", header_style="dim")
    for column in row.columns:
        table.add_row(visible(column.name), percent(column.value), _limits(column), f"{column.n:,}")
    table.add_section()
    limits = interval_text(row.interval) if row.value is not None else ""
    table.add_row(Text("all", style="bold"), Text(percent(row.value), style="bold"), limits, "")
    return table


def _several(rows: Sequence[SuiteScore]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("model", header_style="dim", overflow="fold")
    for name in ("all", *(column.name for column in rows[0].columns)):
        table.add_column(visible(name), justify="right", header_style="dim", min_width=9, overflow="fold")
    for row in rows:
        scores = [(row.value, row.interval), *((each.value, each.interval) for each in row.columns)]
        table.add_row(visible(row.model), *(_two_lines(*score) for score in scores))
    return table


def _two_lines(value: float | None, interval: Interval | None) -> Text:
    if value is None:
        return Text("–")
    limits = f"{percent(interval.low)}–{percent(interval.high)}" if interval else "not estimable"
    return Text.assemble(percent(value), "\n", (limits, "dim"))


def _limits(column: ColumnScore) -> str:
    return interval_text(column.interval) if column.value is not None else ""


def _missing(row: SuiteScore) -> list[str]:
    found = [name for column in row.columns for name in column.missing]
    if not found:
        return []
    more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    return [f"no score without {', '.join(found[:_NAMED])}{more}"]


def _rule(part: Part) -> str:
    over = f"over {part.by} of the mean " if part.by else ""
    weighted = f"over items weighted by {part.weight}" if part.weight else "over items"
    return f"{over}{weighted}{_floor(part)}"


def _floor(part: Part) -> str:
    if not part.floor:
        return ""
    if isinstance(part.floor, dict):
        return ", each with a floor"
    return f", floor {part.floor if part.floor == 'chance' else percent(float(part.floor)) + ' %'}"
