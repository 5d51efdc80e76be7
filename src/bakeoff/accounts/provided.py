"""Accounts of people for whom a provider of identities vouches (OpenID Connect)."""

import re
from dataclasses import dataclass
from itertools import count
from urllib.parse import urlsplit

from sqlalchemy import Connection, and_

from bakeoff.accounts.account import LONGEST_DISPLAY, Account, Role, found_where, made, set_role, taken
from bakeoff.accounts.names import LONGEST_NAME
from bakeoff.database.log import lock
from bakeoff.database.tables import account as table
from bakeoff.errors import BakeoffError
from bakeoff.visible import visible

_LONGEST_SUBJECT = 255
"""Characters, by OpenID Connect Core 1.0, section 2."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Somebody, as a provider knows them: `subject` never changes and is never given to another.

    `hint` is what they would like to be called, and `display` their name. `role` is what the provider's
    groups give them; None leaves the role to the operator.
    """

    issuer: str
    subject: str
    hint: str = ""
    display: str = ""
    role: Role | None = None


def by_identity(connection: Connection, identity: Identity) -> Account:
    """The account of an identity, made where there is none; a disabled one, too.

    It is called `hint@host-of-the-issuer`, which no account of an operator's making can be called. The name
    stays, whatever they call themselves later. Whoever comes second by a name gets a number in it.

    Raises:
        BakeoffError: the subject is empty or longer than the standard allows.
    """
    if not 0 < len(identity.subject) <= _LONGEST_SUBJECT:
        raise BakeoffError(
            f"{identity.issuer} names somebody by {len(identity.subject)} characters",
            f"a subject has 1 to {_LONGEST_SUBJECT}",
        )
    lock(connection)
    which = and_(table.c.issuer == identity.issuer, table.c.subject == identity.subject)
    found = found_where(connection, which)
    if found is None:
        name = _free(connection, identity)
        return made(
            connection,
            name,
            actor=name,
            display=_one_line(identity.display),
            role=identity.role or Role.MEMBER,
            issuer=identity.issuer,
            subject=identity.subject,
        )
    if identity.role is None:
        return found
    return set_role(connection, found.name, identity.role, actor=found.name, reason="as its provider says")


def _free(connection: Connection, identity: Identity) -> str:
    host = urlsplit(identity.issuer).hostname or "unknown"
    wanted = re.sub(r"[^a-z0-9._-]+", "-", identity.hint.partition("@")[0].lower())
    local = wanted[:LONGEST_NAME].strip("._-") or "someone"
    numbered = (local if number == 1 else f"{local}-{number}" for number in count(1))
    return next(name for each in numbered if not taken(connection, name := f"{each}@{host}"))


def _one_line(text: str) -> str:
    """A name to show, as far as it can be: it is no reason to turn somebody away."""
    shown = " ".join(text.split())
    return shown if visible(shown) == shown and len(shown) <= LONGEST_DISPLAY else ""
