"""A chat server that knows one answer: what the benchmarks of remote models ask, in a process of its own.

It speaks just enough HTTP/1.1 to be cheaper than any client, answers after a fixed delay, whole or event by
event, cuts the answer at stop strings as a real server does, and counts what it was asked, so that no client
has to be believed.
"""

import asyncio
import json
import multiprocessing
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache, partial
from multiprocessing.connection import Connection

EVENTS = 32
TEXT = (
    "There are six rows, and each of them holds seven apples. Three rows make twenty-one apples, the other "
    "three make twenty-one again, so that is forty-two. To check: 7 + 7 + 7 + 7 + 7 + 7 = 42. "
    "The answer is 42."
)
USAGE = {"prompt_tokens": 100, "completion_tokens": EVENTS, "total_tokens": 100 + EVENTS}

_ITEM = re.compile(rb"\[item (\d+)\]")


def prompt(number: int) -> str:
    """The question of an item. Requests with such a mark in them are counted, a client's probes are not."""
    return f"{'What is six times seven? ' * 16}[item {number}]"


@dataclass(slots=True)
class Tally:
    """What the server saw of the items since the last tally. `first` and `last` are seconds on its clock."""

    requests: int = 0
    answers: int = 0
    most_at_once: int = 0
    first: float = 0.0
    last: float = 0.0
    items: set[int] = field(default_factory=set)

    @property
    def phase_s(self) -> float:
        """From the first request's arrival to the last answer's departure."""
        return self.last - self.first


class NullServer:
    """The running server, seen from the parent's process."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self.port: int = pipe.recv()
        self.url = f"http://127.0.0.1:{self.port}/v1"

    def tally(self) -> Tally:
        """What came since the last call."""
        self._pipe.send("tally")
        tally: Tally = self._pipe.recv()
        return tally


@contextmanager
def null_server(delay_s: float, step_s: float = 0.0, times: int = 1) -> Iterator[NullServer]:
    """A server on a free port of the loopback, until the block ends.

    With `step_s`, so many seconds lie between two events of an answer; else all come at once. An answer is
    the text so many `times`, each in `EVENTS` events.
    """
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=_serve, args=(theirs, delay_s, step_s, times), daemon=True)
    process.start()
    try:
        yield NullServer(ours)
    finally:
        ours.send("stop")
        process.join()


def _serve(pipe: Connection, delay_s: float, step_s: float, times: int) -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        stopped = asyncio.Event()
        tally = Tally()

        def obey() -> None:
            nonlocal tally
            if pipe.recv() == "stop":
                stopped.set()
                return
            pipe.send(tally)
            tally = Tally()

        exchange = partial(_Exchange, lambda: tally, delay_s, step_s, times)
        server = await loop.create_server(exchange, "127.0.0.1", 0)
        loop.add_reader(pipe.fileno(), obey)
        pipe.send(server.sockets[0].getsockname()[1])
        await stopped.wait()

    asyncio.run(main())


class _Exchange(asyncio.Protocol):
    """One connection, kept alive."""

    def __init__(self, tally: Callable[[], Tally], delay_s: float, step_s: float, times: int) -> None:
        self._tally = tally
        self._delay_s = delay_s
        self._step_s = step_s
        self._text = TEXT * times
        self._loop = asyncio.get_running_loop()
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while True:
            end = self._buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            head, _, length = self._buffer[:end].lower().partition(b"content-length:")
            size = int(length.split(b"\r\n", 1)[0]) if length else 0
            body = self._buffer[end + 4 : end + 4 + size]
            if len(body) < size:
                return
            self._buffer = self._buffer[end + 4 + size :]
            if head.startswith(b"get"):
                self._transport.write(_whole({"object": "list", "data": [{"id": "mock"}]}))
            else:
                self._answer(body)

    def _answer(self, body: bytes) -> None:
        stops: tuple[str, ...] = ()
        if b'"stop"' in body:
            said = json.loads(body)["stop"] or ()
            stops = (said,) if isinstance(said, str) else tuple(said)
        answer = _answered(self._text, stops, b'"stream":true' in body or b'"stream": true' in body)
        tally = self._tally()
        item = _ITEM.search(body)
        if item is not None:
            tally.first = tally.first or time.perf_counter()
            tally.requests += 1
            tally.items.add(int(item[1]))
            tally.most_at_once = max(tally.most_at_once, tally.requests - tally.answers)
        if self._delay_s:
            self._loop.call_later(self._delay_s, self._send, answer, tally, item is not None)
        else:
            self._send(answer, tally, item is not None)

    def _send(self, answer: bytes, tally: Tally, counted: bool) -> None:
        if self._step_s and b"text/event-stream" in answer:
            self._step(*_events(answer), tally, counted, self._loop.time())
            return
        self._transport.write(answer)
        self._sent(tally, counted)

    def _step(self, first: bytes, rest: tuple[bytes, ...], tally: Tally, counted: bool, at: float) -> None:
        if self._transport.is_closing():
            return
        self._transport.write(first)
        if rest:
            # By its own clock: answers that once waited for each other would come at one moment ever after.
            at += self._step_s
            self._loop.call_at(at, self._step, rest[0], rest[1:], tally, counted, at)
        else:
            self._sent(tally, counted)

    def _sent(self, tally: Tally, counted: bool) -> None:
        if counted:
            tally.answers += 1
            tally.last = time.perf_counter()


def _whole(payload: object) -> bytes:
    body = json.dumps(payload).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


@lru_cache
def _answered(whole: str, stops: tuple[str, ...], stream: bool) -> bytes:
    ends = [whole.find(stop) for stop in stops if stop in whole]
    text = whole[: min(ends, default=len(whole))]
    if stream:
        return _streamed(text)
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    head = {"id": "1", "object": "chat.completion", "created": 0, "model": "mock"}
    return _whole(head | {"choices": [choice], "usage": USAGE})


@lru_cache
def _events(answer: bytes) -> tuple[bytes, tuple[bytes, ...]]:
    """A streamed answer event by event, each a chunk of its own; the first has the headers with it."""
    head, _, framed = answer.partition(b"\r\n\r\n")
    body = framed.partition(b"\r\n")[2].removesuffix(b"\r\n0\r\n\r\n")
    events = [event + b"\n\n" for event in body.split(b"\n\n") if event]
    first, *rest = (b"%x\r\n%b\r\n" % (len(event), event) for event in events)
    return head + b"\r\n\r\n" + first, (*rest, b"0\r\n\r\n")


def _streamed(text: str) -> bytes:
    step = -(-len(TEXT) // EVENTS)
    pieces = [text[n : n + step] for n in range(0, len(text), step)]
    head = {"id": "1", "model": "mock", "object": "chat.completion.chunk"}
    chunks: list[dict[str, object]] = [
        head | {"choices": [{"index": 0, "delta": {"content": piece}}]} for piece in pieces
    ]
    chunks.append(head | {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    chunks.append(head | {"choices": [], "usage": USAGE})
    body = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
    framed = f"{len(body):x}\r\n{body}\r\n0\r\n\r\n"
    return (
        f"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n{framed}"
    ).encode()
