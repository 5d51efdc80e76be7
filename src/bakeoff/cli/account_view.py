"""Accounts, tokens and sessions on the terminal."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rich.table import Table

from bakeoff.visible import visible

if TYPE_CHECKING:
    from rich.console import Console

    from bakeoff.accounts import Account, Session, Token


def print_accounts(console: "Console", found: Sequence["Account"]) -> None:
    """Each with its role, for whom it speaks and how it logs in."""
    if not found:
        console.print("there are no accounts; bakeoff account add NAME makes one")
        return
    table = _table("name", "role", "speaks for", "logs in", "since", "")
    for each in found:
        table.add_row(
            _named(each),
            each.role,
            visible(", ".join(each.organisations)) or "itself",
            _way(each),
            _day(each.created),
            f"disabled {_day(each.disabled)}" if each.disabled is not None else "",
        )
    console.print(table)


def print_tokens(console: "Console", found: Sequence["Token"], at: float) -> None:
    """Each with what it is for; `at` is now, in seconds since 1970."""
    if not found:
        console.print("there are no tokens")
        return
    table = _table("token", "for", "made", "last used", "until", "")
    for each in found:
        state = "revoked" if each.revoked is not None else "" if each.taken(at) else "ran out"
        used = _day(each.last_used) if each.last_used is not None else "never"
        table.add_row(str(each.id), visible(each.label), _day(each.created), used, _day(each.expires), state)
    console.print(table)


def print_sessions(console: "Console", found: Sequence["Session"]) -> None:
    """When each was begun, last seen, and ends."""
    if not found:
        console.print("there are no sessions")
        return
    table = _table("begun", "last seen", "until")
    for each in found:
        table.add_row(*map(_minute, (each.created, each.seen, each.expires)))
    console.print(table)


def _table(*heads: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="")
    for head in heads:
        table.add_column(head, overflow="fold")
    return table


def _named(account: "Account") -> str:
    return f"{account.name} ({visible(account.display)})" if account.display else account.name


def _way(account: "Account") -> str:
    if account.issuer:
        return f"at {visible(account.issuer)}"
    return "by password" if account.has_password else "by token alone"


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).date().isoformat()


def _minute(at: float) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} UTC"
