"""Live arenas whose models are servers on the loopback, and people who visit them."""

import asyncio
import json
import time
from contextlib import contextmanager

from aiohttp import web
from anyio.from_thread import start_blocking_portal
from sqlalchemy import select
from starlette.testclient import TestClient

from bakeoff.arena.definition.candidate import Candidate
from bakeoff.arena.definition.definition import Arena
from bakeoff.arena.policy.rules import Policy
from bakeoff.database import reading
from bakeoff.database.tables import battle as table
from tests.servers.fault_server import FaultServer, answer
from tests.web.live import client

NAMES = ("Quokkanaut 7", "Zephyrwren")
MODELS = ("quokka-wire-9", "zephyr-wire-3")
PROVIDERS = ("Marsupial Labs", "Birdhouse")
FAMILIES = ("quokkatype", "wrentype")
SYSTEMS = ("You are a zanzibarian oracle.", "You speak as a tasmanian sage.")
SECRET = tuple(
    word.casefold()
    for word in (*NAMES, *MODELS, *PROVIDERS, *FAMILIES, "Quokka", "zanzibar", "tasman", "Zephyr", "openai:")
)
"""What tells a model: nobody may read it before the vote."""
SAID = (
    "Ten *metres*, says Quokkanaut 7 of Marsupial Labs.",
    "**Deep**, deep. I am Zephyrwren, by Birdhouse, and say more.",
)
QUICK = {"attempts": "1", "stall_s": "5", "deadline_s": "10"}


def arena(server, name="chat", **changes):
    """A live arena with both models of the server. A voter may have many battles at once."""
    settings = {"base_url": server.url} | changes.pop("settings", QUICK)
    images = changes.pop("images", False)
    models = tuple(
        Candidate(
            name=name,
            model=f"openai:{model}",
            settings=settings,
            provider=provider,
            family=family,
            licence="proprietary",
            api_date="2026-01-31",
            system=system,
            images=images,
        )
        for name, model, provider, family, system in zip(
            NAMES, MODELS, PROVIDERS, FAMILIES, SYSTEMS, strict=True
        )
    )
    given = {"policy": Policy(name=name), "per_voter": {"open": 1000}, "turns": 3, "longest_prompt": 1000}
    return Arena(name=name, models=models, **given | changes)


@contextmanager
def models():
    """A server of both models, which answer with `SAID`."""
    server = FaultServer()
    for model, text in zip(MODELS, SAID, strict=True):
        server.script(model, answer(text))
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(server):
        yield server


def prompt_of(call):
    """What was asked last."""
    content = call.body["messages"][-1]["content"]
    return content if isinstance(content, str) else content[0]["text"]


def by_prompt(behaviours, otherwise):
    """The behaviour that stands by the prompt."""

    async def behave(request, call):
        return await behaviours.get(prompt_of(call), otherwise)(request, call)

    return behave


def slowly(text, pause_s, first_s=0.0):
    """Writes three letters at a time, and pauses."""

    async def behave(request, call):
        await asyncio.sleep(first_s)
        reply = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await reply.prepare(request)
        pieces = [text[at : at + 3] for at in range(0, len(text), 3)]
        for delta, finish in [*(({"content": each}, None) for each in pieces), ({}, "stop")]:
            choice = {"index": 0, "delta": delta, "finish_reason": finish}
            event = json.dumps({"model": call.model, "choices": [choice]})
            await reply.write(f"data: {event}\n\n".encode())
            await asyncio.sleep(pause_s)
        await reply.write_eof(b"data: [DONE]\n\n")
        return reply

    return behave


@contextmanager
def site(folder, *arenas, **settings):
    """A client of a site with these arenas. Of it `visitor` makes people."""
    with client(folder, **{"arenas": arenas, "writes": "100000/minute"} | settings) as found:
        yield found


class Visitor(TestClient):
    """Somebody with cookies of their own. `got` is every byte that was sent to them, heads and bodies."""

    def __init__(self, site):
        super().__init__(site.app, base_url="http://127.0.0.1", follow_redirects=False)
        self.portal = site.portal  # battles go on in the loop of the server
        self.got = []
        self.event_hooks = {"response": [self._keep]}

    def _keep(self, response):
        response.read()
        head = "\n".join(f"{name}: {value}" for name, value in response.headers.items())
        self.got.append(f"{response.status_code}\n{head}\n\n{response.text}")

    def ask(self, prompt="How deep is the lake?", arena="chat", **fields):
        """Sends a prompt; the answer as it comes."""
        return self.post(f"/arenas/{arena}/battles", data={"prompt": prompt, "agreed": "yes"} | fields)

    def begin(self, prompt="How deep is the lake?", arena="chat", **fields):
        """The address of a new battle."""
        answer = self.ask(prompt, arena, **fields)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]

    def events(self, battle, since=0):
        """The events up to the end of the turn: how many letters were shown before each, left and right."""
        return told(self.get(f"{battle}/events?since={since}").text)

    def answered(self, *args, **fields):
        """The address of a new battle, with both answers."""
        battle = self.begin(*args, **fields)
        self.events(battle)
        return battle

    def vote(self, battle, outcome="a", **fields):
        """The answer to a vote."""
        return self.post(f"{battle}/vote", data={"outcome": outcome} | fields)


def told(text):
    """The pieces of a stream of events, left and right, and whether it said that it is over."""
    events = [dict(line.split(": ", 1) for line in each.splitlines()) for each in text.split("\n\n") if each]
    pieces = [json.loads(each["data"]) for each in events if each.get("event") == "more"]
    return [(each["left"], each["right"]) for each in pieces], events[-1].get("event") == "over"


def row(site, battle):
    """The row of a battle, by its address."""
    with reading(site.app.state.library.engine) as connection:
        return connection.execute(select(table).where(table.c.id == battle.rsplit("/", 1)[1])).one()


def until(condition, most_s=20.0):
    """Waits for something that happens by itself."""
    ends = time.monotonic() + most_s
    while not condition():
        assert time.monotonic() < ends, "it never happened"
        time.sleep(0.01)
