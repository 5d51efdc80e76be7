"""From a published file to a table of votes, with a count of what was left behind."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from bakeoff.arena.votes.battle import Battle
from bakeoff.arena.votes.importing.alpacaeval import ALPACAEVAL
from bakeoff.arena.votes.importing.arena import ARENA
from bakeoff.arena.votes.importing.arena_55k import ARENA_55K
from bakeoff.arena.votes.importing.fields import ANONYMOUS, Fields
from bakeoff.arena.votes.importing.format import Format, Untaken
from bakeoff.arena.votes.importing.llmbar import LLMBAR
from bakeoff.arena.votes.importing.llmfao import LLMFAO
from bakeoff.arena.votes.importing.mt_bench import MT_BENCH
from bakeoff.arena.votes.importing.plain import PLAIN
from bakeoff.arena.votes.importing.rows import rows_of
from bakeoff.arena.votes.table import write_votes
from bakeoff.errors import BakeoffError

if TYPE_CHECKING:
    from bakeoff.task.rows.source import Row

FORMATS: Mapping[str, Format] = {
    each.name: each for each in (LLMBAR, ALPACAEVAL, ARENA_55K, ARENA, MT_BENCH, LLMFAO, PLAIN)
}
"""By name. A file is of the first whose columns it has."""
_AGAIN = "its id was there before"


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import found: `total` battles offered, of which `taken` are votes now; `untaken` by reason."""

    format: str
    total: int
    taken: int
    untaken: Mapping[str, int]


def import_votes(source: Path, target: Path, *, kind: str | None = None, salt: str = "") -> Imported:
    """Read a published file and write it as a table of votes, one battle in memory at a time.

    The format is found by the columns of the first row unless `kind` names it. With a secret `salt` voters
    cannot be found by guessing names; use the same one for files that share voters.

    Raises:
        BakeoffError: a file that cannot be read or written, no known format, or a value that cannot be, with
            file, line and field.
    """
    form, rows = _opened(source, kind)
    untaken: Counter[str] = Counter()
    taken = write_votes(target, _taken(form, rows, salt, untaken))
    return _imported(form, taken, untaken)


def read_battles(
    source: Path, *, kind: str | None = None, salt: str = ""
) -> tuple[tuple[Battle, ...], Imported]:
    """The same into memory.

    Raises:
        BakeoffError: as in `import_votes`.
    """
    form, rows = _opened(source, kind)
    untaken: Counter[str] = Counter()
    battles = tuple(_taken(form, rows, salt, untaken))
    return battles, _imported(form, len(battles), untaken)


def _imported(form: Format, taken: int, untaken: Counter[str]) -> Imported:
    return Imported(form.name, taken + untaken.total(), taken, dict(sorted(untaken.items())))


def _opened(source: Path, name: str | None) -> "tuple[Format, Iterator[Row]]":
    rows = rows_of(source)
    first = next(rows, None)
    if first is None:
        raise BakeoffError(f"{source} holds no row", "there is nothing to import")
    assert isinstance(first.columns, Mapping)
    return _format(source, name, first.columns), chain((first,), rows)


def _taken(form: Format, rows: "Iterator[Row]", salt: str, untaken: Counter[str]) -> Iterator[Battle]:
    """The battles of the rows; counts the others on the way."""
    seen: Counter[str] = Counter()
    for row in rows:
        for offered in _offered(form, row, salt):
            if isinstance(offered, Untaken):
                untaken[offered.reason] += 1
                continue
            seen[offered.id] += 1
            if seen[offered.id] == 1:
                yield offered
            elif offered.id.startswith(ANONYMOUS):  # two people may well have said the same
                yield replace(offered, id=f"{offered.id}-{seen[offered.id]}")
            else:
                untaken[_AGAIN] += 1


def _offered(form: Format, row: "Row", salt: str) -> Iterator[Battle | Untaken]:
    try:
        yield from form.battles(Fields(row, salt))
    except ValueError as error:
        raise BakeoffError(f"{row.place}: {error}") from None


def _format(source: Path, name: str | None, columns: Mapping[str, object]) -> Format:
    if name is not None:
        if name not in FORMATS:
            raise BakeoffError(f"no format is called {name!r}", f"there are {', '.join(FORMATS)}")
        missing = sorted(FORMATS[name].columns - columns.keys())
        if missing:
            raise BakeoffError(
                f"{source}: {name} has the columns {', '.join(missing)}, and this file does not",
                "leave the format out to have it found",
            )
        return FORMATS[name]
    for kind in FORMATS.values():
        if kind.columns <= columns.keys() and (not kind.one_of or kind.one_of & columns.keys()):
            return kind
    if {"wins_a", "wins_b"} <= columns.keys():
        raise BakeoffError(
            f"{source} holds counts of pairs, not votes", "rate it as it is, without an import"
        )
    raise BakeoffError(
        f"{source}: no known format has the columns {', '.join(sorted(columns))}",
        f"name one of {', '.join(FORMATS)}, or give it the columns model_a, model_b and outcome",
    )
