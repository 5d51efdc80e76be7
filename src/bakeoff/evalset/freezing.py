"""Freeze a set, and see what changed since."""

import getpass
import re
from datetime import UTC, datetime

from bakeoff.errors import BakeoffError
from bakeoff.evalset.lock import (
    Changes,
    Lock,
    Release,
    changes,
    items_digest,
    lock_path,
    read_lock,
    write_lock,
)
from bakeoff.evalset.reading import ItemSet


def freeze(found: ItemSet, version: str, *, by: str = "") -> Lock:
    """Write the lock of a set that has none yet: its first version. `by` is the user's name on this machine
    unless given.

    Raises:
        BakeoffError: the set is frozen already, has no items, or the version cannot be one.
        TaskError, StoreError: the items cannot be read, the lock cannot be written.
    """
    check_version(version, ())
    if lock_path(found.file).exists():
        raise BakeoffError(
            f"{found.file} is frozen already, as version {read_lock(found.file).version}",
            "a new version is made by a reviewed step: bakeoff set propose, review, release",
        )
    digests = found.digests()
    digest = found.file_digest()
    first = Release(
        version=version,
        released=now(),
        by=by or user(),
        count=len(digests),
        file_digest=digest,
        items_digest=items_digest(digests),
    )
    lock = Lock(
        file=found.file.name,
        version=version,
        count=len(digests),
        file_digest=digest,
        items=dict(sorted(digests.items())),
        history=(first,),
    )
    write_lock(found.file, lock)
    return lock


def check(found: ItemSet) -> tuple[Lock, Changes]:
    """The lock of a set, and what changed in its file since.

    Raises:
        StoreError: the set is not frozen.
        TaskError: its items cannot be read.
    """
    lock = read_lock(found.file)
    return lock, changes(lock.items, found.digests(), same_bytes=found.file_digest() == lock.file_digest)


def check_version(version: str, taken: tuple[str, ...]) -> None:
    """Refuse what cannot name a new version.

    Raises:
        BakeoffError: not letters, digits, dots, dashes or underscores, or a version there was before.
    """
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", version):
        raise BakeoffError(f"{version!r} cannot be a version", "letters, digits, dots and dashes: 1, 2026-11")
    if version in taken:
        raise BakeoffError(
            f"there was a version {version} before", f"versions so far: {', '.join(taken)}; take another"
        )


def user() -> str:
    """The name of whoever runs this, as the machine knows it."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "unknown"


def now() -> str:
    """UTC, ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")
