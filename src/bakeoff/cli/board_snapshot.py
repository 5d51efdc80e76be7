"""`bakeoff board snapshot`, `diff` and `verify`."""

from typing import Annotated

from cyclopts import Parameter

from bakeoff.cli.board_database import opened, user

Json = Annotated[bool, Parameter(negative=())]
Flag = Annotated[bool, Parameter(negative=())]


def snapshot(
    board: str,
    *,
    show: str | None = None,
    version: int | None = None,
    top: int | None = None,
    list_: Annotated[Flag, Parameter(name="--list")] = False,
    database: str | None = None,
    json: Json = False,
) -> None:
    """Publish the present state of a board, or show one that was published.

    Example: bakeoff board snapshot small-models

    Parameters
    ----------
    board:
        The board's name.
    show:
        Show the snapshot whose digest begins so, `last` or `first`, and publish nothing.
    version:
        The version of the board; by default the newest. Old ones are ranked on by their own rule.
    top:
        Print only the first so many rows.
    list_:
        List the snapshots there are, and publish nothing.
    database:
        The address of the database.
    json:
        Print JSON.
    """
    from bakeoff.board.ranking.publishing import find, snapshots, take
    from bakeoff.board.registry import known
    from bakeoff.cli.board_view import print_snapshot
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.database import reading, writing

    with opened(database) as engine:
        if list_:
            with reading(engine) as connection:
                known(connection, board)
                made = [
                    {
                        "digest": each.digest,
                        "made": each.made,
                        "version": each.version,
                        "rows": len(each.rows),
                    }
                    for each in snapshots(connection, board)
                ]
            if json:
                print_json(made)
                return
            for each in made:
                digest = str(each["digest"])[7:19]
                stdout().print(f"{digest}  {each['made']}  version {each['version']}  {each['rows']} rows")
            return
        if show is not None:
            with reading(engine) as connection:
                known(connection, board)
                found = find(connection, board, show)
        else:
            with writing(engine) as connection:
                found = take(connection, known(connection, board, version), actor=user())
        with reading(engine) as connection:
            columns = known(connection, board, found.version).columns
    if json:
        print_json(found.as_json() | {"digest": found.digest})
    else:
        print_snapshot(stdout(), found, top, columns)


def diff(
    board: str, old: str = "first", new: str = "last", *, database: str | None = None, json: Json = False
) -> None:
    """Why the order of one snapshot is not that of another, line by line.

    Example: bakeoff board diff small-models first last

    Parameters
    ----------
    board:
        The board's name.
    old:
        The beginning of a snapshot's digest, `first` or `last`.
    new:
        The other.
    database:
        The address of the database.
    json:
        Print JSON.
    """
    from bakeoff.board.ranking.difference import differences
    from bakeoff.board.ranking.publishing import find
    from bakeoff.board.registry import known
    from bakeoff.cli.board_view import print_changes
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.database import reading

    with opened(database) as engine, reading(engine) as connection:
        known(connection, board)
        changes = differences(find(connection, board, old), find(connection, board, new))
    if json:
        print_json(changes)
    else:
        print_changes(stdout(), changes)


def verify(board: str, *, database: str | None = None, json: Json = False) -> int:
    """Check that the log and every snapshot are as they were written. Exits with 1 if they are not.

    Example: bakeoff board verify small-models

    Parameters
    ----------
    board:
        The board's name.
    database:
        The address of the database.
    json:
        Print JSON.
    """
    from bakeoff.board.ranking.publishing import problems, snapshots
    from bakeoff.board.registry import known
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.database import reading
    from bakeoff.database.log import events

    with opened(database) as engine, reading(engine) as connection:
        known(connection, board)
        found = list(problems(connection, board))
        entries = sum(1 for _ in events(connection))
        states = sum(1 for _ in snapshots(connection, board)) if not found else 0
    if json:
        print_json({"problems": found, "entries": entries})
    elif found:
        for each in found:
            stdout().print(each, soft_wrap=True)
    else:
        stdout().print(f"whole: {entries:,} entries of the log, {states:,} snapshots")
    return int(bool(found))
