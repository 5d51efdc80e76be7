"""What pages are made from: the database, the folder of runs, and snapshots kept in memory."""

from collections import OrderedDict
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

from bakeoff.board.ranking.publishing import dates, find
from bakeoff.board.ranking.snapshot import Snapshot
from bakeoff.database import reading, writing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Connection, Engine

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
    snapshots: Kept[Snapshot] = field(default_factory=lambda: Kept(64))

    def snapshot(self, connection: "Connection", board: str, digest: str) -> Snapshot:
        """A snapshot by its whole digest; those used last are in memory.

        Raises:
            BakeoffError: the board has none of that digest.
        """
        return self.snapshots.get(digest, lambda: find(connection, board, digest))

    def newest(self, connection: "Connection", board: str) -> Snapshot | None:
        """The newest snapshot of a board; None where nothing was published."""
        there = dates(connection, board)
        return self.snapshot(connection, board, there[0].digest) if there else None

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
