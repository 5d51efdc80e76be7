"""What is found for some words."""

from dataclasses import dataclass

from sqlalchemy import Connection

from bakeoff.board.everywhere import Found, everywhere
from bakeoff.web.reading import Library


@dataclass(frozen=True, slots=True)
class Search:
    """What was looked for, and what was found."""

    words: str
    found: tuple[Found, ...]


def search(library: Library, connection: Connection, words: str) -> Search:
    """The page's data."""
    runs = ((run.id, run.title, run.model) for run in library.index.runs())
    found = everywhere(connection, words, newest=lambda board: library.newest(connection, board), runs=runs)
    return Search(words, found)
