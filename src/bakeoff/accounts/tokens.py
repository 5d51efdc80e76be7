"""Tokens: by which a program acts for an account. Shown once, when made; every token runs out."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from bakeoff.accounts.account import Account, by_name, found_where, told
from bakeoff.accounts.names import line
from bakeoff.accounts.secret import LONGEST, kept, new_secret
from bakeoff.database.clock import current, now
from bakeoff.database.log import lock
from bakeoff.database.tables import account as accounts
from bakeoff.database.tables import token as table
from bakeoff.errors import BakeoffError

PREFIX = "bkf_"
"""By which scanners of published code find a token that got there."""
DAYS, MOST_DAYS = 90, 366
MOST_TOKENS = 50
"""Of an account, that are taken."""
LONGEST_LABEL = 80
_DAY_S = 86_400.0
_USE_S = 3600.0


@dataclass(frozen=True, slots=True)
class Token:
    """What is known of a token; times are seconds since 1970. `last_used` is right to the hour."""

    id: int
    account: int
    label: str
    created: float
    expires: float
    last_used: float | None
    revoked: float | None

    def taken(self, at: float) -> bool:
        """Whether it is taken at that time (seconds since 1970)."""
        return self.revoked is None and at < self.expires


def new_token(
    connection: Connection, name: str, label: str, *, actor: str, days: float = DAYS
) -> tuple[Token, str]:
    """Make a token of an account, for so many days. The text is nowhere kept, and is shown this once.

    Raises:
        BakeoffError: there is no such account or it is disabled, it has too many tokens, the label is none,
            or the days are none or too many.
    """
    label = line(label, "label", LONGEST_LABEL)
    if not 0 < days <= MOST_DAYS:
        raise BakeoffError("a token is taken for some days, and not for ever", f"ask for 1 to {MOST_DAYS}")
    lock(connection)
    owner = by_name(connection, name)
    if owner.disabled is not None:
        raise BakeoffError(f"{owner.name} is disabled")
    if len([each for each in tokens_of(connection, owner) if each.taken(current(connection))]) >= MOST_TOKENS:
        raise BakeoffError(f"{owner.name} has {MOST_TOKENS} tokens", "revoke those that are not used")
    text = new_secret(PREFIX)
    number = connection.execute(
        insert(table)
        .values(
            account=owner.id, label=label, digest=kept(text), created=now(), expires=now() + days * _DAY_S
        )
        .returning(table.c.id)
    ).scalar_one()
    told(connection, owner, "token made", actor=actor, facts={"token": number})
    return _token(connection.execute(select(table).where(table.c.id == number)).one()), text


def by_token(connection: Connection, text: str) -> tuple[Account, Token] | None:
    """Whose token that is, and what is known of it; None where it is none, or is not taken any more."""
    if not text.startswith(PREFIX) or len(text) > LONGEST:
        return None
    row = connection.execute(select(table).where(table.c.digest == kept(text))).one_or_none()
    if row is None or not (found := _token(row)).taken(current(connection)):
        return None
    owner = found_where(connection, accounts.c.id == found.account)
    return (owner, found) if owner is not None and owner.disabled is None else None


def is_stale(token: Token, at: float) -> bool:
    """Whether its use at that time (seconds since 1970) is worth a note: not each use is a write."""
    return token.last_used is None or at - token.last_used >= _USE_S


def note_use(connection: Connection, token: Token) -> None:
    """Note that a token was used just now."""
    connection.execute(update(table).where(table.c.id == token.id).values(last_used=now()))


def tokens_of(connection: Connection, account: Account) -> tuple[Token, ...]:
    """All tokens of an account, the newest first; those that are not taken any more, too."""
    query = select(table).where(table.c.account == account.id).order_by(table.c.id.desc())
    return tuple(map(_token, connection.execute(query)))


def revoke(connection: Connection, name: str, number: int, *, actor: str) -> None:
    """Take a token of an account no longer.

    Raises:
        BakeoffError: the account has no such token, or it was revoked.
    """
    lock(connection)
    owner = by_name(connection, name)
    changed = connection.execute(
        update(table)
        .where(table.c.id == min(number, 2**63 - 1), table.c.account == owner.id, table.c.revoked.is_(None))
        .values(revoked=now())
    )
    if changed.rowcount == 0:
        raise BakeoffError(
            f"{owner.name} has no token {number} to revoke", f"bakeoff account token list {owner.name}"
        )
    told(connection, owner, "token revoked", actor=actor, facts={"token": number})


def _token(row: Row[Any]) -> Token:
    return Token(row.id, row.account, row.label, row.created, row.expires, row.last_used, row.revoked)
