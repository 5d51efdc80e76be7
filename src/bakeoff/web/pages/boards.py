"""The boards there are."""

from dataclasses import dataclass

from sqlalchemy import Connection

from bakeoff.board.registry import known, names
from bakeoff.web.reading import Library


@dataclass(frozen=True, slots=True)
class Card:
    """A board in a few words. `best` are the models that may be first, `made` is when it was last published;
    None where nothing was.
    """

    name: str
    title: str
    about: str
    version: int
    source: str
    rows: int
    best: tuple[str, ...]
    made: str | None


@dataclass(frozen=True, slots=True)
class Boards:
    """All boards, by name; where there are none, how many runs there are to look at."""

    cards: tuple[Card, ...]
    runs: int = 0


def boards(library: Library, connection: Connection) -> Boards:
    """The page's data."""
    cards = tuple(_card(library, connection, name) for name in names(connection))
    return Boards(cards, 0 if cards else len(library.index.runs()))


def _card(library: Library, connection: Connection, name: str) -> Card:
    board, last = known(connection, name), library.newest(connection, name)
    rows = last.rows if last else ()
    return Card(
        name=name,
        title=board.title or name,
        about=board.about,
        version=board.version,
        source=board.source,
        rows=len(rows),
        best=tuple(row.entrant.model for row in rows if row.low == 1),
        made=last.made if last else None,
    )
