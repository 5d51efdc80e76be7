"""The snapshots of a board, and what changed between any two of them."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection

from bakeoff.board.definition import Board
from bakeoff.board.ranking.difference import Change, Kind, differences
from bakeoff.board.ranking.publishing import Dated, dates
from bakeoff.board.registry import known
from bakeoff.errors import BakeoffError
from bakeoff.web.reading import Library

SHOWN = 200
"""Changes of a kind, before all are asked for."""
_TITLES: dict[Kind, str] = {
    "rule": "The rule",
    "added": "New, or with a rank now",
    "removed": "Gone, or without a rank now",
    "rescored": "With another score",
    "moved": "With other ranks, because of the others",
}


@dataclass(frozen=True, slots=True)
class Group:
    """The changes of a kind, of `total`."""

    kind: Kind
    title: str
    changes: tuple[Change, ...]
    total: int


@dataclass(frozen=True, slots=True)
class ChangesPage:
    """`dates` are the newest first. Between `old` and `new` is what `groups` say; None where there are fewer
    than two snapshots.
    """

    board: Board
    dates: tuple[Dated, ...]
    old: Dated | None
    new: Dated | None
    groups: tuple[Group, ...]
    whole: bool


def changes_page(
    library: Library, connection: Connection, name: str, *, old: str = "", new: str = "", whole: bool = False
) -> ChangesPage:
    """The page's data, for two snapshots by the beginnings of their digests: by default the newest, and the
    one before `new`.

    Raises:
        BakeoffError: there is no such board or no such snapshot.
    """
    board, there = known(connection, name), dates(connection, name)
    if not there:
        return ChangesPage(board, (), None, None, (), whole)
    later = _named(there, new, name) if new else there[0]
    earlier = _named(there, old, name) if old else _before(there, later)
    if earlier is None:
        return ChangesPage(board, there, None, later, (), whole)
    found = differences(
        library.snapshot(connection, name, earlier.digest), library.snapshot(connection, name, later.digest)
    )
    return ChangesPage(board, there, earlier, later, tuple(_grouped(found, whole=whole)), whole)


def _named(there: Iterable[Dated], digest: str, board: str) -> Dated:
    begins = digest if digest.startswith("sha256:") else f"sha256:{digest}"
    found = [each for each in there if each.digest.startswith(begins)]
    if len(found) != 1:
        what = "no snapshot" if not found else f"{len(found)} snapshots"
        raise BakeoffError(
            f"there is no one snapshot {digest} of {board}", f"{what} of it begin so: choose one of its dates"
        )
    return found[0]


def _before(there: tuple[Dated, ...], later: Dated) -> Dated | None:
    place = there.index(later) + 1
    return there[place] if place < len(there) else None


def _grouped(found: Iterable[Change], *, whole: bool) -> Iterable[Group]:
    kinds: dict[Kind, list[Change]] = {kind: [] for kind in _TITLES}
    for each in found:
        kinds[each.kind].append(each)
    for kind, changes in kinds.items():
        if changes:
            shown = changes if whole else changes[:SHOWN]
            yield Group(kind, _TITLES[kind], tuple(shown), len(changes))
