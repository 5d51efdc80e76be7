"""Opening the database, and its two kinds of transaction."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, OperationalError

from bakeoff.errors import StoreError

VARIABLE = "BAKEOFF_DATABASE_URL"
DEFAULT = "sqlite:///bakeoff.db"
_REMOTE = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "fuse.sshfs", "afs", "9p", "ncpfs"})
_MOST = 90
"""Connections beyond the few that are kept: a server has forty threads, and some hold two at once."""
_WAIT_S = 30
"""How long a writer waits for another before it gives up."""
_turns: WeakKeyDictionary[Engine, Lock] = WeakKeyDictionary()
"""Writers of one process take turns: SQLite has them try again and again, and a few then wait for seconds."""


def database_url(given: str | None = None) -> URL:
    """The address of the database: `given`, else `BAKEOFF_DATABASE_URL`, else `bakeoff.db` in this folder.

    Raises:
        StoreError: it is no address of SQLite or PostgreSQL.
    """
    text = given or os.environ.get(VARIABLE) or DEFAULT
    try:
        url = make_url(text)
    except ArgumentError:
        # The text may hold a password, and is not repeated.
        raise StoreError(f"the address in {_place(given)} is none of a database", _FORMS) from None
    if url.get_backend_name() == "sqlite":
        return url
    if url.get_backend_name() in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    raise StoreError(f"{url.get_backend_name()} is not a database that bakeoff can use", _FORMS)


def open_database(url: URL) -> Engine:
    """Connect to the database, whose tables may not be there yet (`migrate`).

    Raises:
        StoreError: it cannot be reached, its driver is not installed, or an SQLite file lies on a network
            drive, where its locks do not hold.
    """
    sqlite = url.get_backend_name() == "sqlite"
    in_memory = sqlite and (url.database in (None, "", ":memory:") or url.query.get("mode") == "memory")
    if sqlite and not in_memory:
        _check_place(Path(str(url.database)))
    # A database in memory has a connection a thread, and no pool that could overflow.
    pool: dict[str, Any] = {} if in_memory else {"max_overflow": _MOST}
    try:
        engine = create_engine(
            url,
            pool_pre_ping=not sqlite,
            hide_parameters=True,  # errors would else print what people wrote
            connect_args=_arguments(sqlite=sqlite),
            **pool,
        )
        if sqlite:
            event.listen(engine, "connect", _prepare_sqlite)
        with engine.connect():
            return engine
    except (NoSuchModuleError, ImportError):
        raise StoreError(
            "PostgreSQL needs psycopg, which is not installed", "Install it: pip install 'bakeoff[postgres]'"
        ) from None
    except OperationalError as error:
        raise StoreError(f"{shown_url(url)} cannot be opened: {_first_line(error)}", _FORMS) from None


def shown_url(url: URL) -> str:
    """The address without its password."""
    return url.render_as_string(hide_password=True)


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """One consistent view of the database. Nothing that is written in it is kept."""
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN")
        else:
            connection.execution_options(isolation_level="REPEATABLE READ")
        try:
            yield connection
        finally:
            connection.rollback()


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """All or nothing: kept when the block ends, undone when it raises.

    On SQLite it waits for other writers at once. A transaction that reads first and asks to write later could
    find that it cannot, because what it has read is old.
    """
    with _turn(engine), engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        try:
            yield connection
        except BaseException:
            connection.rollback()
            raise
        connection.commit()


@contextmanager
def _turn(engine: Engine) -> Iterator[None]:
    if engine.dialect.name != "sqlite":
        yield
        return
    lock = _turns.setdefault(engine, Lock())
    taken = lock.acquire(timeout=_WAIT_S)  # else SQLite says that it is locked
    try:
        yield
    finally:
        if taken:
            lock.release()


_FORMS = "write sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"


def _place(given: str | None) -> str:
    return "--database" if given else VARIABLE


def _arguments(*, sqlite: bool) -> dict[str, Any]:
    # With isolation_level None the driver leaves transactions to us.
    return {"timeout": _WAIT_S, "isolation_level": None} if sqlite else {"connect_timeout": 10}


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode = WAL")
    # A power cut may lose the last transactions, never a part of one; a killed process loses nothing.
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute("PRAGMA secure_delete = ON")  # a key that is destroyed leaves nothing in the file
    cursor.close()


def _check_place(file: Path) -> None:
    folder = file.resolve().parent
    if not folder.is_dir():
        raise StoreError(f"there is no folder {folder} for the database", "make it, or name another file")
    if (kind := _file_system(folder)) in _REMOTE:
        raise StoreError(
            f"{folder} is a network drive ({kind}), where SQLite's locks do not hold",
            "keep the file on a local disk, or use PostgreSQL",
        )


def _file_system(folder: Path) -> str:
    """The kind of file system a folder lies on; "" where the system does not say."""
    try:
        mounts = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    best, kind = "", ""
    for line in mounts:
        before, _, after = line.partition(" - ")
        mounted = before.split()[4].replace("\\040", " ")
        if folder.is_relative_to(mounted) and len(mounted) >= len(best):
            best, kind = mounted, after.split()[0]
    return kind


def _first_line(error: OperationalError) -> str:
    return str(error.orig).strip().splitlines()[0] if str(error.orig).strip() else "no reason given"
