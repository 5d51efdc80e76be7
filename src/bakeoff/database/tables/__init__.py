"""The tables. Times are seconds since 1970 in UTC, by the database's clock; JSON is text."""

from bakeoff.database.base import metadata
from bakeoff.database.tables.account import account, membership, session, token
from bakeoff.database.tables.arena import served, variant
from bakeoff.database.tables.community import flag, post, vote
from bakeoff.database.tables.event import event
from bakeoff.database.tables.job import job, job_need
from bakeoff.database.tables.live import (
    answer,
    ballot,
    battle,
    guess,
    invitation,
    live_arena,
    turn,
)
from bakeoff.database.tables.secret import secret
from bakeoff.database.tables.snapshot import snapshot
from bakeoff.database.tables.submission import board, score, submission
from bakeoff.database.tables.worker import worker

__all__ = [
    "account",
    "answer",
    "ballot",
    "battle",
    "board",
    "event",
    "flag",
    "guess",
    "invitation",
    "job",
    "job_need",
    "live_arena",
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
    "turn",
    "variant",
    "vote",
    "worker",
]
