"""Single requests in, batches to one worker thread, single answers out."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Generic, TypeVar

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


class Batcher(Generic[Request, Answer]):
    """Gives `work` everything that is pending each time the worker is free.

    `work` runs in `worker` (one thread) and resolves every ticket it is given; it may resolve early, and
    skip tickets that are settled. What it raises reaches every caller still waiting for that batch.
    """

    def __init__(self, work: Callable[[Sequence[Ticket[Request, Answer]]], None], worker: Executor) -> None:
        self._work = work
        self._worker = worker
        self._pending: list[Ticket[Request, Answer]] = []
        self._running: list[Ticket[Request, Answer]] = []
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    async def submit(self, request: Request) -> Answer:
        """The answer to `request`. A cancelled caller's request is dropped at the next chance."""
        if self._closed:
            raise RuntimeError("the model was closed")
        ticket: Ticket[Request, Answer] = Ticket(request)
        self._pending.append(ticket)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._drain())
        return await ticket.future

    async def close(self) -> None:
        """Give up what is in flight and wait until the worker has let go of it."""
        self._closed = True
        for ticket in (*self._pending, *self._running):
            ticket.future.cancel()
        if self._task is not None:
            await self._task

    async def _drain(self) -> None:
        while self._pending:
            await self._linger()
            self._running = [ticket for ticket in self._pending if not ticket.settled]
            self._pending = []
            if self._running:
                await self._run(self._running)
            self._running = []

    async def _linger(self) -> None:
        """Wait while requests still come in: callers freed by one batch send their next one together."""
        seen = 0
        while len(self._pending) > seen:
            seen = len(self._pending)
            await asyncio.sleep(_LINGER_S)

    async def _run(self, batch: Sequence[Ticket[Request, Answer]]) -> None:
        error: Exception = RuntimeError("the engine left a request without an answer")
        try:
            await asyncio.get_running_loop().run_in_executor(self._worker, self._work, batch)
        except Exception as raised:  # noqa: BLE001 (handed to every caller that waits)
            error = raised
        for ticket in batch:
            if not ticket.settled:
                ticket.future.set_exception(error)
