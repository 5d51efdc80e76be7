"""A board's changes as a feed (RSS 2.0): an entry for each state that was published, named by its digest."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from xml.etree.ElementTree import Element, SubElement, register_namespace, tostring

from sqlalchemy import Connection

from bakeoff.board.ranking.difference import Change, Kind, differences
from bakeoff.board.ranking.publishing import Dated, dates
from bakeoff.board.registry import known
from bakeoff.visible import visible
from bakeoff.web.links import Links
from bakeoff.web.reading import Library

MOST = 20
"""States in a feed."""
LINES = 50
"""Changes of a state that are told one by one; of more there is the number."""
_ATOM = "http://www.w3.org/2005/Atom"
_ORDER: tuple[Kind, ...] = ("rule", "added", "removed", "rescored", "moved")


@dataclass(frozen=True, slots=True)
class Entry:
    """A state, the one `before` it (None for the first), and what changed; `rows` are how many it has."""

    state: Dated
    before: Dated | None
    rows: int
    changes: tuple[Change, ...]

    @property
    def title(self) -> str:
        """How many rows were added, removed and so on."""
        if self.before is None:
            return f"The first state, of {self.rows:,} {'row' if self.rows == 1 else 'rows'}"
        counted = Counter(each.kind for each in self.changes)
        said = [f"{counted[kind]:,} {kind}" for kind in _ORDER[1:] if counted[kind]]
        if counted["rule"]:
            said.insert(0, f"version {self.state.version}")
        return ", ".join(said) or "Nothing changed"


@dataclass(frozen=True, slots=True)
class Feed:
    """The newest states of a board, the newest first."""

    board: str
    title: str
    entries: tuple[Entry, ...]


def feed(library: Library, connection: Connection, board: str) -> Feed:
    """The feed's data.

    Raises:
        BakeoffError: there is no such board.
    """
    definition, there = known(connection, board), dates(connection, board)
    return Feed(board, definition.title or board, tuple(_entries(library, connection, board, there)))


def _entries(
    library: Library, connection: Connection, board: str, there: tuple[Dated, ...]
) -> Iterator[Entry]:
    for place, state in enumerate(there[:MOST]):
        before = there[place + 1] if place + 1 < len(there) else None
        new = library.snapshot(connection, board, state.digest)
        changes = (
            () if before is None else differences(library.snapshot(connection, board, before.digest), new)
        )
        yield Entry(state, before, len(new.rows), changes)


def as_rss(found: Feed, server: str, links: Links) -> bytes:
    """The feed as XML; `server` is where the public reaches the site, without a path."""
    register_namespace("atom", _ATOM)
    root = Element("rss", version="2.0")
    channel = SubElement(root, "channel")
    _text(channel, "title", f"{found.title}: changes")
    _text(channel, "link", server + links.board(found.board))
    _text(channel, "description", f"States of the board {found.title} that were published, and what changed.")
    _text(channel, "language", "en")
    own = {"href": server + links.feed(found.board), "rel": "self", "type": "application/rss+xml"}
    SubElement(channel, f"{{{_ATOM}}}link", own)
    if found.entries:
        _text(channel, "lastBuildDate", _date(found.entries[0].state))
    for entry in found.entries:
        item = SubElement(channel, "item")
        _text(item, "title", entry.title)
        _text(item, "link", server + _address(found.board, entry, links))
        guid = SubElement(item, "guid", isPermaLink="false")
        guid.text = entry.state.digest
        _text(item, "pubDate", _date(entry.state))
        _text(item, "description", _described(entry))
    content: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return content


def _address(board: str, entry: Entry, links: Links) -> str:
    if entry.before is None:
        return links.board(board, f"at={entry.state.digest}")
    return links.of_board(board, "changes", **{"from": entry.before.digest, "to": entry.state.digest})


def _described(entry: Entry) -> str:
    """Plain text, a line for each change. Readers may take a description for HTML: what could be some is
    written as HTML writes it.
    """
    lines = [_line(each) for each in sorted(entry.changes, key=lambda each: _ORDER.index(each.kind))]
    if len(lines) > LINES:
        lines = [*lines[:LINES], f"and {len(lines) - LINES:,} more"]
    return "<br>\n".join(_as_html(line) for line in lines)


def _line(change: Change) -> str:
    who = f"{change.model}: " if change.model else ""
    return f"{change.kind}: {who}{change.text}"


def _as_html(text: str) -> str:
    return visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _text(parent: Element, name: str, text: str) -> None:
    # XML knows no way to write some characters, all of which `visible` spells out.
    SubElement(parent, name).text = visible(text)


def _date(state: Dated) -> str:
    return format_datetime(datetime.fromisoformat(state.made).astimezone(UTC), usegmt=True)
