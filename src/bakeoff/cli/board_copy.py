"""`bakeoff board copy`."""

from typing import Annotated

from cyclopts import Parameter

from bakeoff.cli.board_database import opened

Flag = Annotated[bool, Parameter(negative=())]


def copy(to: str, *, database: str | None = None, with_keys: Flag = False, json: Flag = False) -> None:
    """Copy everything into an empty database, SQLite or PostgreSQL: a backup, a restore, or a move.

    Others may write meanwhile: the copy is what was there at one moment. It is checked when it is made: every
    row, and the chain of the log.

    Example: bakeoff board copy sqlite:///backup.db

    Parameters
    ----------
    to:
        The address of the copy: a database without rows. An SQLite file is made.
    database:
        The address of the database that is copied; by default BAKEOFF_DATABASE_URL, or bakeoff.db in this
        folder.
    with_keys:
        Copy the sealed keys that submitters lent, too. Without them their jobs fail in the copy.
    json:
        Print JSON.
    """
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.database import database_url, open_database, shown_url
    from bakeoff.database.copying import copy as copied

    url = database_url(to)
    with opened(database) as source:
        target = open_database(url)
        try:
            made = copied(source, target, keys=with_keys)
        finally:
            target.dispose()
    if json:
        print_json(made)
        return
    counts = ", ".join(f"{name} {count:,}" for name, count in sorted(made.rows.items()) if count)
    stdout().print(f"{shown_url(url)}: {counts}; the log ends at {made.head[7:19]}", soft_wrap=True)
