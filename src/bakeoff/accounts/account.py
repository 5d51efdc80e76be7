"""Accounts: made by an operator, given a role, and disabled; none is ever removed, since the log names it."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, select, update

from bakeoff.accounts.names import as_kept, line, local_name
from bakeoff.database.clock import now
from bakeoff.database.log import lock, record
from bakeoff.database.tables import account as table
from bakeoff.database.tables import membership, session, submission
from bakeoff.errors import BakeoffError

LONGEST_DISPLAY = 80
LONGEST_REASON = 500


class Role(StrEnum):
    """What an account may do at all (`may`); each role may also do what the one before may."""

    MEMBER = "member"
    MODERATOR = "moderator"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody who is known.

    `name` is the actor in the log, and `display` is shown beside it where there is one. `organisations` are
    those that it speaks for besides itself, sorted. `issuer` is the provider that vouches for them, "" for
    those whom the operator added. `created` and `disabled` are seconds since 1970.
    """

    id: int
    name: str
    display: str
    role: Role
    organisations: tuple[str, ...]
    issuer: str
    has_password: bool
    created: float
    disabled: float | None


def add(
    connection: Connection, name: str, *, actor: str, display: str = "", role: Role = Role.MEMBER
) -> Account:
    """Add an account. It can log in when it has a password or a token.

    Raises:
        BakeoffError: the name is none, or is taken: by another account, or by an organisation that somebody
            else speaks for.
    """
    name = local_name(name)
    lock(connection)
    if taken(connection, name):
        raise BakeoffError(f"there is an account {name} already", "bakeoff account list")
    if _is_of_others(connection, name):
        raise BakeoffError(
            f"{name} is an organisation that others speak for, and would be the account's to speak for",
            "take another name",
        )
    return made(connection, name, actor=actor, display=display, role=role)


def made(
    connection: Connection,
    name: str,
    *,
    actor: str,
    display: str = "",
    role: Role = Role.MEMBER,
    issuer: str = "",
    subject: str = "",
) -> Account:
    """Add an account whose name was found to be free, and log it; under the log's `lock`."""
    connection.execute(
        insert(table).values(
            name=name,
            display=line(display, "name to show", LONGEST_DISPLAY, empty=True),
            role=role.value,
            issuer=issuer or None,
            subject=subject or None,
            created=now(),
        )
    )
    facts = {"role": role.value} | ({"issuer": issuer} if issuer else {})
    record(connection, actor=actor, kind="account added", subject=_subject(name), facts=facts)
    return by_name(connection, name)


def taken(connection: Connection, name: str) -> bool:
    """Whether an account has that name."""
    return connection.execute(select(table.c.id).where(table.c.name == name)).first() is not None


def by_name(connection: Connection, name: str) -> Account:
    """The account of that name, in upper or lower case; one that is disabled, too.

    Raises:
        BakeoffError: there is none.
    """
    if found := found_where(connection, table.c.name == as_kept(name)):
        return found
    raise BakeoffError(f"there is no account {name.strip()}", "bakeoff account list shows those there are")


def found_where(connection: Connection, which: ColumnElement[bool]) -> Account | None:
    """The one account that a condition picks."""
    row = connection.execute(select(table).where(which)).one_or_none()
    if row is None:
        return None
    organisations = select(membership.c.organisation).where(membership.c.account == row.id)
    return _account(row, connection.execute(organisations).scalars())


def accounts(connection: Connection) -> tuple[Account, ...]:
    """All accounts by name, those that are disabled too."""
    organisations = defaultdict[int, list[str]](list)
    for row in connection.execute(select(membership)):
        organisations[row.account].append(row.organisation)
    rows = connection.execute(select(table).order_by(table.c.name))
    return tuple(_account(row, organisations[row.id]) for row in rows)


def set_role(connection: Connection, name: str, role: Role, *, actor: str, reason: str = "") -> Account:
    """Give an account another role. Nothing is logged where it has it.

    Raises:
        BakeoffError: there is no such account.
    """
    lock(connection)
    found = by_name(connection, name)
    if found.role is role:
        return found
    connection.execute(update(table).where(table.c.id == found.id).values(role=role.value))
    told(
        connection,
        found,
        "account role",
        actor=actor,
        reason=reason,
        facts={"from": found.role.value, "to": role.value},
    )
    return by_name(connection, found.name)


def disable(connection: Connection, name: str, *, actor: str, reason: str) -> Account:
    """Shut an account: its sessions end at once and its tokens are no longer taken. What it did stays.

    Raises:
        BakeoffError: there is no such account, it is disabled, or there is no reason.
    """
    lock(connection)
    found = by_name(connection, name)
    if found.disabled is not None:
        raise BakeoffError(f"{found.name} is disabled already")
    reason = line(reason, "reason", LONGEST_REASON)
    connection.execute(update(table).where(table.c.id == found.id).values(disabled=now()))
    connection.execute(delete(session).where(session.c.account == found.id))
    told(connection, found, "account disabled", actor=actor, reason=reason)
    return by_name(connection, found.name)


def enable(connection: Connection, name: str, *, actor: str, reason: str = "") -> Account:
    """Open an account again. Its tokens are taken again, unless they were revoked or have run out.

    Raises:
        BakeoffError: there is no such account, or it is not disabled.
    """
    lock(connection)
    found = by_name(connection, name)
    if found.disabled is None:
        raise BakeoffError(f"{found.name} is not disabled")
    connection.execute(update(table).where(table.c.id == found.id).values(disabled=None))
    told(connection, found, "account enabled", actor=actor, reason=reason)
    return by_name(connection, found.name)


def told(connection: Connection, account: Account, kind: str, *, actor: str, **more: Any) -> None:
    """Log a change of an account; `more` as for `record`. The log is public and forgets nothing: no secret,
    no digest of one and nothing that a provider knows of a person goes into it.
    """
    record(connection, actor=actor, kind=kind, subject=_subject(account.name), **more)


def _subject(name: str) -> str:
    return f"account {name}"


def _is_of_others(connection: Connection, name: str) -> bool:
    granted = select(membership.c.account).where(func.lower(membership.c.organisation) == name)
    used = select(submission.c.id).where(
        func.lower(submission.c.organisation) == name, submission.c.submitter != name
    )
    return any(connection.execute(each.limit(1)).first() is not None for each in (granted, used))


def _account(row: Row[Any], organisations: Iterable[str]) -> Account:
    return Account(
        id=row.id,
        name=row.name,
        display=row.display,
        role=Role(row.role),
        organisations=tuple(sorted(organisations)),
        issuer=row.issuer or "",
        has_password=row.password is not None,
        created=row.created,
        disabled=row.disabled,
    )
