"""What a live arena adds to the time until a voter sees the first words of both answers, over HTTP.

Battles go on at once on a server in a process of its own; the models are another process, which begins to
write after 300 ms, and goes on with a piece every 30 ms. Each voter does what a browser does: it sends the
prompt, loads the page, and opens the stream of events. At the very moment at which a prompt is sent, the same
process asks the model server for two such answers directly; what is added is the time until the first event,
less the time until the slower of both has its first piece. An answer goes on for eight seconds. All run on
the same processors.

    python -m benchmarks.arena_latency [--battles 50] [--rounds 4]
"""

import argparse
import asyncio
import os
import random
import tempfile
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import numpy as np
from benchmarks.arena_server import NAME, arena, arena_server
from benchmarks.null_server import TEXT, null_server

DELAY_S, STEP_S, TIMES = 0.3, 0.03, 8
PROMPT = "How many apples are in six rows of seven?"
BODY = {"model": "mock", "messages": [{"role": "user", "content": PROMPT}], "stream": True}


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds until the slower of two direct answers began and until the first event, and of the steps."""

    direct: list[float] = field(default_factory=list)
    first: list[float] = field(default_factory=list)
    begin: list[float] = field(default_factory=list)
    page: list[float] = field(default_factory=list)
    opened: list[float] = field(default_factory=list)
    vote: list[float] = field(default_factory=list)


class Visit:
    """One voter after another, each in one battle."""

    def __init__(self, session: aiohttp.ClientSession, url: str, models: str, times: Times) -> None:
        self._session = session
        self._base = f"{url}/arenas/{NAME}/battles"
        self._models = f"{models}/chat/completions"
        self._times = times

    async def battle(self) -> None:
        """From the prompt to the vote."""
        direct, (first, address, cookie) = await asyncio.gather(self._direct(), self._arena())
        self._times.direct.append(direct)
        self._times.first.append(first)
        began = time.perf_counter()
        async with self._session.post(
            f"{address}/vote", data={"outcome": "a"}, headers={"cookie": cookie}, allow_redirects=False
        ) as answer:
            assert answer.status == 303, await answer.text()
        self._times.vote.append(time.perf_counter() - began)

    async def _direct(self) -> float:
        return max(await asyncio.gather(self._piece(), self._piece()))

    async def _piece(self) -> float:
        began = time.perf_counter()
        async with self._session.post(self._models, json=BODY) as answer:
            await anext(_data(answer))
            took = time.perf_counter() - began
            answer.close()
        return took

    async def _arena(self) -> tuple[float, str, str]:
        """Seconds until the first event; the battle's address and the voter's cookie, once all is shown."""
        began = time.perf_counter()
        form = {"prompt": PROMPT, "agreed": "yes"}
        async with self._session.post(self._base, data=form, allow_redirects=False) as answer:
            assert answer.status == 303, await answer.text()
            cookie = answer.headers["set-cookie"].partition(";")[0]
            address = f"{self._base}/{answer.headers['location'].rpartition('/')[2]}"
        begun = time.perf_counter()
        headers = {"cookie": cookie}
        async with self._session.get(address, headers=headers) as answer:
            await answer.read()
        loaded = time.perf_counter()
        headers["accept-encoding"] = "gzip"
        async with self._session.get(f"{address}/events", headers=headers) as answer:
            opened = time.perf_counter()
            events = _data(answer)
            await anext(events)
            first = time.perf_counter() - began
            rest = [each async for each in events]
        assert rest[-1] == b"{}", rest[-1]
        self._times.begin.append(begun - began)
        self._times.page.append(loaded - begun)
        self._times.opened.append(opened - loaded)
        return first, address, cookie


async def _data(answer: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
    async for line in answer.content:
        if line.startswith(b"data: "):
            yield line.removeprefix(b"data: ").rstrip()


async def measured(url: str, models: str, battles: int, rounds: int) -> Times:
    """The times of so many battles at once, one round after another without a pause."""
    begin, times = random.Random(0), Times()
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar()) as session:

        async def one() -> None:
            for number in range(rounds):
                await asyncio.sleep(begin.uniform(0, 2 if number else 8))  # not all at the same time
                await Visit(session, url, models, times).battle()

        await asyncio.gather(*(one() for _ in range(battles)))
    return times


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--battles", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=4)
    asked = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        null_server(DELAY_S, STEP_S, TIMES) as models,
        arena_server(Path(folder), arena(models.url)) as server,
    ):
        server.wait()
        asyncio.run(measured(server.url, models.url, asked.battles, 1))  # connections are made
        times = asyncio.run(measured(server.url, models.url, asked.battles, asked.rounds))
    print(
        f"{asked.battles} battles at once, {asked.rounds} rounds, {TIMES * len(TEXT):,} characters each; "
        f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}; milliseconds"
    )
    added = [first - direct for first, direct in zip(times.first, times.direct, strict=True)]
    for name, seconds in (
        ("first piece of the slower of two direct answers", times.direct),
        ("first event of a battle", times.first),
        ("added to the first words", added),
        ("  to send the prompt", times.begin),
        ("  to load the page", times.page),
        ("  to open the stream", times.opened),
        ("a vote", times.vote),
    ):
        p50, p95 = np.quantile(np.array(seconds) * 1e3, (0.5, 0.95))
        print(f"  {name:48} p50 {p50:7.1f}  p95 {p95:7.1f}")


if __name__ == "__main__":
    main()
