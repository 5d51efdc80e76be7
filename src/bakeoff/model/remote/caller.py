"""A request's way to its answer: budget, pace, deadline, retries."""

import asyncio
import itertools
from collections.abc import Callable
from dataclasses import replace

from bakeoff.errors import ModelError
from bakeoff.model.remote.budget import Budget
from bakeoff.model.remote.endpoint import Endpoint
from bakeoff.model.remote.faults import ContentFiltered, Fault, Retry
from bakeoff.model.remote.limiter import Limiter
from bakeoff.model.remote.retry import backoff
from bakeoff.model.remote.settings import RemoteSettings
from bakeoff.model.remote.transport import Reader, Transport
from bakeoff.model.streaming import Telling
from bakeoff.nouns import Failure, FailureKind, FinishReason, Response
from bakeoff.seed import item_random

LOST_IN_A_ROW = 20
"""So many requests lost to the server, none answered in between, end the run."""

_BROKEN_ANSWER = frozenset({FailureKind.MALFORMED, FailureKind.NO_CHOICES})
_BROKEN_ANSWER_ATTEMPTS = 3
"""A broken answer mostly comes back the same; a broken server mostly does not."""

_SERVER_LOST = frozenset(
    {
        FailureKind.CONNECTION,
        FailureKind.SERVER,
        FailureKind.RATE_LIMIT,
        FailureKind.STALLED,
        FailureKind.TIMEOUT,
    }
)


class Caller:
    """Puts requests through a transport, each until it is answered or lost."""

    def __init__(
        self, name: str, endpoint: Endpoint, transport: Transport, budget: Budget, settings: RemoteSettings
    ) -> None:
        self.limiter = Limiter(settings.concurrency, name)
        self._name = name
        self._endpoint = endpoint
        self._transport = transport
        self._budget = budget
        self._settings = settings
        self._tickets = itertools.count()
        self._lost_in_a_row = 0

    async def call(
        self,
        path: str,
        body: bytes,
        new_reader: Callable[[], Reader],
        key: str,
        seed: int,
        *,
        stream: bool,
        telling: Telling | None = None,
    ) -> Response:
        """The answer to `body`, or the failure that remained after every retry.

        Once `telling` has begun there is no retry: what was told cannot be taken back.

        Raises:
            ModelError: no further request makes sense.
        """
        loop = asyncio.get_running_loop()
        ticket = next(self._tickets)
        deadline: float | None = None
        attempts = failures = 0
        fault: Fault | None = None
        if self._settings.deadline_s <= (closed_s := self.limiter.opens_at - loop.time()):
            message = f"the server asks to wait {closed_s:.0f} s, which is past deadline_s"
            return self._lose(Fault(FailureKind.RATE_LIMIT, message), 0)
        while True:
            try:
                round_ = await self._place(ticket, deadline)
            except TimeoutError:
                return self._lose(fault, attempts)
            try:
                if self._lost_in_a_row >= LOST_IN_A_ROW:
                    raise self._gone(fault)
                if spent := self._budget.exhausted:
                    return Response(failure=Failure(FailureKind.BUDGET, spent), attempts=attempts)
                # Waiting for a first place is our own queue, not the server's time.
                deadline = deadline or loop.time() + self._settings.deadline_s
                attempts += 1
                async with asyncio.timeout_at(deadline):
                    response = await self._transport.post(path, body, new_reader(), stream=stream)
                self.limiter.success(round_)
                return self._win(response, attempts)
            except ContentFiltered as filtered:
                return Response(finish=FinishReason.CONTENT_FILTER, refusal=str(filtered), attempts=attempts)
            except TimeoutError:
                fault = self._late(fault)
            except Fault as caught:
                fault = caught
                if fault.retry is Retry.LATER:
                    self.limiter.overload(round_, fault.wait_s)
            finally:
                self.limiter.release()
            failures += fault.retry is Retry.AGAIN
            pause = self._pause(fault, failures, key, seed)
            over = failures >= self._allowed(fault) or loop.time() + pause >= (deadline or 0.0)
            told = telling is not None and telling.begun
            if fault.retry is Retry.NEVER or over or told:
                return self._lose(fault, attempts)
            if fault.retry is Retry.AGAIN and pause:
                await asyncio.sleep(pause)

    def revive(self) -> None:
        """Ask a server once more that has answered nothing for so long that no further request made sense."""
        self._lost_in_a_row = min(self._lost_in_a_row, LOST_IN_A_ROW - 1)

    async def _place(self, ticket: int, deadline: float | None) -> int:
        """A place among those in flight, by the deadline if it runs already."""
        if deadline is None:
            return await self.limiter.acquire(ticket)
        async with asyncio.timeout_at(deadline):
            return await self.limiter.acquire(ticket)

    def _pause(self, fault: Fault, failures: int, key: str, seed: int) -> float:
        """Seconds until the next attempt can start, at the earliest."""
        if fault.retry is Retry.LATER:
            return max(0.0, self.limiter.opens_at - asyncio.get_running_loop().time())
        if fault.kind is FailureKind.CONNECTION and failures == 1:
            return 0.0  # Mostly a kept connection that the server had closed; a fresh one will do.
        rng = item_random(seed, self._name, key, f"backoff {failures}")
        return max(fault.wait_s or 0.0, backoff(failures, rng))

    def _allowed(self, fault: Fault) -> int:
        allowed = self._settings.attempts
        return min(allowed, _BROKEN_ANSWER_ATTEMPTS) if fault.kind in _BROKEN_ANSWER else allowed

    def _win(self, response: Response, attempts: int) -> Response:
        self._lost_in_a_row = 0
        self._budget.add(response.usage)
        hide = self._endpoint.without_key
        return replace(
            response,
            attempts=attempts,
            text=hide(response.text),
            reasoning=hide(response.reasoning),
            refusal=hide(response.refusal),
            stages=hide(response.stages),
        )

    def _lose(self, fault: Fault | None, attempts: int) -> Response:
        if fault is None:
            raise AssertionError("a request cannot be lost before it was sent")
        if fault.kind in _SERVER_LOST:
            self._lost_in_a_row += 1
            if self._lost_in_a_row >= LOST_IN_A_ROW:
                raise self._gone(fault)
        tries = f" ({attempts} attempts)" if attempts > 1 else ""
        return Response(failure=Failure(fault.kind, fault.message + tries, fault.status), attempts=attempts)

    def _late(self, before: Fault | None) -> Fault:
        earlier = f"; before that: {before.message}" if before else ""
        return Fault(FailureKind.TIMEOUT, f"no whole answer within {self._settings.deadline_s:g} s{earlier}")

    def _gone(self, fault: Fault | None) -> ModelError:
        last = f": {fault.message}" if fault else ""
        return ModelError(
            f"{self._endpoint.url} answered none of the last {LOST_IN_A_ROW} requests{last}",
            "Answers so far are kept. Mend the server, then go on with --resume.",
        )
