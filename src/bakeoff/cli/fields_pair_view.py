"""Two runs field by field, for people."""

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bakeoff.cli.fields_view import in_words
from bakeoff.cli.output import percent
from bakeoff.cli.report import p_text, points_text
from bakeoff.comparison.fieldwise import FieldComparison, Row, ShareDifference
from bakeoff.visible import visible

_LONG = 12  # characters of a name above a column
_STYLE = {"better": "green", "worse": "red", "cannot tell": "yellow", "equivalent": "cyan"}


def print_field_comparison(console: Console, found: FieldComparison) -> None:
    """Items paired, then values: a line for each property of answers and for each field."""
    first, second = visible(found.first), visible(found.second)
    console.print(_heading(found))
    if max(len(first), len(second)) > _LONG:
        console.print(f"first   {first}\nsecond  {second}", soft_wrap=True)
        first, second = "first", "second"
    console.print()
    paired = Table(box=None, padding=(0, 1, 0, 0))
    paired.add_column("items where … %", overflow="fold", min_width=17)
    for name in (first, second):
        paired.add_column(name, justify="right", overflow="fold", min_width=7)
    for name in ("points", f"{100 * found.level:g} % interval", "p"):
        paired.add_column(name, justify="right", no_wrap=True)
    paired.add_column("verdict", no_wrap=True)
    _add(paired, found.answers)
    paired.add_section()
    _add(paired, found.fields)
    console.print(paired)
    console.print()
    values = Table(title=f"values, {first} → {second}", title_justify="left", title_style="dim", box=None)
    values.add_column("field", overflow="fold", min_width=12)
    for name in ("precision %", "recall %"):
        values.add_column(name, no_wrap=True)
    for row in found.fields:
        values.add_row(visible(row.name), _share(row.precision), _share(row.recall))
    values.add_row("all values", _share(found.precision), _share(found.recall), style="bold")
    console.print(values)
    console.print()
    for label, each in zip((first, second), found.forms, strict=True):
        console.print(f"{label}  {in_words(each, {})}", soft_wrap=True)
    rows = len(found.answers) + len(found.fields)
    console.print(
        f"points: {second} minus {first}, item by item; p is corrected for all {rows} rows (Holm), "
        "intervals are of one row each.",
        style="dim",
    )


def _heading(found: FieldComparison) -> Text:
    groups = "" if found.clusters is None else f" in {found.clusters:,} groups"
    heading = Text.assemble((visible(found.task), "bold"), f"  {found.n:,} shared items{groups}")
    for note in found.notes:
        heading.append(f"\n{visible(note)}", style="yellow")
    if found.left_out:
        reasons = ", ".join(f"{reason} {number:,}" for reason, number in found.left_out.items())
        heading.append(f"\n{sum(found.left_out.values()):,} items left out: {reasons}", style="yellow")
    return heading


def _add(table: Table, rows: Iterable[Row]) -> None:
    for row in rows:
        pair = row.pair
        table.add_row(
            visible(row.name),
            percent(row.first),
            percent(row.second),
            f"{100 * pair.difference:+.1f}",
            points_text(pair.interval),
            p_text(pair.adjusted_p),
            Text(pair.verdict, _STYLE[pair.verdict]),
        )


def _share(share: ShareDifference | None) -> str:
    if share is None or (share.first is None and share.second is None):
        return "–"
    levels = f"{percent(share.first)} → {percent(share.second)}"
    if share.difference is None:
        return levels
    return f"{levels}\n{100 * share.difference:+.1f} {points_text(share.interval)}"
