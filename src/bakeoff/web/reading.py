"""What pages are made from: the database, the folder of runs, and snapshots kept in memory."""

import gc
from collections import OrderedDict
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

from bakeoff.board.definition import Board
from bakeoff.board.ranking.publishing import dates, find
from bakeoff.board.ranking.snapshot import Snapshot
from bakeoff.board.registry import known, names
from bakeoff.board.table import Table, prepared
from bakeoff.database import reading, writing
from bakeoff.database.log import head
from bakeoff.run.index import RunIndex
from bakeoff.task.catalog import catalog_names
from bakeoff.web.pages.past import Past, past
from bakeoff.web.refreshed import Refreshed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from markupsafe import Markup
    from sqlalchemy import Connection, Engine

    from bakeoff.web.pages.arena_policy import Audit
    from bakeoff.web.pages.arena_standing import Standing

T = TypeVar("T")


class Kept(Generic[T]):
    """Values that never change once made, the `most` that were used last. Safe for threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[str, T] = OrderedDict()
        self._lock = Lock()

    def get(self, key: str, make: "Callable[[], T]") -> T:
        """The value of a key; made where it is not there. Two who ask at once may both make it."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        made = make()
        with self._lock:
            self._values[key] = made
            while len(self._values) > self._most:
                self._values.popitem(last=False)
        return made


@dataclass(frozen=True, slots=True)
class Library:
    """One per server."""

    engine: "Engine"
    runs: Path
    index: RunIndex
    """The runs of that folder, by their ids."""
    snapshots: Kept[Snapshot] = field(default_factory=lambda: Kept(64))
    tables: "Kept[Table]" = field(default_factory=lambda: Kept(16))
    charts: "Kept[Markup]" = field(default_factory=lambda: Kept(128))
    pasts: "Kept[Past]" = field(default_factory=lambda: Kept(8))
    checks: "Kept[tuple[str, ...]]" = field(default_factory=lambda: Kept(64))
    """What is wrong with a board, by its name and the minute in which that was looked at."""
    audits: "Kept[Audit]" = field(default_factory=lambda: Kept(8))
    standings: "Refreshed[Standing]" = field(default_factory=Refreshed)
    """How the models of each arena stand."""

    def stamp(self) -> str:
        """Names the present state of the database, but for the progress of jobs."""
        with self.read() as connection:
            return head(connection)

    def snapshot(self, connection: "Connection", board: str, digest: str) -> Snapshot:
        """A snapshot by its whole digest; those used last are in memory.

        Raises:
            BakeoffError: the board has none of that digest.
        """
        return self.snapshots.get(digest, lambda: find(connection, board, digest))

    def table(self, connection: "Connection", board: Board, digest: str) -> Table:
        """A snapshot of a board by its whole digest, made ready to be looked at.

        Raises:
            BakeoffError: the board has none of that digest.
        """

        def made() -> Table:
            table = prepared(self.snapshot(connection, board.name, digest), digest, columns=board.columns)
            # Hundreds of thousands of objects that stay. Looking through them for what is not used any more
            # would take a tenth of a second, again and again.
            gc.freeze()
            return table

        return self.tables.get(f"{digest} {' '.join(board.columns)}", made)

    def past(self, connection: "Connection", board: str) -> Past:
        """How the rows of a board stood in each of its snapshots."""
        key = " ".join((board, *(each.digest for each in dates(connection, board))))
        return self.pasts.get(key, lambda: past(connection, board))

    def newest(self, connection: "Connection", board: str) -> Snapshot | None:
        """The newest snapshot of a board; None where nothing was published."""
        there = dates(connection, board)
        return self.snapshot(connection, board, there[0].digest) if there else None

    def tasks(self) -> frozenset[str]:
        """The names of the tasks that have a page: those of the catalog, and of runs."""
        return frozenset((*catalog_names(), *(run.task for run in self.index.runs())))

    def warm(self) -> None:
        """Make the newest state of each board ready before somebody asks for it."""
        with self.read() as connection:
            for name in names(connection):
                if there := dates(connection, name):
                    self.table(connection, known(connection, name), there[0].digest)

    @contextmanager
    def read(self) -> "Iterator[Connection]":
        """One consistent view of the database."""
        with reading(self.engine) as connection:
            yield connection

    @contextmanager
    def write(self) -> "Iterator[Connection]":
        """All or nothing."""
        with writing(self.engine) as connection:
            yield connection
