"""A corrected score, and how many labels one needs, for people."""

from rich.console import Console
from rich.table import Table

from bakeoff.judging.correction import Correction, Need
from bakeoff.stats.interval import Interval
from bakeoff.verdicts.correct import Corrected
from bakeoff.visible import visible


def print_corrected(console: Console, found: Corrected) -> None:
    """What the judge says, what the labels say, and both together; then what the reader must know."""
    one, signed = found.correction, len(found.runs) == 2
    console.print(visible(" minus ".join(found.runs)), soft_wrap=True)
    console.print(f"{_counts(found)}\n", soft_wrap=True)
    table = Table(box=None)
    table.add_column("")
    table.add_column("points" if signed else "score %", justify="right")
    table.add_column(f"{100 * one.interval.level:g} % interval" if one.interval else "interval")
    table.add_column("", overflow="fold")
    table.add_row("the judge, as it is", _value(one.judge, signed), "", "no interval bears its errors")
    table.add_row(
        "the labels alone",
        _value(one.people, signed),
        _interval(one.people_interval, signed),
        f"n = {one.labels:,}",
    )
    table.add_row("corrected", _value(one.corrected, signed), _interval(one.interval, signed), _worth(one))
    console.print(table)
    for note in found.notes:
        console.print(f"note: {visible(note)}", soft_wrap=True)


def print_need(console: Console, found: Need, pilot: Correction | None) -> None:
    """Labels needed with and without the judge."""
    source = "" if pilot is None else f", from a pilot of {pilot.labels:,} labels"
    console.print(
        f"for ± {100 * found.half_width:.3g} points at {100 * found.level:g} %, with a variance of labels of "
        f"{found.variance:.3g} and a correlation with the verdicts of {found.correlation:.2f}{source}:\n",
        soft_wrap=True,
    )
    table = Table(box=None, show_header=False)
    table.add_column("")
    table.add_column("", justify="right")
    table.add_row("labels alone", f"{found.alone:,}")
    if found.items is not None:
        some = "more than there are" if found.with_judge is None else f"{found.with_judge:,}"
        table.add_row(f"with the judge on {found.items:,} items", some)
    table.add_row("with the judge on many more", f"{found.with_many:,}")
    console.print(table)
    if pilot is not None and pilot.labels < 50:
        console.print(
            f"note: {pilot.labels} labels tell variance and correlation only roughly", soft_wrap=True
        )


def _counts(found: Corrected) -> str:
    one = found.correction
    parts = [f"{one.items:,} items: {one.labels:,} labelled by people, {one.unlabelled:,} by the judge alone"]
    if one.known:
        parts.append(f"{one.known:,} with an outcome that needs no judge")
    if found.failed:
        parts.append(f"{found.failed:,} more without a value, left out")
    return ", ".join(parts)


def _worth(found: Correction) -> str:
    if found.effective_n is None:
        return "no spread in the labels"
    correlation = "" if found.correlation is None else f"; they correlate by {found.correlation:.2f}"
    return f"as good as {found.effective_n:,.0f} labels; verdicts count by {found.weight:.2f}{correlation}"


def _value(value: float, signed: bool) -> str:
    return f"{100 * value:+.1f}" if signed else f"{100 * value:.1f}"


def _interval(interval: Interval | None, signed: bool) -> str:
    if interval is None:
        return "[not estimable]"
    return f"[{_value(interval.low, signed)}, {_value(interval.high, signed)}]"
