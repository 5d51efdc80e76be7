"""`bakeoff arena policy daily`."""

from typing import Annotated

from cyclopts import Parameter

from bakeoff.cli.board_database import opened, user

Json = Annotated[bool, Parameter(negative=())]


def daily(arena: str, *, database: str | None = None, json: Json = False) -> None:
    """What is due once a day: close the days that are over, and make inactive who has too few votes.

    To be run by a timer. Days that were missed are made up for, and a second run does nothing.

    Example: bakeoff arena policy daily chat

    Parameters
    ----------
    arena:
        The arena's name.
    database:
        The address of the database.
    json:
        Print JSON.
    """
    from bakeoff.arena.policy.daily import keep
    from bakeoff.arena.policy.sampling import as_date
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.database import writing
    from bakeoff.visible import visible

    with opened(database) as engine, writing(engine) as connection:
        done = keep(connection, arena, actor=user())
    days = [str(as_date(day)) for day in done.closed]
    if json:
        print_json({"closed": days, "inactive": done.inactive})
        return
    out = stdout()
    out.print(f"closed: {', '.join(days) or 'no day was due'}", soft_wrap=True)
    out.print(f"inactive now: {', '.join(map(visible, done.inactive)) or 'none'}", soft_wrap=True)
