"""Votes for what is to be evaluated soon. They move a submission forward among those of its priority whose
owners have as much running, and move nothing else: neither its priority nor its score nor its rank.
"""

from collections.abc import Iterator, Mapping

from sqlalchemy import Connection, func, insert, select, update

from bakeoff.board.community.people import members
from bakeoff.board.life import State
from bakeoff.board.submissions import get
from bakeoff.database.clock import now
from bakeoff.database.log import events, lock, record
from bakeoff.database.tables import job
from bakeoff.database.tables import submission as submissions
from bakeoff.database.tables import vote as table
from bakeoff.errors import BakeoffError

WAITING = frozenset({State.DRAFT, State.VALIDATING, State.QUEUED, State.PREEMPTED})
"""States in which there is something to vote for."""


def vote(connection: Connection, submission: int, *, voter: str) -> int:
    """Vote for a submission that waits. Returns how many votes it has now.

    Each has one vote for a submission; all who hand in for its own organisation have one together.

    Raises:
        BakeoffError: there is no such submission, it does not wait, or the vote was given already.
    """
    get(connection, submission)
    # Its job before the log: workers take these locks in the same order.
    works = select(job.c.id).join(submissions, submissions.c.job == job.c.id)
    works = works.where(submissions.c.id == submission)
    held = connection.execute(works.with_for_update(of=job)).scalar()
    lock(connection)
    if held != connection.execute(works).scalar():
        raise BakeoffError(f"submission {submission} was moved by someone else meanwhile", "vote again")
    found = get(connection, submission)
    if found.state not in WAITING:
        raise BakeoffError(
            f"submission {submission} is {found.state}, and does not wait any more",
            "votes are for what waits to be evaluated",
        )
    voters = set(connection.execute(select(table.c.voter).where(table.c.submission == submission)).scalars())
    own = members(connection, found.organisation)
    if voter in voters:
        raise BakeoffError(f"{voter} has voted for submission {submission} already")
    if voter in own and voters & own:
        raise BakeoffError(
            f"{found.organisation} has voted for its submission {submission} already",
            "all who hand in for an organisation have one vote for its submissions",
        )
    connection.execute(insert(table).values(submission=submission, voter=voter, created=now()))
    tally(connection, submission)
    record(connection, actor=voter, kind="voted", subject=f"submission {submission}")
    return len(voters) + 1


def tally(connection: Connection, submission: int) -> None:
    """Let the job of a submission have its votes. To be called when it is assigned another job, too."""
    assigned = select(submissions.c.job).where(submissions.c.id == submission).scalar_subquery()
    counted = select(func.count()).where(table.c.submission == submission).scalar_subquery()
    connection.execute(update(job).where(job.c.id == assigned).values(votes=counted))


def votes(connection: Connection, board: str) -> Mapping[int, int]:
    """How many votes the submissions to a board have, of those that have any."""
    query = (
        select(table.c.submission, func.count())
        .join(submissions, submissions.c.id == table.c.submission)
        .where(submissions.c.board == board)
        .group_by(table.c.submission)
    )
    return dict(connection.execute(query).all())


def problems(connection: Connection, board: str) -> Iterator[str]:
    """Votes for submissions to a board that the log does not know or that are gone, and waiting jobs that
    count others; nothing where all is as it should be.
    """
    numbers = connection.execute(select(submissions.c.id).where(submissions.c.board == board)).scalars()
    mine = {f"submission {number}": number for number in numbers}
    told = {
        (mine[each.subject], each.actor)
        for each in events(connection)
        if each.kind == "voted" and each.subject in mine
    }
    rows = connection.execute(select(table.c.submission, table.c.voter))
    there = {(number, voter) for number, voter in rows if f"submission {number}" in mine}
    for number, voter in sorted(there - told):
        yield f"submission {number}: the log does not know the vote of {voter}"
    for number, voter in sorted(told - there):
        yield f"submission {number}: the log tells of the vote of {voter}, and it is gone"
    counted = votes(connection, board)
    waiting = (
        select(submissions.c.id, job.c.votes)
        .join(job, submissions.c.job == job.c.id)
        .where(submissions.c.board == board, job.c.state == "queued")
        .order_by(submissions.c.id)
    )
    for number, given in connection.execute(waiting):
        if given != counted.get(number, 0):
            yield f"submission {number}: its job counts {given} votes, and it has {counted.get(number, 0)}"
