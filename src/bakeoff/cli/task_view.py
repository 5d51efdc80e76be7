"""Tasks and lint findings for people."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bakeoff.cli.message import shown
from bakeoff.cli.samples import shown_continuation
from bakeoff.nouns import Item, Message
from bakeoff.store.privacy import withheld
from bakeoff.task import Card, Finding, Prepared, Rendered
from bakeoff.visible import visible


def unreadable(rendered: Rendered) -> Rendered:
    """A rendered item of a private task without its texts."""

    def blank(asked: str | tuple[Message, ...]) -> str | tuple[Message, ...]:
        if isinstance(asked, str):
            return withheld(asked)
        return tuple(Message.of(message.role, withheld(shown(message))) for message in asked)

    target = rendered.item.target
    item = Item(
        rendered.item.id,
        "",
        tuple(map(withheld, rendered.item.choices)),
        target if isinstance(target, int) else tuple(map(withheld, target)),
    )
    return replace(
        rendered,
        item=item,
        turns=tuple(map(blank, rendered.turns)),
        continuations=tuple(map(withheld, rendered.continuations)),
        leads=tuple(map(withheld, rendered.leads)),
        constraint=None,
    )


def unquoted(finding: Finding) -> Finding:
    """A finding in a private task: what it says of an item may quote it."""
    return finding if finding.item is None else replace(finding, message="withheld: the task is private")


def print_task(console: Console, prepared: Prepared, rendered: Rendered) -> None:
    """Facts, then one prompt as it is sent."""
    task = prepared.task
    console.print(Text.assemble((task.name, "bold"), f" v{task.version}  {task.description}"))
    if task.about:
        console.print(Text(paragraphs(task.about), style="dim"))
    if task.card:
        _print_card(console, task.card)
    facts = {
        "variant": f"{prepared.variant} (of {', '.join(['default', *task.every_variant])})",
        "items": f"{prepared.n_items:,}",
        "asks": task.ask,
        "scorer": prepared.scorer.id,
        "by chance": f"{100 * (prepared.chance or 0):.1f} %",
        "digest": prepared.digest,
        "item": f"{rendered.item.id}, target {rendered.item.target!r}",
    }
    if rendered.constraint is not None:
        facts["held to"] = f"{rendered.constraint.kind} {rendered.constraint.text}"
    console.print(_facts(facts))
    for number, asked in enumerate(rendered.turns, start=1):
        if len(rendered.turns) > 1:
            console.print(Text(f"turn {number}", style="dim"))
        _print_input(console, asked)
    leads = rendered.leads or ("",) * len(rendered.continuations)
    for lead, continuation in zip(leads, rendered.continuations, strict=True):
        console.print(Text.assemble(("continuation  ", "dim"), shown_continuation(lead, continuation)))


def _print_card(console: Console, card: Card) -> None:
    """The benchmark's facts, those that it has."""
    facts = {name.replace("_", " "): value for name, value in card.model_dump().items() if value}
    facts["peers"] = [f"{peer}: {name}" for peer, name in card.peers.items()]
    console.print(_facts(facts))


def _facts(facts: Mapping[str, str | Sequence[str]]) -> Table:
    """A name and what there is to say of it, a line each; empty ones are left out."""
    table = Table.grid(padding=(0, 1))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in facts.items():
        if value:
            text = value if isinstance(value, str) else "\n".join(value)
            table.add_row(name, Text(visible(text).strip()))
    return table


def paragraphs(text: str) -> str:
    """The paragraphs of a text, each in one line for the terminal to break."""
    found = (" ".join(part.split()) for part in visible(text).split("\n\n"))
    return "\n".join(part for part in found if part)


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
    blocks = [("prompt", asked)] if isinstance(asked, str) else [(each.role, shown(each)) for each in asked]
    for name, text in blocks:
        console.print(Text(name, style="dim"))
        console.print(Text("\n".join("  │ " + line for line in visible(text).split("\n"))))
