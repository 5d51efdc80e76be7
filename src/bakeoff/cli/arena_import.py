"""`bakeoff arena import`."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

Json = Annotated[bool, Parameter(negative=())]


def import_(source: Path, target: Path, *, format: str | None = None, json: Json = False) -> None:  # noqa: A002
    """Read published votes and write them as a table: a row a battle, voters as pseudonyms.

    Example: bakeoff arena import crowd-comparisons.csv votes.parquet

    Parameters
    ----------
    source:
        A file of votes in a published format (CSV, JSON, JSONL or Parquet), which its columns tell.
    target:
        The table to write, a Parquet file.
    format:
        The format's name, where the columns fit several.
    json:
        Print JSON.
    """
    from bakeoff.arena.votes.importing.importing import import_votes
    from bakeoff.cli.output import print_json, stdout

    found = import_votes(source, target, kind=format)
    if json:
        print_json(found)
        return
    out = stdout()
    out.print(f"{found.taken:,} of {found.total:,} battles, read as {found.format}: {target}", soft_wrap=True)
    for reason, number in found.untaken.items():
        out.print(f"  not taken, {reason}: {number:,}", soft_wrap=True)
    out.print(f"Rate them: bakeoff arena rate {target}", soft_wrap=True)
