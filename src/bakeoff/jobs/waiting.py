"""Why jobs wait, in which order, and for how long about."""

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from heapq import heapify, heappop, heappush
from itertools import groupby

from sqlalchemy import Connection, Engine, func, select

from bakeoff.database import reading
from bakeoff.database.clock import current
from bakeoff.database.tables import job as table
from bakeoff.jobs.queue import Job, jobs
from bakeoff.jobs.workers import Worker, there

Band = tuple[float, float]
"""Seconds: shorter is one in ten, and longer is one in ten."""
_RECENT = 100
_FEWEST = 3
"""Jobs of a kind that must be on record before anything is said of how long one takes."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Why a job waits, in words.

    `position` is 1 for the one that goes next; None where its turn does not come as things are. `done_in` is
    a rough guess in seconds from now; None where too few jobs like it have been done.
    """

    position: int | None
    reasons: tuple[str, ...]
    done_in: Band | None = None


def waits(engine: Engine) -> dict[int, Wait]:
    """All jobs that wait, by id, in the order of their turns; those whose turn does not come are last."""
    with reading(engine) as connection:
        at, workers, takes = current(connection), list(there(connection)), lengths(connection)
    alive = [*jobs(engine, state="queued"), *jobs(engine, state="running")]
    return explained(alive, workers, takes, at)


def explained(
    alive: Iterable[Job], workers: Sequence[Worker], takes: Mapping[str, Band], at: float
) -> dict[int, Wait]:
    """The same from jobs that have not ended, the workers there are, and how long each kind takes.

    `at` is the time in seconds since 1970. Of the jobs before one only those count that a worker might take
    in its stead. Owners take turns as if no running job ended meanwhile.
    """
    held, turns, stuck = [], [], {}
    able: dict[int, frozenset[str]] = {}
    for each in alive:
        able[each.id] = frozenset(one.name for one in workers if one.can_run(each.needs, each.memory))
        if each.state == "running" and (each.lease_until or 0.0) >= at:
            held.append(each)
        elif reasons := tuple(_obstacles(each, workers, at)):
            stuck[each.id] = Wait(None, reasons)
        else:
            turns.append(each)
    told: dict[int, Wait] = {}
    before: Counter[tuple[frozenset[str], str]] = Counter()
    for each in in_turn(turns, Counter(one.owner for one in held)):
        mine = able[each.id]
        rivals = {key: count for key, count in before.items() if mine & key[0] or not workers}
        position = 1 + sum(rivals.values())
        ahead = Counter[str]()
        for (_, kind), count in rivals.items():
            ahead[kind] += count
        busy = Counter(one.kind for one in held if one.worker in mine)
        told[each.id] = Wait(
            position,
            tuple(_reasons(each, position, workers)),
            _done_in(each.kind, ahead, busy, len(mine), takes),
        )
        before[mine, each.kind] += 1
    return told | stuck


def in_turn(waiting: Iterable[Job], running: Mapping[str, int]) -> Iterator[Job]:
    """The jobs in the order in which `claim` takes them, with so many of each owner running at first."""
    taken = Counter(running)
    ordered = sorted(waiting, key=lambda each: (-each.priority, -each.votes, each.id))
    for _, level in groupby(ordered, key=lambda each: each.priority):
        lines: dict[str, deque[Job]] = {}
        for each in level:
            lines.setdefault(each.owner, deque()).append(each)
        heads = [(taken[owner], -line[0].votes, line[0].id, owner) for owner, line in lines.items()]
        heapify(heads)
        while heads:
            owner = heappop(heads)[-1]
            yield lines[owner].popleft()
            taken[owner] += 1
            if line := lines[owner]:
                heappush(heads, (taken[owner], -line[0].votes, line[0].id, owner))


def lengths(connection: Connection) -> dict[str, Band]:
    """How long jobs took from their first start to their end, by kind: the newest that were done of each."""
    place = func.row_number().over(partition_by=table.c.kind, order_by=table.c.finished.desc())
    took = (table.c.finished - table.c.started).label("took")
    done = select(table.c.kind, took, place.label("place")).where(table.c.state == "done").subquery()
    query = select(done.c.kind, done.c.took).where(done.c.place <= _RECENT).order_by(done.c.kind, done.c.took)
    found: dict[str, Band] = {}
    for kind, rows in groupby(connection.execute(query), key=lambda row: str(row.kind)):
        seconds = [max(0.0, row.took) for row in rows]
        if len(seconds) >= _FEWEST:
            last = len(seconds) - 1
            found[kind] = (seconds[round(0.1 * last)], seconds[round(0.9 * last)])
    return found


def _obstacles(waiting: Job, workers: Sequence[Worker], at: float) -> Iterator[str]:
    """What keeps a job's turn from coming."""
    if waiting.not_before > at:
        moment = datetime.fromtimestamp(waiting.not_before, UTC)
        yield f"retried at {moment:%Y-%m-%d %H:%M:%S}Z"
    if not workers:
        return
    nobodys = set(waiting.needs).difference(*(each.offers for each in workers))
    fitting = [each for each in workers if each.can_run(waiting.needs, 0.0)]
    if nobodys:
        yield f"no worker offers {', '.join(sorted(nobodys))}"
    elif not fitting:
        yield f"no worker offers {' and '.join(waiting.needs)} together"
    elif (largest := max(each.memory for each in fitting)) < waiting.memory:
        yield f"no worker has {waiting.memory:.4g} GB (the largest {largest:.4g})"


def _reasons(waiting: Job, position: int, workers: Sequence[Worker]) -> Iterator[str]:
    if waiting.state == "running":
        yield f"the lease of {waiting.worker} ran out"
    if not workers:
        yield "no worker was seen in the last minute"
    yield f"before it {position - 1}" if position > 1 else "next"


def _done_in(
    kind: str, ahead: Counter[str], busy: Counter[str], workers: int, takes: Mapping[str, Band]
) -> Band | None:
    if not workers or not takes.keys() >= {kind, *ahead, *busy}:
        return None
    low, high = takes[kind]
    if ahead.total() + busy.total() < workers:
        return low, high
    # Nobody knows how much of what runs is left: from nothing to all of it.
    low += sum(count * takes[each][0] for each, count in ahead.items()) / workers
    high += sum(count * takes[each][1] for each, count in (ahead + busy).items()) / workers
    return low, high
