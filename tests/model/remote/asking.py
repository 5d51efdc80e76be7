"""Asking a model behind a fault server, in one line."""

import asyncio
from contextlib import asynccontextmanager

from bakeoff.model.remote import AnthropicModel, OpenAIModel
from bakeoff.nouns import Generate, Generation, Message, Response
from tests.servers.fault_server import FaultServer

QUICK = {"deadline_s": "5", "stall_s": "0.2"}


def chat(text: str = "Where?", *, key: str = "item 1#0", **generation) -> Generate:
    return Generate(key, (Message.of("user", text),), Generation(**generation), seed=7)


def plain(text: str = "Where?", **generation) -> Generate:
    return Generate("item 1#0", text, Generation(**generation), seed=7)


@asynccontextmanager
async def serving(*behaviours, engine=OpenAIModel, model: str = "m", **settings):
    """A server whose model behaves so, and that model entered."""
    async with FaultServer() as server:
        server.script(model, *behaviours)
        async with engine(model, {"base_url": server.url} | QUICK | settings) as opened:
            yield server, opened


def ask(*behaviours, request: Generate | None = None, engine=OpenAIModel, **settings) -> Response:
    """The answer to one request."""

    async def main() -> Response:
        async with serving(*behaviours, engine=engine, **settings) as (_, model):
            return await model.generate(request or chat())

    return asyncio.run(main())


def bodies(*behaviours, request: Generate, engine=OpenAIModel, **settings) -> list[dict]:
    """What was sent for one request."""

    async def main() -> list[dict]:
        async with serving(*behaviours, engine=engine, **settings) as (server, model):
            await model.generate(request)
            return [call.body for call in server.calls]

    return asyncio.run(main())


__all__ = ["QUICK", "AnthropicModel", "OpenAIModel", "ask", "bodies", "chat", "plain", "serving"]
