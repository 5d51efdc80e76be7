"""Tasks and lint findings for people."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from bakeoff.cli.samples import shown_continuation
from bakeoff.nouns import Message
from bakeoff.task import Finding, Prepared, Rendered
from bakeoff.visible import visible


def print_task(console: Console, prepared: Prepared, rendered: Rendered) -> None:
    """Facts, then one prompt as it is sent."""
    task = prepared.task
    console.print(Text.assemble((task.name, "bold"), f" v{task.version}  {task.description}"))
    if task.about:
        console.print(Text(visible(task.about).strip(), style="dim"))
    facts = {
        "variant": f"{prepared.variant} (of {', '.join(['default', *task.variants])})",
        "items": f"{prepared.n_items:,}",
        "asks": task.ask,
        "scorer": prepared.scorer.id,
        "by chance": f"{100 * (prepared.chance or 0):.1f} %",
        "digest": prepared.digest,
        "item": f"{rendered.item.id}, target {rendered.item.target!r}",
    }
    for name, value in facts.items():
        console.print(Text.assemble((f"{name:<10}", "dim"), visible(str(value))))
    for number, asked in enumerate(rendered.turns, start=1):
        if len(rendered.turns) > 1:
            console.print(Text(f"turn {number}", style="dim"))
        _print_input(console, asked)
    leads = rendered.leads or ("",) * len(rendered.continuations)
    for lead, continuation in zip(leads, rendered.continuations, strict=True):
        console.print(Text.assemble(("continuation  ", "dim"), shown_continuation(lead, continuation)))


def print_findings(console: Console, ref: str, findings: Sequence[Finding]) -> None:
    """One line per finding, errors first."""
    if not findings:
        console.print(Text.assemble((f"{ref}: ", "bold"), ("clean", "green")))
        return
    for finding in sorted(findings, key=lambda finding: finding.level):
        style = "red" if finding.level == "error" else "yellow"
        where = f" item {finding.item}" if finding.item is not None else ""
        console.print(
            Text.assemble(
                (f"{ref}:", "bold"),
                (f" {finding.level}", style),
                f" {finding.rule}{visible(where)}: {visible(finding.message)}",
            )
        )


def _print_input(console: Console, asked: str | tuple[Message, ...]) -> None:
    blocks = [("prompt", asked)] if isinstance(asked, str) else [(each.role, each.text) for each in asked]
    for name, text in blocks:
        console.print(Text(name, style="dim"))
        console.print(Text("\n".join("  │ " + line for line in visible(text).split("\n"))))
