"""A score part by part, for people."""

from rich.console import Console
from rich.table import Table

from bakeoff.cli.output import percent
from bakeoff.cli.report import interval_text
from bakeoff.nouns import Outcome
from bakeoff.run import Breakdown
from bakeoff.visible import visible


def print_breakdown(console: Console, found: Breakdown) -> None:
    """A line for each part: score, interval, items with a score, and samples that ended otherwise."""
    table = Table(title=f"by {visible(found.column)}", title_justify="left", title_style="dim", box=None)
    table.add_column(visible(found.column.removeprefix("meta.")), overflow="fold")
    table.add_column("score %", justify="right")
    table.add_column("interval %")
    table.add_column("n", justify="right")
    table.add_column("not answered", overflow="fold")
    for part in found.parts:
        others = (
            f"{each.value} {part.counts[each]:,}"
            for each in Outcome
            if each is not Outcome.SCORED and part.counts[each]
        )
        table.add_row(
            visible(part.value),
            percent(part.score.value),
            interval_text(part.score.interval) if part.score.n else "",
            f"{part.score.n:,}",
            " · ".join(others),
        )
    console.print(table)
