"""A gate's report for people, and for GitHub's runner."""

import os
import sys
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from bakeoff.cli import output
from bakeoff.gate.as_json import as_json
from bakeoff.gate.github import annotations
from bakeoff.gate.harmless import harmless
from bakeoff.gate.promotion import LOG, Promotion
from bakeoff.gate.report import Entry, Finding, Report
from bakeoff.gate.sentences import against, headline, left_out, policy, power, promise
from bakeoff.gate.summary import summary
from bakeoff.store.files import unwritable

_STYLES = {"pass": "green", "fail": "bold red", "inconclusive": "yellow"}


def print_report(report: Report) -> None:
    """The verdict, each check with its reason, and what the gate can see."""
    console = output.stdout()
    verdict, colon, rest = headline(report).partition(":")
    console.print(Text.assemble("gate ", (verdict, _STYLES[report.verdict]), colon, rest))
    for entry in report.entries:
        console.print()
        console.print(Text.assemble((harmless(entry.task), "bold"), f"  {harmless(against(entry))}"))
        _print_findings(console, (each for each in report.findings if each.task == entry.task))
        _print_remarks(console, entry)
    known = {entry.task for entry in report.entries}
    for finding in report.findings:
        if finding.task not in known:
            console.print()
            console.print(Text(harmless(finding.task), style="bold"))
            _print_findings(console, [finding])
    console.print()
    for line in (*(f"note: {each}" for each in report.notes), policy(report.policy), promise(report)):
        console.print(Text(harmless(line), style="dim"))


def print_json(report: Report) -> None:
    """The report as JSON on standard output."""
    sys.stdout.buffer.write(as_json(report))
    sys.stdout.flush()


def print_github(report: Report, *, stderr: bool) -> None:
    """A line for each annotation; the Markdown report goes to the end of the job's summary."""
    stream = sys.stderr if stderr else sys.stdout
    for line in annotations(report):
        print(line, file=stream)
    if path := os.environ.get("GITHUB_STEP_SUMMARY"):
        try:
            with Path(path).open("a", encoding="utf-8") as file:
                file.write(summary(report))
        except OSError as error:
            raise unwritable(Path(path), error) from error


def print_promotion(promotion: Promotion, *, json: bool) -> None:
    """What is the baseline now."""
    if json:
        output.print_json(asdict(promotion))
        return
    console = output.stdout()
    console.print(
        f"{harmless(promotion.model)}, run {promotion.run_id}: {output.percent(promotion.score)} % on "
        f"{promotion.items:,} items is now the baseline {promotion.name!r}",
        soft_wrap=True,
    )
    if promotion.replaces:
        console.print(f"it replaces {promotion.replaces[:19]}…", style="dim")
    console.print(f"commit {promotion.file} and {promotion.file.with_name(LOG)}", soft_wrap=True)


def _print_findings(console: Console, findings: Iterable[Finding]) -> None:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for finding in findings:
        said = Text(harmless(finding.reason))
        if finding.help:
            said.append(f"\n→ {harmless(finding.help)}", style="dim")
        table.add_row(Text(finding.verdict, style=_STYLES[finding.verdict]), finding.rule, said)
    console.print(Padding(table, (0, 0, 0, 2), expand=False))


def _print_remarks(console: Console, entry: Entry) -> None:
    remarks = [power(entry)]
    remarks += [f"items lost: {', '.join(entry.lost_items)}"] if entry.lost_items else []
    remarks += [f"left out: {left_out(entry)}"] if entry.left_out else []
    for line in filter(None, [*remarks, *(f"note: {note}" for note in entry.notes)]):
        console.print(Padding(Text(harmless(line), style="dim"), (0, 0, 0, 2), expand=False))
