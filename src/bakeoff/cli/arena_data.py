"""`bakeoff arena policy give`."""

import re
from datetime import date
from pathlib import Path

from bakeoff.cli.board_database import opened, user
from bakeoff.errors import BakeoffError


def give(
    arena: str,
    provider: str,
    *,
    since: date,
    until: date,
    share: float,
    data: str,
    database: str | None = None,
) -> None:
    """Enter in the log which votes a provider is given, before it is given them.

    The policy says how old they must be and which share of them it is; all other providers are to have the
    same within its days, and `bakeoff arena policy check` finds who was left out.

    Example: bakeoff arena policy give chat everyone --since 2026-01-01 --until 2026-01-31 --share 0.2
             --data january.parquet

    Parameters
    ----------
    arena:
        The arena's name.
    provider:
        Who receives them, as its variants spell it; `everyone` for what is published for all.
    since:
        The first day of the votes (UTC), such as 2026-01-01.
    until:
        The last day.
    share:
        The share of the votes of these days, from 0 to 1.
    data:
        The file that is given, or its digest.
    database:
        The address of the database.
    """
    from bakeoff.arena.policy.releases import give as enter
    from bakeoff.arena.policy.sampling import as_date
    from bakeoff.cli.output import stdout
    from bakeoff.database import writing
    from bakeoff.visible import visible

    found = _digest(data)
    first, last = ((day - as_date(0)).days for day in (since, until))
    with opened(database) as engine, writing(engine) as connection:
        enter(connection, arena, provider, since=first, until=last, share=share, data=found, actor=user())
    stdout().print(
        f"{visible(provider)} is given {100 * share:g} % of the votes of {since} to {until}: {found}",
        soft_wrap=True,
    )


def _digest(data: str) -> str:
    """Of a file, or as it was given."""
    from bakeoff.board.entry.predictions import file_digest

    if not data.startswith("sha256:"):
        return f"sha256:{file_digest(Path(data))}"
    if not re.fullmatch(r"sha256:[0-9a-f]{64}", data):
        raise BakeoffError(f"{data} is no digest", "a digest is sha256: and 64 hexadecimal digits")
    return data
