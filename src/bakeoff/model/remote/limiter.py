"""How many requests are in flight: as many as the server takes, and never more than we were told."""

import asyncio
import heapq

from bakeoff.model.remote.retry import backoff
from bakeoff.seed import item_random


class Limiter:
    """A gate with an adaptive width: additive increase, multiplicative decrease (Chiu and Jain 1989).

    The width starts at `ceiling`. A round of as many successes as it is wide widens it by one; being told to
    slow down halves it, down to one. What a server says about requests sent before the last halving is old
    news and halves nothing again, or a burst of refusals would count many times.

    Being told to slow down also closes the gate for every request: for as long as the server asks, or else
    for an exponential back-off with full jitter. Whoever came first goes first, also when coming again.
    """

    def __init__(self, ceiling: int, name: str = "") -> None:
        self.ceiling = ceiling
        self.width = ceiling
        self.in_flight = 0
        self.opens_at = 0.0
        self._round = 0
        self._successes = 0
        self._refusals = 0
        self._rng = item_random(0, name, "", "gate")
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._arrivals = 0
        self._alarm: asyncio.TimerHandle | None = None

    async def acquire(self, ticket: int) -> int:
        """Wait for a place and give the number of the round it belongs to. Lower tickets go first."""
        if self._free and not self._waiting:
            self.in_flight += 1
            return self._round
        place = asyncio.get_running_loop().create_future()
        self._arrivals += 1
        heapq.heappush(self._waiting, (ticket, self._arrivals, place))
        self._admit()
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self.release()
            place.cancel()
            raise
        return self._round

    def release(self) -> None:
        """Give a place back."""
        self.in_flight -= 1
        self._admit()

    def success(self, round_: int) -> None:
        """A request of the round `round_` was answered."""
        if round_ != self._round:
            return
        self._refusals = 0
        self._successes += 1
        if self._successes >= self.width and self.width < self.ceiling:
            self.width += 1
            self._successes = 0

    def overload(self, round_: int, wait_s: float | None) -> None:
        """The server refused a request of the round `round_` for want of capacity; it may ask for a pause."""
        news = round_ == self._round
        if news:
            self._round += 1
            self._successes = 0
            self._refusals += 1
            self.width = max(1, self.width // 2)
        pause = wait_s or (backoff(self._refusals, self._rng) if news else 0.0)
        self.opens_at = max(self.opens_at, asyncio.get_running_loop().time() + pause)

    def close(self) -> None:
        """Drop the alarm that would open the gate."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    @property
    def _free(self) -> bool:
        if self.in_flight >= self.width:
            return False
        # Never closed is the common case, and this is asked several times for every request.
        return not self.opens_at or asyncio.get_running_loop().time() >= self.opens_at

    def _admit(self) -> None:
        while self._waiting and self._free:
            _, _, place = heapq.heappop(self._waiting)
            if not place.done():
                self.in_flight += 1
                place.set_result(None)
        if self._waiting and self.in_flight < self.width:
            self._set_alarm()

    def _set_alarm(self) -> None:
        loop = asyncio.get_running_loop()
        if self._alarm is not None:
            if self._alarm.when() >= self.opens_at:
                return
            self._alarm.cancel()
        self._alarm = loop.call_at(self.opens_at, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        self._admit()
