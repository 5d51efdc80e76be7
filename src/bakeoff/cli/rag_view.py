"""Retrieval and grounded answers, for people."""

from collections.abc import Sequence
from itertools import groupby
from typing import get_args

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bakeoff.cli.output import duration, percent
from bakeoff.cli.report import interval_text
from bakeoff.rag.answers import Ended
from bakeoff.rag.behaviour import Behaviour
from bakeoff.rag.measure import Measure
from bakeoff.rag.report import Report
from bakeoff.rag.retrieved import RIGHT, Given, Together
from bakeoff.run.estimate import Estimate
from bakeoff.visible import visible

_QUESTIONS = {True: "answerable", False: "not answerable", None: "not marked"}


def print_rag(console: Console, report: Report) -> None:
    """How the answers ended, the measures with who measured, what judges said by unit, and notes."""
    console.print(
        Text.assemble(
            (visible(report.task), "bold"),
            " on ",
            (visible(report.model), "bold"),
            (f"  {visible(report.run)}", "dim"),
        ),
        soft_wrap=True,
    )
    console.print(f"{report.items:,} items\n")
    console.print(_behaviours(report.behaviours))
    console.print(_rates(report.behaviours))
    console.print()
    console.print(_measures(report.measures))
    if any(each.units for each in report.measures):
        console.print()
        console.print(_units(report.measures))
    if report.together is not None:
        console.print()
        console.print(_together(report.together))
    console.print()
    console.print(_spent(report))
    for note in _notes(report):
        console.print(Text(f"note: {visible(note)}", style="dim"))


def _behaviours(found: Sequence[Behaviour]) -> Table:
    table = _table("how the answers ended", "questions", "n", *get_args(Ended))
    for each in found:
        counts = (f"{each.counts[ended]:,}" for ended in get_args(Ended))
        table.add_row(_QUESTIONS[each.answerable], f"{sum(each.counts.values()):,}", *counts)
    return table


def _rates(found: Sequence[Behaviour]) -> Table:
    table = _table("of those that did not fail, %", "", "value", "for example")
    table.columns[2].justify = "left"
    for each in found:
        examples = ", ".join(f"{item} ({words})" if words else item for item, words in each.examples)
        shown = Text(visible(examples), style="dim")
        if each.answerable is False:
            table.add_row("abstained correctly", _estimate(each.abstained), "")
            table.add_row("should have abstained", _estimate(each.answered), shown)
        else:
            name = "abstained wrongly" if each.answerable else "abstained, not marked"
            table.add_row(name, _estimate(each.abstained), shown)
    return table


def _measures(found: Sequence[Measure]) -> Table:
    not_asked = any(each.not_asked for each in found)
    columns = ["scored", "not scorable", "not answered", *["not asked"] * not_asked, "failed", "by"]
    table = _table("measures, %; the counts of a line add up to the items", "", "value", *columns)
    table.columns[-1].justify = "left"
    for part, measures in groupby(found, key=lambda each: each.part):
        table.add_row(Text(part, style="bold"))
        for each in measures:
            counts = [each.scored, each.not_scorable, each.not_answered]
            counts += [each.not_asked] * not_asked + [each.failed]
            by = Text(visible(each.by))
            if any(caveat.startswith("uncalibrated") for caveat in each.caveats):
                by.append(" uncalibrated", style="yellow")
            table.add_row(
                f" {visible(each.name)}", _estimate(each.estimate), *(f"{count:,}" for count in counts), by
            )
    return table


def _units(found: Sequence[Measure]) -> Table:
    table = _table("what judges said of sentences and passages, from the worst", "", "")
    table.columns[1].justify = "left"
    table.show_header = False
    for each in found:
        if each.units:
            said = " · ".join(f"{name.replace('_', ' ')} {count:,}" for name, count in each.units.items())
            table.add_row(f" {visible(each.name)}", said)
    return table


def _together(found: Together) -> Table:
    table = _table(f"the run's own score, right from {RIGHT:g}", "", "right", "wrong", "abstained", "score %")
    for name, given in (("a needed passage retrieved", found.found), ("none retrieved", found.not_found)):
        table.add_row(f" {name}", *_given(given))
    return table


def _given(found: Given) -> tuple[str, ...]:
    return (
        *(f"{count:,}" for count in (found.right, found.wrong, found.abstained)),
        _estimate(found.score),
    )


def _spent(report: Report) -> str:
    latency = report.latency
    text = f"latency p50 {duration(latency.p50)}, p95 {duration(latency.p95)} (n = {latency.n:,})"
    return text if report.cost is None else f"{text}; cost ${report.cost:.4f}"


def _notes(report: Report) -> list[str]:
    said = [caveat for each in report.measures for caveat in each.caveats]
    return list(dict.fromkeys([*said, *report.notes]))


def _estimate(found: Estimate) -> str:
    return "–" if found.value is None else f"{percent(found.value)} {interval_text(found.interval)}"


def _table(title: str, first: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="dim", box=None)
    table.add_column(first, overflow="fold")
    for column in columns:
        table.add_column(column, justify="right", overflow="fold")
    return table
