"""Workers that were seen, and what each can run."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import orjson
from sqlalchemy import Connection, delete, select, update
from sqlalchemy.dialects import postgresql, sqlite

from bakeoff.database.clock import now
from bakeoff.database.tables import worker as table
from bakeoff.digest import canonical_json

SEEN_S = 60.0
"""A worker that was seen within so many seconds is taken to be there."""
_FORGOTTEN_S = 7 * 86_400.0


@dataclass(frozen=True, slots=True)
class Worker:
    """What a worker offers, and its memory in GB; infinite where it did not say."""

    name: str
    offers: frozenset[str]
    memory: float

    def can_run(self, needs: Iterable[str], memory: float) -> bool:
        """Whether a job that needs this, and so many GB, is one for it."""
        return self.offers.issuperset(needs) and memory <= self.memory


def see(connection: Connection, name: str, offers: Sequence[str], memory: float) -> None:
    """Write down that a worker is there, and what it can run."""
    said = {"offers": canonical_json(sorted(set(offers))).decode(), "memory": memory, "seen": now()}
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    connection.execute(
        dialect.insert(table)
        .values(name=name, **said)
        .on_conflict_do_update(index_elements=[table.c.name], set_=said)
    )


def still_there(connection: Connection, name: str) -> None:
    """Write down that a worker which was seen before is still there."""
    connection.execute(update(table).where(table.c.name == name).values(seen=now()))


def there(connection: Connection) -> Iterator[Worker]:
    """The workers that were seen in the last minute."""
    query = select(table).where(table.c.seen >= now() - SEEN_S).order_by(table.c.name)
    for row in connection.execute(query):
        yield Worker(row.name, frozenset(orjson.loads(row.offers)), row.memory)


def forget(connection: Connection) -> None:
    """Remove the workers that nobody has seen for a week: most have a new name whenever they are started."""
    connection.execute(delete(table).where(table.c.seen < now() - _FORGOTTEN_S))
