"""Invitations in the terminal."""

from collections.abc import Sequence
from datetime import UTC, datetime

from rich.console import Console
from rich.table import Table

from bakeoff.arena.definition.invitations import Invitation
from bakeoff.visible import visible

ID = slice(len("sha256:"), len("sha256:") + 12)
"""The part of a digest that names an invitation for people."""


def print_links(out: Console, links: Sequence[tuple[str, str]]) -> None:
    """A line for each: the label, and the link."""
    width = max(len(label) for label, _ in links)
    for label, link in links:
        out.print(f"{visible(label):<{width}}  {link}", soft_wrap=True)
    out.print("Send each their link: it is shown this once. Whoever has it votes as them.", soft_wrap=True)


def print_invitations(out: Console, there: Sequence[Invitation]) -> None:
    """All of an arena, in the order in which they were made."""
    if not there:
        out.print("nobody was invited yet")
        return
    table = Table("id", "for", "made", "revoked", box=None, pad_edge=False, header_style="")
    for each in there:
        table.add_row(each.digest[ID], visible(each.label), _time(each.created), _time(each.revoked))
    out.print(table, crop=False)


def print_ended(out: Console, ended: Sequence[Invitation]) -> None:
    """Which hold no more."""
    for each in ended:
        out.print(f"{each.digest[ID]} for {visible(each.label)} is revoked; its votes stay", soft_wrap=True)


def _time(at: float | None) -> str:
    return "" if at is None else f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} UTC"
