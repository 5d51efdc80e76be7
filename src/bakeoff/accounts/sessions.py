"""Sessions: by which a browser is known again after a log-in.

Opening and closing them changes nothing of an account, and is not logged: the log, which is public and for
good, would tell when somebody is at work.
"""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, and_, delete, insert, or_, select, update

from bakeoff.accounts.account import Account, found_where
from bakeoff.accounts.secret import LONGEST, kept, new_secret
from bakeoff.database.clock import current, now
from bakeoff.database.tables import account as accounts
from bakeoff.database.tables import session as table

LIFETIME_S = 30 * 86_400.0
"""After which one logs in again, however busy the session was."""
IDLE_S = 7 * 86_400.0
"""After which a session ends that nobody used."""
MOST_SESSIONS = 20
"""Of an account; the oldest give way."""
_SEEN_S = 3600.0


@dataclass(frozen=True, slots=True)
class Session:
    """What is known of a session; times are seconds since 1970. `seen` is right to the hour. The digest
    names it, and opens nothing.
    """

    digest: str
    account: int
    created: float
    seen: float
    expires: float


def open_session(connection: Connection, account: Account) -> str:
    """Open a session. Returns the secret that the browser is to keep. Each log-in has a new one, so that
    nobody can have planted it before.

    Raises:
        ValueError: the account is disabled.
    """
    if account.disabled is not None:
        raise ValueError(f"{account.name} is disabled, and has no sessions")
    _clear_away(connection, account)
    secret = new_secret()
    connection.execute(
        insert(table).values(
            digest=kept(secret), account=account.id, created=now(), seen=now(), expires=now() + LIFETIME_S
        )
    )
    return secret


def by_session(connection: Connection, secret: str) -> tuple[Account, Session] | None:
    """Whose session that is, and what is known of it; None where it is none, or has ended."""
    if not 0 < len(secret) <= LONGEST:
        return None
    row = connection.execute(select(table).where(table.c.digest == kept(secret))).one_or_none()
    if row is None or not _goes_on(found := _session(row), current(connection)):
        return None
    owner = found_where(connection, accounts.c.id == found.account)
    return (owner, found) if owner is not None and owner.disabled is None else None


def is_stale(session: Session, at: float) -> bool:
    """Whether its use at that time (seconds since 1970) is worth a note: not each use is a write."""
    return at - session.seen >= _SEEN_S


def note_use(connection: Connection, session: Session) -> None:
    """Note that a session was used just now."""
    connection.execute(update(table).where(table.c.digest == session.digest).values(seen=now()))


def sessions_of(connection: Connection, account: Account) -> tuple[Session, ...]:
    """The sessions of an account that go on, the one that was used last first."""
    at = current(connection)
    query = select(table).where(table.c.account == account.id).order_by(table.c.seen.desc(), table.c.digest)
    return tuple(each for each in map(_session, connection.execute(query)) if _goes_on(each, at))


def close(connection: Connection, account: Account, digest: str) -> bool:
    """End a session of an account; False where it has none such."""
    which = and_(table.c.digest == digest, table.c.account == account.id)
    return digest.isprintable() and connection.execute(delete(table).where(which)).rowcount > 0


def close_all(connection: Connection, account: Account, *, but: str = "") -> int:
    """End all sessions of an account, but the one of that digest. Returns how many."""
    return connection.execute(
        delete(table).where(table.c.account == account.id, table.c.digest != but)
    ).rowcount


def _goes_on(session: Session, at: float) -> bool:
    return at < session.expires and at < session.seen + IDLE_S


def _clear_away(connection: Connection, account: Account) -> None:
    """Remove what has ended, and leave room for one more of the account."""
    ended = or_(table.c.expires <= now(), table.c.seen <= now() - IDLE_S)
    connection.execute(delete(table).where(ended))
    query = select(table.c.digest).where(table.c.account == account.id)
    newest = query.order_by(table.c.created.desc(), table.c.digest).offset(MOST_SESSIONS - 1)
    if surplus := list(connection.execute(newest).scalars()):
        connection.execute(delete(table).where(table.c.digest.in_(surplus)))


def _session(row: Row[Any]) -> Session:
    return Session(row.digest, row.account, row.created, row.seen, row.expires)
