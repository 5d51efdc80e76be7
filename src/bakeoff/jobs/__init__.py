"""Work that is done once, by any of many workers, however often they are killed."""

from bakeoff.jobs.queue import (
    Claim,
    Fault,
    Job,
    LeaseLost,
    add,
    cancel,
    claim,
    fail,
    finish,
    heartbeat,
    jobs,
    release,
)

__all__ = [
    "Claim",
    "Fault",
    "Job",
    "LeaseLost",
    "add",
    "cancel",
    "claim",
    "fail",
    "finish",
    "heartbeat",
    "jobs",
    "release",
]
