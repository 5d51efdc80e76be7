"""`bakeoff board answers`."""

from typing import Annotated

from cyclopts import Parameter

from bakeoff.cli.board_database import opened

Json = Annotated[bool, Parameter(negative=())]


def answers(board: str, *, database: str | None = None, json: Json = False) -> int:
    """Where the items and answers of a board are. Those of a private one do not leave the server; then it
    names the public twin, and exits with 1.

    Example: bakeoff board answers small-models

    Parameters
    ----------
    board:
        The board's name.
    database:
        The address of the database.
    json:
        Print JSON.
    """
    from bakeoff.board.private.twin import places
    from bakeoff.board.registry import known
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.database import reading
    from bakeoff.visible import visible

    with opened(database) as engine, reading(engine) as connection:
        found = known(connection, board)
    private = found.policy.private
    told = [] if private else places(found)
    if json:
        print_json({"board": board, "private": private, "twin": found.twin, "tasks": told})
    elif private:
        twin = (
            f"{found.twin} is its public twin, of other items: bakeoff board answers {found.twin}"
            if found.twin
            else "It names no public twin."
        )
        stdout().print(
            f"{visible(board)}: the answers do not leave the server. {visible(twin)}", soft_wrap=True
        )
    elif found.source:
        stdout().print(
            f"{visible(board)}: its numbers are reported by {visible(found.source)}", soft_wrap=True
        )
    for each in () if json else told:
        stdout().print(f"{visible(each.task)}  {visible(each.where)}", soft_wrap=True)
    return int(private)
