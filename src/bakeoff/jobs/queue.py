"""The queue: a table with leases.

A worker claims a job for some seconds and renews its lease while it works. Each claim has a token, higher
than those before it, and nothing is written without the newest: a worker that slept through its lease, and
comes back when another has the job, finds that out at its next step. All times are the database's.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

import orjson
from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Row,
    Select,
    and_,
    case,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)

from bakeoff.database import reading, writing
from bakeoff.database.clock import now
from bakeoff.database.log import record
from bakeoff.database.tables import job, job_need
from bakeoff.digest import canonical_json
from bakeoff.errors import BakeoffError
from bakeoff.jobs.workers import see, still_there
from bakeoff.visible import visible

_FIRST_PAUSE_S = 5.0
_LONGEST_PAUSE_S = 600.0
_LONGEST_ERROR = 2_000


class Fault(StrEnum):
    """Whose failure ended an attempt. Only ours is tried again without being asked."""

    OURS = "ours"
    """A worker that died, a full disk, a network that was down."""
    MODEL = "model"
    """The model cannot do what was asked: out of memory, a broken checkpoint."""
    SUBMITTER = "submitter"
    """What was handed in is wrong: a name, a licence, a key."""


class LeaseLost(BakeoffError):  # noqa: N818 (a state to stop in, not a fault)
    """The job is no longer this worker's: it was cancelled, or another took it over."""


@dataclass(frozen=True, slots=True)
class Job:
    """A row of the queue. `done` of `total` are units of the job's own; times are seconds since 1970.

    `memory` is what it takes, in GB. It is tried again at `not_before`, and taken over at `lease_until`.
    """

    id: int
    kind: str
    payload: Mapping[str, Any]
    owner: str
    priority: int
    state: str
    attempts: int
    max_attempts: int
    worker: str | None
    done: int
    total: int | None
    fault: Fault | None
    error: str | None
    created: float
    started: float | None
    finished: float | None
    needs: tuple[str, ...] = ()
    memory: float = 0.0
    votes: int = 0
    not_before: float = 0.0
    lease_until: float | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """A job in a worker's hands. `token` is what it must show at each step."""

    job: Job
    worker: str
    token: int
    lease_s: float
    offers: tuple[str, ...] = ()
    memory: float = math.inf


def add(
    connection: Connection,
    kind: str,
    payload: Mapping[str, Any],
    *,
    owner: str,
    priority: int = 0,
    needs: Sequence[str] = (),
    memory: float = 0.0,
    votes: int = 0,
    key: str | None = None,
    max_attempts: int = 3,
    total: int | None = None,
) -> int:
    """Queue a job, and return its id. Of two with one `key` only the first is made, and its id comes back.

    A higher `priority` goes first. `owner` is whom the work is for: owners take turns, and of one owner's the
    job with more `votes` goes first. `needs` are what a worker must offer ("hf", "cuda"), and `memory` the GB
    that it must have. `max_attempts` bounds how often in a row it may fail by our own fault without getting
    further (`heartbeat`'s `done`).

    Raises:
        ValueError: fewer than one attempt, or a memory that is below 0 or no number.
    """
    if max_attempts < 1:
        raise ValueError(f"a job needs at least one attempt, got {max_attempts}")
    if not 0 <= memory < math.inf:
        raise ValueError(f"a job needs a number of GB from 0 up, got {memory}")
    if key is not None:
        there = connection.execute(select(job.c.id).where(job.c.key == key)).scalar()
        if there is not None:
            return int(there)
    made = connection.execute(
        insert(job)
        .values(
            kind=kind,
            payload=canonical_json(dict(payload)).decode(),
            key=key,
            owner=owner,
            priority=priority,
            state="queued",
            attempts=0,
            max_attempts=max_attempts,
            not_before=0.0,
            token=0,
            wanted=0,
            done=0,
            total=total,
            memory=memory,
            votes=votes,
            created=now(),
        )
        .returning(job.c.id)
    ).scalar_one()
    if needs:
        connection.execute(insert(job_need), [{"job": made, "need": need} for need in sorted(set(needs))])
    return int(made)


