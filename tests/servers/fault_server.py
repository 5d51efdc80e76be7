"""An OpenAI- and Anthropic-compatible server on the loopback that misbehaves as told.

`server.script("model", a, b, c)` lets the model's first request meet behaviour a, the second b, and all from
the third on c. What it was asked, and when, stays in `server.calls`.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Self

from aiohttp import web


@dataclass
class Call:
    """One request as the server saw it; times are the loop's. `width` counts the requests then in flight."""

    model: str
    path: str
    body: dict[str, Any]
    headers: dict[str, str]
    at: float
    width: int


Behaviour = Callable[[web.Request, Call], Awaitable[web.StreamResponse]]


@dataclass
class FaultServer:
    """The server. Enter it to run it; `url` is its base, `/v1` included."""

    scripts: dict[str, tuple[Behaviour, ...]] = field(default_factory=dict)
    listing: list[dict[str, Any]] | None = None
    calls: list[Call] = field(default_factory=list)
    models_status: int = 200
    in_flight: int = 0
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def script(self, model: str, *behaviours: Behaviour) -> None:
        self.scripts[model] = behaviours

    def times(self, model: str) -> list[float]:
        return [call.at for call in self.calls if call.model == model]

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=2**26)
        app.router.add_get("/v1/models", self._models)
        for path in ("chat/completions", "completions", "messages"):
            app.router.add_post(f"/v1/{path}", self._serve)
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self.port)
        await site.start()
        self.port = site._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._runner.cleanup()

    async def _models(self, request: web.Request) -> web.Response:
        if self.models_status != 200:
            return web.json_response({"error": {"message": "no list here"}}, status=self.models_status)
        listed = self.listing
        if listed is None:
            listed = [{"id": model, "object": "model", "created": 1} for model in self.scripts]
        return web.json_response({"object": "list", "data": listed})

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        body = json.loads(await request.read())
        model = body["model"]
        script = self.scripts[model]
        nth = sum(call.model == model for call in self.calls)
        self.in_flight += 1
        call = Call(
            model,
            request.path,
            body,
            dict(request.headers),
            asyncio.get_running_loop().time(),
            self.in_flight,
        )
        self.calls.append(call)
        try:
            return await script[min(nth, len(script) - 1)](request, call)
        finally:
            self.in_flight -= 1


USAGE = {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14}


def answer(
    text: str | None = "Paris",
    *,
    finish: str | None = "stop",
    usage: dict[str, Any] | None = USAGE,
    model: str = "",
    delay: float = 0.0,
    message: dict[str, Any] | None = None,
    choice: dict[str, Any] | None = None,
    done: bool = True,
) -> Behaviour:
    """A right answer, whole or streamed as asked; every argument is a way to be less right."""

    async def behave(request: web.Request, call: Call) -> web.StreamResponse:
        await asyncio.sleep(delay)
        head = {"id": "1", "model": model or call.model, "system_fingerprint": "fp_1"}
        chat = call.path.endswith("chat/completions")
        said = {"role": "assistant", "content": text} | (message or {}) if chat else text
        key = ("message" if chat else "text") if not call.body.get("stream") else "delta" if chat else "text"
        body = head | {"choices": [{"index": 0, key: said, "finish_reason": finish} | (choice or {})]}
        if not call.body.get("stream"):
            return web.json_response(body | ({"usage": usage} if usage else {}))
        events = [json.dumps(event) for event in _chunks(head, said, finish, key, choice or {})]
        if usage and call.body.get("stream_options", {}).get("include_usage"):
            events.append(json.dumps(head | {"choices": [], "usage": usage}))
        return await stream(request, [f"data: {event}\n\n" for event in events], done=done)

    return behave


def _chunks(head: dict, said: Any, finish: str | None, key: str, choice: dict) -> list[dict[str, Any]]:
    """The answer letter by letter, then the reason it ended."""
    pieces: list[Any] = []
    if isinstance(said, dict):
        pieces.append({"role": "assistant", "content": None if said["content"] is None else ""})
        for name in ("reasoning_content", "reasoning", "refusal", "content"):
            pieces += [{name: letter} for letter in said.get(name) or ""]
        pieces += [{"tool_calls": said["tool_calls"]}] if "tool_calls" in said else []
        last: Any = {}
    else:
        pieces += list(said or "")
        last = "" if said is not None else None
    chunks = [{"choices": [{"index": 0, key: piece, "finish_reason": None}]} for piece in pieces]
    chunks.append({"choices": [{"index": 0, key: last, "finish_reason": finish} | choice]})
    return [head | chunk for chunk in chunks]


