"""Keys that submitters lend: sealed where they are handed in, opened for one job, destroyed when it is over.

The board has a pair of keys. The public one is in the database, so that any machine can seal; the private one
is a file of the operator's, so that only workers who are given it can open. What is sealed names its
submission and its address: a copy beside another submission, or for another address, is refused.
"""

import base64
import binascii
import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

import orjson
from sqlalchemy import Connection, delete, insert, select

from bakeoff.database.clock import now
from bakeoff.database.log import record
from bakeoff.database.tables import event
from bakeoff.database.tables import secret as table
from bakeoff.digest import canonical_json
from bakeoff.errors import BakeoffError, StoreError
from bakeoff.model.reach import NotAllowedError
from bakeoff.store.files import unwritable

_SUBJECT = "keys"
_BYTES = 32
"""Of a Curve25519 key."""
_AGAIN = "hand the model in again, with its key"


class BoardKey:
    """The private key of a board. `public` is its public one, as text."""

    __slots__ = ("_private", "public")

    def __init__(self, private: bytes) -> None:
        from nacl.public import PrivateKey

        self._private = private
        self.public = _text(bytes(PrivateKey(private).public_key))

    def __repr__(self) -> str:
        return f"BoardKey(public={self.public!r})"

    def open(self, sealed: str) -> bytes:
        """What was sealed with the public key.

        Raises:
            ValueError: it was sealed with another, or changed since.
        """
        from nacl.exceptions import CryptoError
        from nacl.public import PrivateKey, SealedBox

        try:
            return SealedBox(PrivateKey(self._private)).decrypt(base64.b64decode(sealed, validate=True))
        except (CryptoError, binascii.Error):
            raise ValueError("it was not sealed with this key, or changed since") from None


@dataclass(frozen=True, slots=True)
class Lent:
    """A key that a submitter lent, for the model at `address` and no other."""

    address: str
    key: str

    def __repr__(self) -> str:
        return f"Lent(address={self.address!r}, key=***)"


def new_key(path: Path) -> BoardKey:
    """Make a pair of keys, and keep the private one in a new file that only its owner can read (0600).

    Raises:
        BakeoffError: the file is there already.
        StoreError: it cannot be written.
    """
    from nacl.public import PrivateKey

    private = bytes(PrivateKey.generate())
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise BakeoffError(
            f"{path} is there already", "what was sealed for it could not be opened without it: name another"
        ) from None
    except OSError as error:
        raise unwritable(path, error) from error
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(_text(private) + "\n")
    return BoardKey(private)


def read_key(path: Path) -> BoardKey:
    """The private key in a file of `new_key`.

    Raises:
        StoreError: it cannot be read, others than its owner can read it too, or it holds no key.
    """
    try:
        others = path.stat().st_mode & 0o077
        text = path.read_text(encoding="ascii").strip()
        private = base64.b64decode(text, validate=True)
    except OSError as error:
        raise StoreError(f"cannot read the key file {path}: {error.strerror}") from None
    except ValueError:
        private, others = b"", 0
    if others:
        raise StoreError(f"others can read the key file {path}", f"chmod 600 {path}")
    if len(private) != _BYTES:
        raise StoreError(f"{path} holds no key of a board", "bakeoff board key new FILE makes one")
    return BoardKey(private)


def announce(connection: Connection, public: str, *, actor: str) -> None:
    """Have all keys sealed with this public key from now on."""
    record(connection, actor=actor, kind="key", subject=_SUBJECT, facts={"public": public})


def announced(connection: Connection) -> tuple[str, ...]:
    """The public keys there have been, the one that holds last."""
    query = select(event.c.facts).where(event.c.subject == _SUBJECT, event.c.kind == "key")
    facts = connection.execute(query.order_by(event.c.number)).scalars()
    return tuple(orjson.loads(each)["public"] for each in facts)


def need(public: str) -> str:
    """What a worker must offer to open what was sealed with this public key: `key:` and twelve hex digits."""
    return f"key:{hashlib.sha256(base64.b64decode(public)).hexdigest()[:12]}"


def lend(connection: Connection, number: int, lent: Lent, *, actor: str) -> str:
    """Seal a key for a submission, and keep it so. Returns what a worker must offer to open it (`need`).

    Raises:
        BakeoffError: the board has no public key, or the submission has a key already.
    """
    from nacl.public import PublicKey, SealedBox

    known = announced(connection)
    if not known:
        raise BakeoffError(
            "there is no key to seal with", "the board's operator makes one: bakeoff board key new FILE"
        )
    if _sealed(connection, number) is not None:
        raise BakeoffError(f"submission {number} has a key already")
    plain = canonical_json({"submission": number, "address": lent.address, "key": lent.key})
    box = SealedBox(PublicKey(base64.b64decode(known[-1])))
    connection.execute(
        insert(table).values(submission=number, sealed=_text(box.encrypt(plain)), created=now())
    )
    record(
        connection,
        actor=actor,
        kind="key lent",
        subject=f"submission {number}",
        facts={"address": lent.address, "sealed for": need(known[-1])},
    )
    return need(known[-1])


def borrowed(connection: Connection, number: int, key: BoardKey) -> Lent:
    """The key that was lent for a submission.

    Raises:
        NotAllowedError: it is gone, cannot be opened, or was sealed for another submission.
    """
    sealed = _sealed(connection, number)
    if sealed is None:
        raise NotAllowedError(f"the key of submission {number} is gone", _AGAIN)
    try:
        plain = orjson.loads(key.open(sealed))
    except ValueError as error:
        raise NotAllowedError(f"the key of submission {number} cannot be opened: {error}", _AGAIN) from None
    match plain:
        case {"submission": int(lender), "address": str(address), "key": str(text)} if lender == number:
            return Lent(address, text)
        case _:
            raise NotAllowedError(f"the key of submission {number} was not lent for it", _AGAIN)


def destroy(connection: Connection, number: int, *, actor: str) -> bool:
    """Remove the key that was lent for a submission; False where none is."""
    if connection.execute(delete(table).where(table.c.submission == number)).rowcount == 0:
        return False
    record(connection, actor=actor, kind="key destroyed", subject=f"submission {number}")
    return True


def _sealed(connection: Connection, number: int) -> str | None:
    return connection.execute(select(table.c.sealed).where(table.c.submission == number)).scalar()


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()
