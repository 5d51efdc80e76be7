"""`bakeoff board history`."""

from typing import Annotated

from cyclopts import Parameter

from bakeoff.cli.board_database import opened
from bakeoff.errors import BakeoffError

Json = Annotated[bool, Parameter(negative=())]


def history(board: str, model: str, *, database: str | None = None, json: Json = False) -> None:
    """How a model stood over time, snapshot by snapshot.

    Example: bakeoff board history arena gpt-4

    Parameters
    ----------
    board:
        The board's name.
    model:
        The model's name, or a part of it.
    database:
        The address of the database.
    json:
        Print JSON.
    """
    from bakeoff.board.ranking.history import history as told
    from bakeoff.board.registry import known
    from bakeoff.cli.board_view import print_history
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.database import reading

    with opened(database) as engine, reading(engine) as connection:
        known(connection, board)
        found = list(told(connection, board, model))
    if not found:
        raise BakeoffError(
            f"no snapshot of {board} has a model {model}", f"bakeoff board snapshot {board} --list"
        )
    if json:
        print_json(found)
    else:
        print_history(stdout(), found)
