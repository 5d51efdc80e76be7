"""What becomes of a submission whose job failed: it fails too, and is tried again where the fault is ours."""

import orjson
from sqlalchemy import Connection, select

from bakeoff.board.community.votes import tally
from bakeoff.board.life import State
from bakeoff.board.submissions import assign, get, move
from bakeoff.database.tables import job, job_need, submission
from bakeoff.errors import BakeoffError
from bakeoff.jobs import Fault, add

_WAITS_FOR_WORK = (State.VALIDATING, State.QUEUED, State.RUNNING, State.PREEMPTED)


def settle(connection: Connection) -> list[int]:
    """Let fail what nobody works for any more: its job failed for good, or was cancelled. Returns which.

    A worker that dies with a job's last attempt cannot say so itself.
    """
    query = (
        select(submission.c.id, job.c.state, job.c.error, job.c.fault)
        .join(job, job.c.id == submission.c.job)
        .where(
            submission.c.state.in_([state.value for state in _WAITS_FOR_WORK]),
            job.c.state.in_(("failed", "cancelled")),
        )
        .order_by(submission.c.id)
    )
    found = connection.execute(query).all()
    for row in found:
        reason = row.error or f"its job was {row.state}"
        move(connection, row.id, State.FAILED, actor="queue", reason=reason)
    return [row.id for row in found]


def retry(connection: Connection, number: int, *, actor: str, reason: str = "") -> int:
    """Try a failed submission again from the look on, as no new attempt: its runs go on where they were.
    Returns the job's id.

    Raises:
        BakeoffError: it has not failed, or the fault was the model's or the submitter's.
    """
    found = get(connection, number)
    row = connection.execute(select(job).where(job.c.id == found.job)).one_or_none()
    if found.state is not State.FAILED or row is None:
        raise BakeoffError(f"submission {number} is {found.state}", "what failed can be tried again")
    if row.fault not in (None, Fault.OURS.value):
        raise BakeoffError(
            f"submission {number} failed by a fault of the {row.fault}: {row.error}",
            "mend that, and hand it in as a new submission",
        )
    move(connection, number, State.VALIDATING, actor=actor, reason=reason or "tried again")
    made = add(
        connection,
        "validate",
        orjson.loads(row.payload),
        owner=found.organisation,
        priority=row.priority,
        needs=_needs(connection, row.id),
        memory=row.memory,
        max_attempts=row.max_attempts,
        key=f"validate submission {number}, after job {row.id}",
    )
    assign(connection, number, made)
    tally(connection, number)
    return made


def _needs(connection: Connection, number: int) -> list[str]:
    return list(connection.execute(select(job_need.c.need).where(job_need.c.job == number)).scalars())
