"""Values that take long to make: the last one is shown while the next is made in the background."""

import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Lock, Thread
from typing import Generic, TypeVar

T = TypeVar("T")
EVERY_S = 5.0
"""No value is made more often."""
PATIENCE_S = 10.0
"""So long the first value is waited for."""
_SHARE = 0.2
"""Of the time, at most, goes into making one."""


@dataclass(frozen=True, slots=True)
class _Made(Generic[T]):
    """A value of the state that `stamp` names; another is not made before `due`, on the monotonic clock."""

    value: T
    stamp: str
    due: float


class Refreshed(Generic[T]):
    """One value for each key, made anew once what it is made from has changed. Safe for threads."""

    def __init__(self) -> None:
        self._made: dict[str, _Made[T]] = {}
        self._work: dict[str, Future[T]] = {}
        self._lock = Lock()

    def get(self, key: str, stamp: str, make: Callable[[T | None], T]) -> T:
        """The last value of a key, which may be of a state before `stamp`; only the first is waited for.

        `make` is given the value before, and runs in another thread. What it raises is raised to who asks
        next, and it is tried again for the one after.

        Raises:
            TimeoutError: the first value is still being made.
        """
        with self._lock:
            made, work = self._made.get(key), self._work.get(key)
            failed = work if work is not None and work.done() else None  # what succeeds is no work any more
            if failed is not None:
                del self._work[key]
            elif work is None and (made is None or (made.stamp != stamp and time.monotonic() >= made.due)):
                before = None if made is None else made.value
                work = self._work[key] = Future()
                # A server that ends does not wait for it, as it would for a pool of threads.
                Thread(target=self._make, args=(work, key, stamp, make, before), daemon=True).start()
        if failed is not None:
            return failed.result()
        if made is not None:
            return made.value
        assert work is not None
        return work.result(PATIENCE_S)

    def _make(
        self, work: "Future[T]", key: str, stamp: str, make: Callable[[T | None], T], before: T | None
    ) -> None:
        begun = time.monotonic()
        try:
            value = make(before)
        except BaseException as error:  # noqa: BLE001 (raised to who asks)
            work.set_exception(error)
            return
        ended = time.monotonic()
        with self._lock:
            self._made[key] = _Made(value, stamp, ended + max(EVERY_S, (ended - begun) / _SHARE))
            del self._work[key]
        work.set_result(value)
