"""Work that is done once, by any of many workers, however often they are killed."""

from bakeoff.jobs.queue import (
    Claim,
    Fault,
    Job,
    LeaseLost,
    add,
    cancel,
    check_held,
    claim,
    fail,
    finish,
    heartbeat,
    jobs,
    release,
)
from bakeoff.jobs.waiting import Wait, waits
from bakeoff.jobs.worker import Failed, PutBack, Steps, work

__all__ = [
    "Claim",
    "Failed",
    "Fault",
    "Job",
    "LeaseLost",
    "PutBack",
    "Steps",
    "Wait",
    "add",
    "cancel",
    "check_held",
    "claim",
    "fail",
    "finish",
    "heartbeat",
    "jobs",
    "release",
    "waits",
    "work",
]
