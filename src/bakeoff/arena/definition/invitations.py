"""Invitations to an arena that only those who are invited vote in: each a secret that is shown once."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from bakeoff.accounts.names import line
from bakeoff.accounts.secret import LONGEST, kept, new_secret
from bakeoff.arena.battles.live_arena import live_arena
from bakeoff.arena.policy.adopting import subject
from bakeoff.database.clock import now
from bakeoff.database.log import record
from bakeoff.database.tables import invitation as table
from bakeoff.errors import BakeoffError

LONGEST_LABEL = 80


@dataclass(frozen=True, slots=True)
class Invitation:
    """For whom it is meant (`label`), and when it was made and revoked, in seconds since 1970. `digest` names
    it; from it nobody finds the secret.
    """

    label: str
    digest: str
    created: float
    revoked: float | None


def invite(connection: Connection, arena: str, label: str, *, actor: str) -> tuple[Invitation, str]:
    """Make an invitation. The secret is nowhere kept, and is shown this once.

    The label stays out of the log, and nobody can tell by it which battles were those of whom.

    Raises:
        BakeoffError: there is no such live arena, or the label is none.
    """
    live_arena(connection, arena)
    label = line(label, "label", LONGEST_LABEL)
    secret = new_secret()
    connection.execute(insert(table).values(arena=arena, digest=kept(secret), label=label, created=now()))
    made = _one(connection, arena, kept(secret))
    _told(connection, arena, "invitation made", made, actor)
    return made, secret


def revoke(connection: Connection, arena: str, digest: str, *, actor: str) -> Invitation:
    """Take an invitation back; what was voted with it stays. One that is revoked stays so.

    Raises:
        BakeoffError: there is none of that digest.
    """
    found = _one(connection, arena, digest)
    if found.revoked is not None:
        return found
    connection.execute(
        update(table).where(table.c.arena == arena, table.c.digest == digest).values(revoked=now())
    )
    _told(connection, arena, "invitation revoked", found, actor)
    return _one(connection, arena, digest)


def invited(connection: Connection, arena: str, secret: str) -> bool:
    """Whether that is the secret of an invitation that holds."""
    if not secret or len(secret) > LONGEST:
        return False
    query = select(table.c.revoked).where(table.c.arena == arena, table.c.digest == kept(secret))
    row = connection.execute(query).one_or_none()
    return row is not None and row.revoked is None


def invitations(connection: Connection, arena: str) -> tuple[Invitation, ...]:
    """All of an arena, revoked ones too, in the order in which they were made."""
    query = select(table).where(table.c.arena == arena).order_by(table.c.created, table.c.digest)
    return tuple(map(_invitation, connection.execute(query)))


def _one(connection: Connection, arena: str, digest: str) -> Invitation:
    query = select(table).where(table.c.arena == arena, table.c.digest == digest)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise BakeoffError(f"{arena} has no such invitation", "list them first")
    return _invitation(row)


def _told(connection: Connection, arena: str, kind: str, found: Invitation, actor: str) -> None:
    record(connection, actor=actor, kind=kind, subject=subject(arena), facts={"invitation": found.digest})


def _invitation(row: Row[Any]) -> Invitation:
    return Invitation(row.label, row.digest, row.created, row.revoked)
