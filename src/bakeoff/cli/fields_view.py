"""A run field by field, for people."""

from collections.abc import Iterable, Mapping

from rich.console import Console
from rich.table import Table

from bakeoff.cli.output import percent
from bakeoff.cli.report import interval_text
from bakeoff.nouns import Outcome
from bakeoff.run import Estimate
from bakeoff.run.fieldwise import UNASKED, FieldScores, Fieldwise, Form
from bakeoff.visible import visible

_COUNTED = ("right", "wrong", "missing", "hallucinated")


def print_fields(console: Console, found: Fieldwise) -> None:
    """Two tables with a line for each field, how much is right and what goes wrong; then what is valid, and
    what it took to read the answers.
    """
    right = _table("by field", ("precision %", "recall %", "items exact %"))
    wrong = _table("what goes wrong", ("missing %", "hallucinated %", "values"))
    for each in found.fields:
        # What nobody asked for is only counted: it is wrong by definition.
        unasked = each.path == UNASKED
        name = visible(each.path)
        if not unasked:
            right.add_row(name, *map(_two_lines, (each.precision, each.recall, each.exact)))
        wrong.add_row(name, *(("–", "–") if unasked else _faults(each)), _counts(each.counts))
    total = found.total
    right.add_row("all values", *map(_two_lines, (total.precision, total.recall, total.exact)), style="bold")
    wrong.add_row("all values", *_faults(total), _counts(total.counts), style="bold")
    console.print(right)
    console.print()
    console.print(wrong)
    console.print()
    for line in _about_answers(found):
        console.print(line, soft_wrap=True)
    console.print(f"samples  {_samples(found)}", style="dim")


def in_words(forms: Mapping[Form, int], rules: Mapping[str, int]) -> str:
    """`as given 3 · repaired by rule 2 (a fenced json block 2) · … · broken 1`; four of them always."""
    shown = (form for form in forms if form not in ("asked again in vain", "unknown") or forms[form])
    kinds = ", ".join(f"{visible(rule)} {number:,}" for rule, number in rules.items())
    return " · ".join(
        f"{form} {forms[form]:,}" + (f" ({kinds})" if form == "repaired by rule" and kinds else "")
        for form in shown
    )


def _about_answers(found: Fieldwise) -> Iterable[str]:
    yield f"answers  {in_words(found.forms, found.rules)}"
    if found.valid is not None:
        yield f"valid under the schema  {_share(found.valid)} of {found.valid.n:,} items"
    yield f"readable as they stand  {_share(found.as_given)} of {found.as_given.n:,} items"
    if found.total.invented.n:
        yield f"given where nothing is stated  {_share(found.total.invented)} of {found.total.invented.n:,}"


def _table(title: str, columns: Iterable[str]) -> Table:
    table = Table(title=title, title_justify="left", title_style="dim", box=None)
    table.add_column("field", overflow="fold", min_width=10)
    for name in columns:
        table.add_column(name, no_wrap=name != "values", overflow="fold")
    return table


def _faults(scores: FieldScores) -> tuple[str, str]:
    return _two_lines(scores.missing), _two_lines(scores.hallucinated)


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
