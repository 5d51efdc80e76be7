"""A run field by field, for people."""

from collections import Counter
from collections.abc import Mapping

from rich.console import Console
from rich.table import Table

from bakeoff.cli.output import percent
from bakeoff.cli.report import interval_text
from bakeoff.nouns import Outcome
from bakeoff.run import Estimate
from bakeoff.run.fieldwise import UNASKED, Fieldwise
from bakeoff.visible import visible

_COUNTED = ("right", "wrong", "missing", "hallucinated")


def print_fields(console: Console, found: Fieldwise) -> None:
    """A line for each field: three shares with their intervals, values by verdict; then what is valid."""
    table = Table(title="by field", title_justify="left", title_style="dim", box=None)
    table.add_column("field", overflow="fold", min_width=10)
    for name in ("precision %", "recall %", "items exact %"):
        table.add_column(name, no_wrap=True)
    table.add_column("values", overflow="fold")
    for each in found.fields:
        # What nobody asked for is only counted: it is wrong by definition.
        shares = () if each.path == UNASKED else (each.precision, each.recall, each.exact)
        shown = map(_two_lines, shares) if shares else ("–", "–", "–")
        table.add_row(visible(each.path), *shown, _counts(each.counts))
    total = sum((Counter(each.counts) for each in found.fields), Counter[str]())
    together = map(_two_lines, (found.precision, found.recall, found.exact))
    table.add_row("all values", *together, _counts(total), style="bold")
    console.print(table)
    if found.valid is not None:
        console.print(f"valid under the schema  {_share(found.valid)} of {found.valid.n:,} items")
    console.print(f"samples  {_samples(found)}", style="dim")


def _two_lines(estimate: Estimate) -> str:
    return _share(estimate).replace(" ", "\n", 1)


def _share(estimate: Estimate) -> str:
    if estimate.value is None:
        return "–"
    return f"{percent(estimate.value)} {interval_text(estimate.interval)}"


def _counts(counts: Mapping[str, int]) -> str:
    return " · ".join(f"{name} {counts[name]:,}" for name in _COUNTED if counts[name])


def _samples(found: Fieldwise) -> str:
    always = (Outcome.SCORED, Outcome.NO_ANSWER, Outcome.TRUNCATED)
    shown = (each for each in Outcome if each in always or found.samples[each])
    return f"{found.samples['total']:,} in all · " + " · ".join(
        f"{each} {found.samples[each]:,}" for each in shown
    )
