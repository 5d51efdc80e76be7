"""How far the work for each submission of a board is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy import Connection, Row, func, select

from bakeoff.board.scores import scores_from
from bakeoff.board.work.evaluating import DRY_RUN, EVALUATE, VALIDATE
from bakeoff.database.tables import job, score, submission
from bakeoff.jobs import Fault

_COLUMNS = (
    job.c.id,
    job.c.kind,
    job.c.state,
    job.c.attempts,
    job.c.worker,
    job.c.done,
    job.c.fault,
    job.c.error,
    job.c.started,
    job.c.finished,
)
"""Not the payload, which has the whole board in it."""


@dataclass(frozen=True, slots=True)
class Work:
    """The job that works for a submission, or did last: of a look ("validate") or of everything ("evaluate").

    `done` of about `total` are samples; the total is that of earlier evaluations under the same version of
    the board, and None where there was none. `fault` says whose failure `error` was. Times are seconds
    since 1970.
    """

    job: int
    kind: str
    state: str
    attempts: int
    worker: str | None
    done: int
    total: int | None
    fault: Fault | None
    error: str | None
    started: float | None
    finished: float | None

    @property
    def ended(self) -> bool:
        """Whether nobody works for the submission any more, and it has not been said yet (`settle`)."""
        return self.state in ("failed", "cancelled")


def progress(connection: Connection, board: str) -> Mapping[int, Work]:
    """The work for the submissions to a board, by submission, for those that have some."""
    query = (
        select(*_COLUMNS, submission.c.id.label("submission"), submission.c.version)
        .join(submission, submission.c.job == job.c.id)
        .where(submission.c.board == board)
        .order_by(submission.c.id)
    )
    totals = _totals(connection, board)
    return {row.submission: _work(row, totals) for row in connection.execute(query)}


def _totals(connection: Connection, board: str) -> dict[int, int]:
    """How many samples an evaluation has, by version, since all models are asked the same: as many as one
    that is done said, or as the newest that has scores has items, if that is more. Quick ones say little.
    """
    mine = submission.c.board == board
    done = (
        select(submission.c.version, func.max(job.c.done))
        .join(job, submission.c.job == job.c.id)
        .where(mine, job.c.kind == EVALUATE, job.c.state == "done")
        .group_by(submission.c.version)
    )
    newest = (
        select(func.max(score.c.submission))
        .join(submission, submission.c.id == score.c.submission)
        .where(mine)
        .group_by(score.c.version)
    )
    scored = select(score.c.version, score.c.content).where(score.c.submission.in_(newest))
    found: dict[int, int] = {version: most for version, most in connection.execute(done) if most}
    for version, content in connection.execute(scored):
        items = scores_from(orjson.loads(content)).score.n
        if items > found.get(version, 0):
            found[version] = items
    return found


def _work(row: Row[*tuple[Any, ...]], totals: Mapping[int, int]) -> Work:
    total = DRY_RUN if row.kind == VALIDATE else totals.get(row.version)
    return Work(
        job=row.id,
        kind=row.kind,
        state=row.state,
        attempts=row.attempts,
        worker=row.worker,
        done=row.done,
        total=None if total is None else max(total, row.done),
        fault=Fault(row.fault) if row.fault else None,
        error=row.error,
        started=row.started,
        finished=row.finished,
    )
