"""A file of votes of any kind, opened for rating."""

from collections.abc import Mapping
from pathlib import Path

from bakeoff.arena.votes.importing.importing import Imported, read_battles
from bakeoff.arena.votes.importing.rows import rows_of
from bakeoff.arena.votes.pair_counts import PairCounts, read_pair_counts
from bakeoff.arena.votes.table import COLUMNS, read_votes
from bakeoff.arena.votes.votes import Votes, votes_of
from bakeoff.errors import BakeoffError


def open_votes(path: Path, *, kind: str | None = None) -> tuple[Votes | PairCounts, Imported | None]:
    """Votes, or counts of pairs, and what was left behind where a published format was read.

    A table that `import_votes` wrote opens in a moment; published formats are read row by row, into memory.

    Raises:
        BakeoffError: no such file, no known format, or a value that cannot be, with its place.
    """
    first = next(rows_of(path), None)
    if first is None:
        raise BakeoffError(f"{path} holds no row", "there is nothing to rate")
    assert isinstance(first.columns, Mapping)
    columns = first.columns.keys()
    if kind is None and COLUMNS.keys() <= columns:
        return read_votes(path), None
    if kind is None and {"wins_a", "wins_b"} <= columns:
        return read_pair_counts(path), None
    battles, imported = read_battles(path, kind=kind)
    if not battles:
        reasons = "; ".join(f"{reason}: {number:,}" for reason, number in imported.untaken.items())
        raise BakeoffError(f"none of the {imported.total:,} battles of {path} is a vote ({reasons})")
    return votes_of(battles), imported
