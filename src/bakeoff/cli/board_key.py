"""`bakeoff board key`: the pair of keys by which submitters lend theirs."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from bakeoff.cli.board_database import opened, user
from bakeoff.errors import BakeoffError

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from bakeoff.board.entry.keys import BoardKey

VARIABLE = "BAKEOFF_BOARD_KEY_FILE"
Json = Annotated[bool, Parameter(negative=())]

key = App(
    name="key",
    help="The keys of the boards in a database: submitters seal with the public one, workers open.",
    help_format="plaintext",
    result_action="return_value",
)


@key.command
def new(file: Path, *, database: str | None = None, json: Json = False) -> None:
    """Make a pair of keys. What is lent from now on is sealed for it.

    Give the file to the workers that are to evaluate endpoints with keys, and to nobody else. What was sealed
    for an older pair waits for workers that have the older file.

    Example: bakeoff board key new board.key

    Parameters
    ----------
    file:
        Where the private key goes. Only its owner can read it, and no file is written over.
    database:
        The address of the database, which keeps the public key.
    json:
        Print JSON.
    """
    from bakeoff.board.entry.keys import announce, need, new_key
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.database import writing

    with opened(database) as engine, writing(engine) as connection:
        made = new_key(file)
        announce(connection, made.public, actor=user())
    if json:
        print_json({"public": made.public, "need": need(made.public), "file": str(file)})
        return
    stdout().print(
        f"the public key is {made.public}; workers with {file} offer {need(made.public)}", soft_wrap=True
    )


def board_key(engine: "Engine", file: Path | None) -> "BoardKey | None":
    """The private key in `file`, or in the one that BAKEOFF_BOARD_KEY_FILE names; None without either.

    Raises:
        StoreError: it cannot be read, or is not for its owner alone.
        BakeoffError: it is not a key of this database.
    """
    from bakeoff.board.entry.keys import announced, read_key
    from bakeoff.database import reading

    path = file or (Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None)
    if path is None:
        return None
    read = read_key(path)
    with reading(engine) as connection:
        known = announced(connection)
    if read.public not in known:
        raise BakeoffError(
            f"{path} is no key of this database: nothing is sealed for it",
            "name the file that `bakeoff board key new` wrote for it",
        )
    return read
