"""The tables. Times are seconds since 1970 in UTC, by the database's clock; JSON is text."""

from bakeoff.database.base import metadata
from bakeoff.database.tables.account import account, membership, session, token
from bakeoff.database.tables.arena import served, variant
from bakeoff.database.tables.community import flag, post, vote
from bakeoff.database.tables.event import event
from bakeoff.database.tables.job import job, job_need
from bakeoff.database.tables.secret import secret
from bakeoff.database.tables.snapshot import snapshot
from bakeoff.database.tables.submission import board, score, submission
from bakeoff.database.tables.worker import worker

__all__ = [
    "account",
    "board",
    "event",
    "flag",
    "job",
    "job_need",
    "membership",
    "metadata",
    "post",
    "score",
    "secret",
    "served",
    "session",
    "snapshot",
    "submission",
    "token",
    "variant",
    "vote",
    "worker",
]
