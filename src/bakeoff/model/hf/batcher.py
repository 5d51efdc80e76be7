"""Single requests in, batches to one worker thread, single answers out."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from threading import Lock
from typing import Any, Generic, TypeVar

Request = TypeVar("Request")
Answer = TypeVar("Answer")

_LINGER_S = 0.002


class Ticket(Generic[Request, Answer]):
    """One request on its way. The worker thread reads `request` and `settled`, and calls `resolve` once."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._answered = False

    @property
    def settled(self) -> bool:
        """Whether nobody waits any more: answered, or given up by its caller."""
        return self._answered or self.future.done()

    def resolve(self, answer: Answer) -> None:
        """Hand back the answer, from any thread, while the rest of the batch goes on."""
        self._answered = True
        self.future.get_loop().call_soon_threadsafe(self._set, answer)

    def _set(self, answer: Answer) -> None:
        if not self.future.done():
            self.future.set_result(answer)


Tickets = Sequence[Ticket[Request, Answer]]
More = Callable[[], Sequence[Ticket[Request, Answer]]]


class Batcher(Generic[Request, Answer]):
    """Gives `work` everything that is pending each time the worker is free.

    `work(tickets, more)` runs in `worker` (one thread) and resolves every ticket it is given; it may resolve
    early, and skip tickets that are settled. `more()` gives it what has come in since, as part of the same
    batch; nothing while `gives_way_to`, which shares the worker, has requests of its own. What `work` raises
    reaches every caller still waiting for the batch.
    """

    def __init__(
        self,
        work: Callable[[Tickets[Request, Answer], More[Request, Answer]], None],
        worker: Executor,
        gives_way_to: "Batcher[Any, Any] | None" = None,
    ) -> None:
        self._work = work
        self._worker = worker
        self._gives_way_to = gives_way_to
        self._lock = Lock()
        self._pending: list[Ticket[Request, Answer]] = []
        self._running: list[Ticket[Request, Answer]] = []
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def busy(self) -> bool:
        """Whether requests wait for the worker, or for what it does with them."""
        return self._task is not None and not self._task.done()

    async def submit(self, request: Request) -> Answer:
        """The answer to `request`. A cancelled caller's request is dropped at the next chance."""
        if self._closed:
            raise RuntimeError("the model was closed")
        ticket: Ticket[Request, Answer] = Ticket(request)
        with self._lock:
            self._pending.append(ticket)
        if not self.busy:
            self._task = asyncio.create_task(self._drain())
        return await ticket.future

    async def close(self) -> None:
        """Give up what is in flight and wait until the worker has let go of it."""
        self._closed = True
        with self._lock:
            in_flight = [*self._pending, *self._running]
        for ticket in in_flight:
            ticket.future.cancel()
        if self._task is not None:
            await self._task

    async def _drain(self) -> None:
        while self._pending:
            await self._linger()
            if batch := self._take():
                await self._run(batch)

    async def _linger(self) -> None:
        """Wait while requests still come in: callers freed by one batch send their next one together."""
        seen = 0
        while len(self._pending) > seen:
            seen = len(self._pending)
            await asyncio.sleep(_LINGER_S)

    def _take(self) -> list[Ticket[Request, Answer]]:
        """What is pending, which counts as running from now on."""
        with self._lock:
            taken = [ticket for ticket in self._pending if not ticket.settled]
            self._pending = []
            self._running = [ticket for ticket in self._running if not ticket.settled] + taken
        return taken

    def _more(self) -> list[Ticket[Request, Answer]]:
        if not self._pending or (self._gives_way_to is not None and self._gives_way_to.busy):
            return []
        return self._take()

    async def _run(self, batch: Sequence[Ticket[Request, Answer]]) -> None:
        error: Exception = RuntimeError("the engine left a request without an answer")
        try:
            await asyncio.get_running_loop().run_in_executor(self._worker, self._work, batch, self._more)
        except Exception as raised:  # noqa: BLE001 (handed to every caller that waits)
            error = raised
        for ticket in self._running:
            if not ticket.settled:
                ticket.future.set_exception(error)