async def stream(request: web.Request, lines: list[Any], *, done: bool = True) -> web.StreamResponse:
    reply = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await reply.prepare(request)
    for line in lines:
        await reply.write(line.encode() if isinstance(line, str) else line)
    if done:
        await reply.write(b"data: [DONE]\n\n")
    await reply.write_eof()
    return reply


def status(
    http_status: int, message: str = "no", /, *, headers: dict[str, str] | None = None, **error: object
) -> Behaviour:
    """An HTTP error in OpenAI's shape."""

    async def behave(request: web.Request, call: Call) -> web.StreamResponse:
        return web.json_response({"error": {"message": message} | error}, status=http_status, headers=headers)

    return behave


def rate_limited(retry_after: str | None = None, headers: dict[str, str] | None = None) -> Behaviour:
    extra = {"Retry-After": retry_after} if retry_after is not None else {}
    return status(429, "slow down", headers=extra | (headers or {}), type="rate_limit_exceeded")


def body(text: str, content_type: str = "application/json", code: int = 200) -> Behaviour:
    """Any body at all."""

    async def behave(request: web.Request, call: Call) -> web.StreamResponse:
        return web.Response(text=text, content_type=content_type, status=code)

    return behave


def echo_back_headers(code: int) -> Behaviour:
    """An error page that repeats the request's headers, credentials included."""

    async def behave(request: web.Request, call: Call) -> web.StreamResponse:
        return web.json_response({"error": {"message": f"bad headers: {call.headers}"}}, status=code)

    return behave


def events(*lines: str | bytes, done: bool = False) -> Behaviour:
    """A stream of exactly these lines."""

    async def behave(request: web.Request, call: Call) -> web.StreamResponse:
        return await stream(request, list(lines), done=done)

    return behave


def half_stream(*, closed: bool) -> Behaviour:
    """A stream that stops in the middle: properly closed, or cut off."""

    async def behave(request: web.Request, call: Call) -> web.StreamResponse:
        reply = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await reply.prepare(request)
        chunk = {"model": call.model, "choices": [{"delta": {"content": "Par"}, "finish_reason": None}]}
        await reply.write(f"data: {json.dumps(chunk)}\n\n".encode())
        if closed:
            await reply.write_eof()
        else:
            request.transport.close()
        return reply

    return behave


async def reset(request: web.Request, call: Call) -> web.StreamResponse:
    """The connection goes away without a word."""
    request.transport.abort()
    return web.Response()


async def stall(request: web.Request, call: Call) -> web.StreamResponse:
    """A first token, then silence."""
    reply = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await reply.prepare(request)
    chunk = {"model": call.model, "choices": [{"delta": {"content": "Par"}, "finish_reason": None}]}
    await reply.write(f"data: {json.dumps(chunk)}\n\n".encode())
    await asyncio.sleep(3600)
    return reply


async def silence(request: web.Request, call: Call) -> web.StreamResponse:
    """Not even headers."""
    await asyncio.sleep(3600)
    return web.Response()


async def drip(request: web.Request, call: Call) -> web.StreamResponse:
    """A letter now and then, for ever."""
    reply = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await reply.prepare(request)
    chunk = {"model": call.model, "choices": [{"delta": {"content": "a"}, "finish_reason": None}]}
    while True:
        await reply.write(f"data: {json.dumps(chunk)}\n\n".encode())
        await asyncio.sleep(0.02)


def huge_line(size: int = 5 * 2**20) -> Behaviour:
    """One line of a stream that does not end."""

    async def behave(request: web.Request, call: Call) -> web.StreamResponse:
        reply = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await reply.prepare(request)
        await reply.write(b"data: ")
        for _ in range(size // 2**16):
            await reply.write(b"x" * 2**16)
        await reply.write_eof()
        return reply

    return behave
