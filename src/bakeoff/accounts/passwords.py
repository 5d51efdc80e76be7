"""Passwords: kept as Argon2id makes them (RFC 9106), and checked at one price whoever asks.

The parameters are libsodium's for interactive use: 64 MiB and two passes.
"""

import unicodedata
from functools import cache

from sqlalchemy import Connection, delete, select, update

from bakeoff.accounts.account import Account, by_name, found_where, told
from bakeoff.accounts.names import as_kept
from bakeoff.database.log import lock
from bakeoff.database.tables import account as table
from bakeoff.database.tables import session
from bakeoff.errors import BakeoffError

SHORTEST, LONGEST = 15, 1000
"""Characters. Fifteen is what NIST SP 800-63B-4 (section 3.1.1.2) asks of a password that stands alone."""
_FEWEST_DIFFERENT = 5


def set_password(connection: Connection, name: str, password: str, *, actor: str) -> Account:
    """Set or replace the password of an account, and end its sessions; tokens stay.

    Raises:
        BakeoffError: there is no such account, it is one of a provider's, or the password is too short, too
            long or too simple. The password is not in the error.
    """
    found = by_name(connection, name)
    if found.issuer:
        raise BakeoffError(
            f"{found.name} logs in at {found.issuer}", "a password here would outlast the account there"
        )
    check_strength(password, found.name)
    hashed = _hashed(_bytes(password))
    lock(connection)
    connection.execute(update(table).where(table.c.id == found.id).values(password=hashed.decode()))
    connection.execute(delete(session).where(session.c.account == found.id))
    told(connection, found, "password set", actor=actor)
    return by_name(connection, found.name)


def check_password(connection: Connection, name: str, password: str) -> Account | None:
    """The account, where the password is its own and it is not disabled; else None, without saying which.

    A name that nobody has, an account without a password, and a wrong password take the same work.
    """
    row = connection.execute(
        select(table.c.id, table.c.password).where(table.c.name == as_kept(name))
    ).one_or_none()
    # Made first, since the first call takes as long as a check, which would tell names apart once.
    nobodys = _nobodys()
    known = row is not None and row.password is not None and len(password) <= LONGEST
    hashed = row.password.encode() if row is not None and known else nobodys
    if not _is(hashed, _bytes(password[:LONGEST])) or row is None or not known:
        return None
    found = found_where(connection, table.c.id == row.id)
    return found if found is not None and found.disabled is None else None


def check_strength(password: str, name: str) -> None:
    """Whether a password may be chosen. There are no rules on kinds of characters: they make it worse.

    Raises:
        BakeoffError: it is too short, too long or too simple.
    """
    if len(password) < SHORTEST:
        raise BakeoffError(
            f"the password has {len(password)} characters, and {SHORTEST} is the least",
            "four or five words that have nothing to do with each other are easy to keep in mind",
        )
    if len(password) > LONGEST:
        raise BakeoffError(f"the password has {len(password):,} characters, and {LONGEST:,} is the most")
    plain = password.lower()
    if len(set(plain.replace(name, ""))) < _FEWEST_DIFFERENT:
        raise BakeoffError(
            f"the password has fewer than {_FEWEST_DIFFERENT} different characters beside the name",
            "choose one that nobody tries first",
        )


def _bytes(password: str) -> bytes:
    # One text can be typed as several sequences of code points.
    return unicodedata.normalize("NFC", password).encode("utf-8", "surrogatepass")


def _hashed(password: bytes) -> bytes:
    from nacl.pwhash import argon2id

    return argon2id.str(password)


def _is(hashed: bytes, password: bytes) -> bool:
    from nacl.exceptions import InvalidkeyError
    from nacl.pwhash import argon2id

    try:
        return argon2id.verify(hashed, password)
    except InvalidkeyError:
        return False


@cache
def _nobodys() -> bytes:
    """What a password is checked against where there is none."""
    return _hashed(b"nobody")
