"""A worker: it takes one job after another until it is told to stop."""

import math
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from sqlalchemy import Engine

from bakeoff.database import writing
from bakeoff.errors import BakeoffError
from bakeoff.jobs.queue import Claim, Fault, Job, LeaseLost, claim, fail, finish, heartbeat, release
from bakeoff.jobs.workers import SEEN_S, forget


class Failed(BakeoffError):  # noqa: N818 (how an attempt ended)
    """A handler's own word for an attempt that failed, and whose fault it was."""

    def __init__(self, fault: Fault, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.fault = fault


class PutBack(BakeoffError):  # noqa: N818 (a state to stop in, not a fault)
    """Stop here: the job goes back to the queue, and is gone on with later."""


@dataclass(eq=False)
class Steps:
    """What a handler calls between its units, so that its job can be kept, put back or taken away.

    The lease is renewed meanwhile, by a thread: a unit may take longer than a lease.
    """

    engine: Engine
    held: Claim
    stop: threading.Event
    _wanted: threading.Event = field(default_factory=threading.Event)
    _lost: threading.Event = field(default_factory=threading.Event)
    _ended: threading.Event = field(default_factory=threading.Event)

    def step(self, done: int | None = None) -> None:
        """Say how many units are done.

        Raises:
            PutBack: something more urgent waits, or the worker is to stop.
            LeaseLost: the job is no longer this worker's; nothing more of it may be written.
        """
        if self._lost.is_set():
            raise LeaseLost(f"job {self.held.job.id} is no longer held by {self.held.worker}")
        if heartbeat(self.engine, self.held, done=done) or self._wanted.is_set():
            raise PutBack("preempted by something more urgent")
        if self.stop.is_set():
            raise PutBack("the worker was stopped")

    @property
    def interrupted(self) -> bool:
        """Whether the next `step` will raise, for handlers that can look between batches but not call."""
        return self._lost.is_set() or self._wanted.is_set() or self.stop.is_set()

    def _renew(self) -> None:
        # Often enough, too, for the worker to count as there.
        while not self._ended.wait(min(self.held.lease_s, SEEN_S) / 3):
            try:
                if heartbeat(self.engine, self.held):
                    self._wanted.set()
            except LeaseLost:
                self._lost.set()
                return


Handler = Callable[[Job, Steps], None]
"""Does a job, from where it was left; returns when it is done. A `Failed` says whose fault a failure is; any
other exception is taken for ours."""


def work(
    engine: Engine,
    worker: str,
    handle: Handler,
    *,
    stop: threading.Event,
    offers: Sequence[str] = (),
    memory: float = math.inf,
    lease_s: float = 30.0,
    pause_s: float = 1.0,
    until_empty: bool = False,
) -> int:
    """Do jobs until `stop` is set, or with `until_empty` until there is none to take; how many were done.

    Only those that need no more than `offers` and `memory` GB. Where there is none it looks again after
    `pause_s` seconds.
    """
    with writing(engine) as connection:
        forget(connection)
    done = 0
    while not stop.is_set():
        held = claim(engine, worker, offers=offers, memory=memory, lease_s=lease_s)
        if held is not None:
            done += _do(engine, held, handle, stop)
        elif until_empty:
            break
        else:
            stop.wait(pause_s)
    return done


def _do(engine: Engine, held: Claim, handle: Handler, stop: threading.Event) -> bool:
    """One attempt at a job; whether it is done."""
    steps = Steps(engine, held, stop)
    renewing = threading.Thread(target=steps._renew, daemon=True)  # noqa: SLF001 (ours)
    renewing.start()
    try:
        try:
            handle(held.job, steps)
        finally:
            steps._ended.set()  # noqa: SLF001 (ours)
            renewing.join()
        finish(engine, held)
        return True
    except LeaseLost:
        return False
    except PutBack as why:
        # Nobody wants to know how an attempt ended whose job another has by now.
        with suppress(LeaseLost):
            release(engine, held, why.message)
    except Failed as error:
        with suppress(LeaseLost):
            fail(engine, held, error.fault, str(error))
    except Exception as error:  # noqa: BLE001 (kept with the job, which is tried again or ends as failed)
        with suppress(LeaseLost):
            fail(engine, held, Fault.OURS, f"{type(error).__name__}: {error}")
    return False
