"""Every label of a run in turn, for people."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bakeoff.classification.each import EachReport, Mean
from bakeoff.cli.output import percent
from bakeoff.cli.report import interval_text
from bakeoff.stats.classes.rare import FBeta
from bakeoff.stats.classes.share import Rate
from bakeoff.visible import visible


def print_each(console: Console, report: EachReport) -> None:
    """Counts, a row for each label, and the means."""
    console.print(
        Text.assemble(
            (visible(report.task), "bold"),
            " on ",
            (visible(report.model), "bold"),
            "  each label in turn",
            (f"  {visible(report.run)}", "dim"),
        )
    )
    counts = f"{report.counted:,} of {report.answers:,} answers count"
    if report.clusters is not None:
        counts += f", in {report.clusters:,} groups"
    if report.unlabelled:
        parts = ", ".join(f"{ending} {count:,}" for ending, count in report.unlabelled.items())
        counts += f"; without a label: {parts} (--no-answer {report.no_answer})"
    console.print(counts)
    console.print()
    console.print(_labels(report))
    console.print()
    facts = Table.grid(padding=(0, 2))
    f = f"F{report.beta:g}"
    facts.add_row(f"{f} of all decisions (micro)", _mean(report.micro))
    facts.add_row(f"mean of the labels' {f} (macro)", _mean(report.macro))
    facts.add_row("all labels right", _rate(report.exact))
    console.print(facts)


def _labels(report: EachReport) -> Table:
    table = Table(
        title="rates, %; p that the label is named without regard to what is right, corrected (Holm)",
        title_justify="left",
        title_style="dim",
        box=None,
    )
    table.add_column("label", overflow="fold")
    for column in ("right", "recall", "specificity", "precision", f"F{report.beta:g}", "p"):
        table.add_column(column, justify="right")
    for row in report.labels:
        found = row.detection
        p = Text("–" if row.p is None else "<.0001" if row.p < 0.0001 else f"{row.p:.4f}")
        if row.p is not None and row.p < 1 - report.level:
            p.stylize("bold")
        table.add_row(
            visible(row.label),
            f"{found.positives:,}",
            _rate(found.recall),
            _rate(found.specificity),
            _rate(found.precision),
            _value(found.f_beta),
            p,
        )
    return table


def _rate(rate: Rate | None) -> str:
    return "–" if rate is None else f"{percent(rate.value)} {interval_text(rate.interval)}"


def _value(found: FBeta | None) -> str:
    return "–" if found is None else f"{percent(found.value)} {interval_text(found.interval)}"


def _mean(found: Mean | None) -> str:
    return "–" if found is None else f"{percent(found.value)} {interval_text(found.interval)}"
