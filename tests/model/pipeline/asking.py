"""Asking a pipeline, in a line: a function in a file, or a server on the loopback."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from textwrap import dedent

from aiohttp import web

from bakeoff.model import open_model
from bakeoff.nouns import Generate, Generation, Message, Response

Behaviour = Callable[[web.Request], Awaitable[web.StreamResponse]]

SAID = {
    "answer": "Paris",
    "passages": [
        {"id": "b", "text": "Paris is the capital of France.", "score": 2.5},
        {"id": 7, "text": "Lyon is not.", "title": "Lyon"},
    ],
    "usage": {"prompt_tokens": 11, "completion_tokens": 3},
    "cost": 0.002,
    "finish_reason": "stop",
    "stages": {"rewritten": ["capital of France?"]},
}


def chat(text: str = "Where?", *before: Message, key: str = "item 1#0", **generation) -> Generate:
    return Generate(key, (*before, Message.of("user", text)), Generation(**generation), seed=7)


def file_of(folder: Path, code: str) -> Path:
    path = folder / "pipeline.py"
    path.write_text(dedent(code))
    return path


def call(
    folder: Path, code: str, *requests: Generate, function: str = "answer", **settings
) -> list[Response]:
    """What a function in a file gives for some requests, put one after the other."""

    async def main() -> list[Response]:
        async with open_model(f"call:{file_of(folder, code)}:{function}", settings) as model:
            return [await model.generate(request) for request in requests or (chat(),)]

    return asyncio.run(main())


@asynccontextmanager
async def serving(*behaviours: Behaviour, path: str = "/rag/ask"):
    """The address of a server that behaves so, the last time and again; and what it was asked."""
    calls: list[tuple[dict, dict]] = []

    async def post(request: web.Request) -> web.StreamResponse:
        calls.append((json.loads(await request.read()), dict(request.headers)))
        return await behaviours[min(len(calls), len(behaviours)) - 1](request)

    app = web.Application()
    app.router.add_post(path, post)
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}{path}", calls
    finally:
        await runner.cleanup()


def post(*behaviours: Behaviour, request: Generate | None = None, **settings) -> Response:
    """What a server gives for one request."""

    async def main() -> Response:
        async with serving(*behaviours) as (url, _), open_model(f"endpoint:{url}", settings) as model:
            return await model.generate(request or chat())

    return asyncio.run(main())


def says(value: object, status: int = 200) -> Behaviour:
    async def behave(request: web.Request) -> web.StreamResponse:
        return web.json_response(value, status=status)

    return behave


def body(data: bytes, kind: str = "application/json") -> Behaviour:
    async def behave(request: web.Request) -> web.StreamResponse:
        return web.Response(body=data, content_type=kind)

    return behave


async def silence(request: web.Request) -> web.StreamResponse:
    await asyncio.sleep(3600)
    return web.Response()