def claim(
    engine: Engine,
    worker: str,
    *,
    offers: Sequence[str] = (),
    memory: float = math.inf,
    lease_s: float = 30.0,
) -> Claim | None:
    """Take the job that is next for a worker with these offers and so many GB; None where there is none.

    First by priority, then the owner who has least running, then by votes, then the oldest. A job whose lease
    has run out is taken over, as one more attempt; one that lost its workers too often without getting
    further fails instead, and is nobody's again. Whether it finds one or not, the worker was seen, with what
    it can run.
    """
    following = _next(engine.dialect.name, tuple(offers), memory)
    with writing(engine) as connection:
        see(connection, worker, offers, memory)
        while True:
            row = connection.execute(following).one_or_none()
            if row is None:
                return None
            lost = row.state == "running"
            if lost and row.setbacks + 1 >= row.max_attempts:
                _give_up(connection, row)
                continue
            claimed = connection.execute(
                update(job)
                .where(job.c.id == row.id)
                .values(
                    state="running",
                    worker=worker,
                    token=job.c.token + 1,
                    attempts=job.c.attempts + 1,
                    setbacks=job.c.setbacks + int(lost),
                    lease_until=now() + lease_s,
                    wanted=0,
                    started=func.coalesce(job.c.started, now()),
                )
                .returning(job)
            ).one()
            took = "took over" if lost else "claimed"
            reason = f"the lease of {row.worker} ran out" if lost else ""
            record(connection, actor=worker, kind=f"job {took}", subject=_subject(row.id), reason=reason)
            return Claim(_job(claimed), worker, claimed.token, lease_s, tuple(offers), memory)


def heartbeat(engine: Engine, held: Claim, *, done: int | None = None) -> bool:
    """Renew the lease and say how far the job is. True: something more urgent waits, so `release` it soon.

    Raises:
        LeaseLost: the job is no longer this worker's.
    """
    with writing(engine) as connection:
        values: dict[str, Any] = {"lease_until": now() + held.lease_s}
        if done is not None:
            # Who gets further each time is not stuck, however often machines are taken from it.
            values |= {"done": done, "setbacks": case((job.c.done < done, 0), else_=job.c.setbacks)}
        _update(connection, held, **values)
        still_there(connection, held.worker)
        row = connection.execute(select(job.c.priority, job.c.wanted).where(job.c.id == held.job.id)).one()
        return bool(row.wanted) or _waits(connection, held, row.priority)


def check_held(connection: Connection, held: Claim) -> None:
    """Make sure of the lease in the transaction of something that is written for the job.

    Raises:
        LeaseLost: the job is no longer this worker's.
    """
    _update(connection, held, done=job.c.done)


def release(engine: Engine, held: Claim, reason: str) -> None:
    """Put the job back, to go on with later: preempted, or the worker is shut down. Costs no attempt.

    Raises:
        LeaseLost: the job is no longer this worker's.
    """
    with writing(engine) as connection:
        _update(
            connection,
            held,
            state="queued",
            worker=None,
            lease_until=None,
            attempts=job.c.attempts - 1,
        )
        record(
            connection, actor=held.worker, kind="job put back", subject=_subject(held.job.id), reason=reason
        )


def finish(engine: Engine, held: Claim, *, done: int | None = None) -> None:
    """The job is done.

    Raises:
        LeaseLost: the job is no longer this worker's.
    """
    with writing(engine) as connection:
        _update(
            connection,
            held,
            state="done",
            worker=None,
            lease_until=None,
            finished=now(),
            **({} if done is None else {"done": done}),
        )
        record(connection, actor=held.worker, kind="job done", subject=_subject(held.job.id))


def fail(engine: Engine, held: Claim, fault: Fault, error: str) -> bool:
    """The attempt failed. Ours is tried again after a pause, twice as long each time; True where it will be.

    Raises:
        LeaseLost: the job is no longer this worker's.
    """
    # It may hold what a model or a server said: characters that PostgreSQL does not take, or worse.
    told = visible(error)[:_LONGEST_ERROR]
    with writing(engine) as connection:
        setbacks = 1 + connection.execute(select(job.c.setbacks).where(job.c.id == held.job.id)).scalar_one()
        again = fault is Fault.OURS and setbacks < held.job.max_attempts
        pause = min(_FIRST_PAUSE_S * 2 ** (setbacks - 1), _LONGEST_PAUSE_S)
        _update(
            connection,
            held,
            state="queued" if again else "failed",
            worker=None,
            lease_until=None,
            setbacks=setbacks,
            fault=fault.value,
            error=told,
            not_before=now() + pause if again else job.c.not_before,
            finished=None if again else now(),
        )
        kind = "job will be retried" if again else "job failed"
        subject = _subject(held.job.id)
        record(
            connection,
            actor=held.worker,
            kind=kind,
            subject=subject,
            reason=told,
            facts={"fault": fault.value},
        )
        return again


