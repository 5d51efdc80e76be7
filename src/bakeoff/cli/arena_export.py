"""`bakeoff arena export`."""

from datetime import date
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from bakeoff.cli.board_database import opened, user


def export(
    arena: str,
    out: Path,
    *,
    provider: str = "everyone",
    since: date | None = None,
    until: date | None = None,
    format: Literal["parquet", "jsonl"] = "parquet",  # noqa: A002
    database: str | None = None,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """Votes of a live arena with their texts, to be given out: as old, and as many, as its policy says.

    Voters, battles and prompts get names that no other release has; personal details that have a form are
    taken out, and times are to the hour. What is held back is never in it. The register of what was given to
    whom has its entry before the files are there. For your own ranking: `bakeoff arena rate --arena NAME`.

    Example: bakeoff arena export chat january

    Parameters
    ----------
    arena:
        The arena's name.
    out:
        A new folder, for the votes and their manifest.
    provider:
        Who receives them, as its variants spell it; `everyone` for what is published for all.
    since:
        The first day of the votes (UTC), such as 2026-01-01; by default the one after the last release.
    until:
        The last day; by default the last that the policy allows.
    format:
        A table, or a line of JSON for each vote.
    database:
        The address of the database; by default BAKEOFF_DATABASE_URL, or bakeoff.db in this folder.
    json:
        Print JSON: the manifest.
    """
    from bakeoff.arena.policy.sampling import as_date
    from bakeoff.arena.sharing.export import give_out
    from bakeoff.cli.arena_export_view import print_manifest
    from bakeoff.cli.output import print_json, stdout

    first, last = (None if day is None else (day - as_date(0)).days for day in (since, until))
    with opened(database) as engine:
        made = give_out(
            engine, arena, out, actor=user(), provider=provider, since=first, until=last, form=format
        )
    if json:
        print_json(made)
    else:
        print_manifest(stdout(), made, out)