def cancel(engine: Engine, number: int, *, actor: str, reason: str) -> bool:
    """End a job that has not ended; its worker notices at its next step. False where it had ended already."""
    with writing(engine) as connection:
        changed = connection.execute(
            update(job)
            .where(job.c.id == number, job.c.state.in_(("queued", "running")))
            .values(state="cancelled", worker=None, lease_until=None, token=job.c.token + 1, finished=now())
        )
        if changed.rowcount == 0:
            return False
        record(connection, actor=actor, kind="job cancelled", subject=_subject(number), reason=reason)
        return True


def jobs(engine: Engine, *, state: str | None = None) -> Iterator[Job]:
    """The jobs, or those in one state, in the order of their ids."""
    query = select(job).order_by(job.c.id)
    if state is not None:
        query = query.where(job.c.state == state)
    with reading(engine) as connection:
        needs: dict[int, set[str]] = {}
        for number, need in connection.execute(select(job_need.c.job, job_need.c.need)):
            needs.setdefault(number, set()).add(need)
        for row in connection.execute(query):
            yield _job(row, tuple(sorted(needs.get(row.id, ()))))


@lru_cache(maxsize=16)  # a worker asks the same again and again
def _next(dialect: str, offers: tuple[str, ...], memory: float) -> Select[Any]:
    running = (
        select(job.c.owner, func.count().label("jobs"))
        .where(job.c.state == "running", job.c.lease_until >= now())
        .group_by(job.c.owner)
        .subquery()
    )
    query = (
        # Not the payload, which a sort would carry along.
        select(job.c.id, job.c.state, job.c.worker, job.c.setbacks, job.c.max_attempts)
        .outerjoin(running, running.c.owner == job.c.owner)
        .where(
            or_(
                and_(job.c.state == "queued", job.c.not_before <= now()),
                and_(job.c.state == "running", job.c.lease_until < now()),
            ),
            _fits(offers, memory),
        )
        .order_by(job.c.priority.desc(), func.coalesce(running.c.jobs, 0), job.c.votes.desc(), job.c.id)
        .limit(1)
    )
    return query.with_for_update(of=job, skip_locked=True) if dialect != "sqlite" else query


def _fits(offers: Sequence[str], memory: float) -> ColumnElement[bool]:
    missing = exists().where(job_need.c.job == job.c.id)
    lacks = missing.where(job_need.c.need.not_in(list(offers))) if offers else missing
    return and_(~lacks, job.c.memory <= memory)


def _waits(connection: Connection, held: Claim, priority: int) -> bool:
    """Whether more urgent jobs wait that this worker can do, and no other was asked to make room for."""
    waiting = connection.execute(
        select(func.count()).where(
            job.c.state == "queued",
            job.c.not_before <= now(),
            job.c.priority > priority,
            _fits(held.offers, held.memory),
        )
    ).scalar_one()
    if not waiting:
        return False
    asked = connection.execute(
        select(func.count()).where(job.c.state == "running", job.c.wanted == 1, job.c.lease_until >= now())
    ).scalar_one()
    if asked >= waiting:
        return False
    connection.execute(update(job).where(job.c.id == held.job.id).values(wanted=1))
    return True


def _update(connection: Connection, held: Claim, **values: Any) -> None:
    changed = connection.execute(
        update(job)
        .where(job.c.id == held.job.id, job.c.token == held.token, job.c.state == "running")
        .values(**values)
    )
    if changed.rowcount == 0:
        raise LeaseLost(f"job {held.job.id} is no longer held by {held.worker}")


def _give_up(connection: Connection, row: Row[Any]) -> None:
    error = f"its worker died {row.setbacks + 1} times without getting further, the last time {row.worker}"
    connection.execute(
        update(job)
        .where(job.c.id == row.id)
        .values(
            state="failed",
            worker=None,
            lease_until=None,
            token=job.c.token + 1,
            fault=Fault.OURS.value,
            error=error,
            finished=now(),
        )
    )
    record(
        connection,
        actor="queue",
        kind="job failed",
        subject=_subject(row.id),
        reason=error,
        facts={"fault": "ours"},
    )


def _subject(number: int) -> str:
    return f"job {number}"


def _job(row: Row[Any], needs: tuple[str, ...] = ()) -> Job:
    return Job(
        id=row.id,
        kind=row.kind,
        payload=orjson.loads(row.payload),
        owner=row.owner,
        priority=row.priority,
        state=row.state,
        attempts=row.attempts,
        max_attempts=row.max_attempts,
        worker=row.worker,
        done=row.done,
        total=row.total,
        fault=Fault(row.fault) if row.fault else None,
        error=row.error,
        created=row.created,
        started=row.started,
        finished=row.finished,
        needs=needs,
        memory=row.memory,
        votes=row.votes,
        not_before=row.not_before,
        lease_until=row.lease_until,
    )
