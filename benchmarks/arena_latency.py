"""What a live arena adds to the time until a voter sees the first words of both answers, over HTTP.

Battles go on at once on a server in a process of its own; the models are another process, which begins to
write after 300 ms, and goes on with a piece every 30 ms. Each voter does what a browser does: it sends the
prompt, loads the page, and opens the stream of events. At the very moment at which a prompt is sent, the same
process asks the model server for two such answers directly; what is added is the time until the first event,
less the time until the slower of both has its first piece. An answer goes on for eight seconds. All run on
the same processors; how steadily these compute meanwhile is told at the end. It takes four minutes.

    python -m benchmarks.arena_latency [--battles 50] [--rounds 24]
"""

import argparse
import asyncio
import os
import random
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import aiohttp
import numpy as np
from benchmarks.arena_server import NAME, arena, arena_server
from benchmarks.null_server import TEXT, null_server
from benchmarks.unrest import unrest

DELAY_S, STEP_S, TIMES = 0.3, 0.03, 8
PROMPT = "How many apples are in six rows of seven?"
BODY = {"model": "mock", "messages": [{"role": "user", "content": PROMPT}], "stream": True}


class Times(NamedTuple):
    """When a battle began, by `time.perf_counter`; seconds until the slower of two direct answers had begun,
    until the first event, and of the steps.
    """

    began: float
    direct: float
    first: float
    begin: float
    page: float
    opened: float
    vote: float


class Visits:
    """Voters, each of whom comes for one battle."""

    def __init__(self, session: aiohttp.ClientSession, url: str, models: str) -> None:
        self._session = session
        self._base = f"{url}/arenas/{NAME}/battles"
        self._models = f"{models}/chat/completions"

    async def battle(self) -> Times:
        """From the prompt to the vote."""
        direct, steps = await asyncio.gather(self._direct(), self._arena())
        began, begun, loaded, opened, first, address, cookie = steps
        ended = time.perf_counter()
        async with self._session.post(
            f"{address}/vote", data={"outcome": "a"}, headers={"cookie": cookie}, allow_redirects=False
        ) as answer:
            assert answer.status == 303, await answer.text()
        vote = time.perf_counter() - ended
        return Times(began, direct, first - began, begun - began, loaded - begun, opened - loaded, vote)

    async def _direct(self) -> float:
        return max(await asyncio.gather(self._piece(), self._piece()))

    async def _piece(self) -> float:
        began = time.perf_counter()
        async with self._session.post(self._models, json=BODY) as answer:
            await anext(_data(answer))
            took = time.perf_counter() - began
            answer.close()
        return took

    async def _arena(self) -> tuple[float, float, float, float, float, str, str]:
        """When the prompt was sent and taken, the page loaded, the stream opened, and the first event there;
        the battle's address and the voter's cookie. Returns once all is shown.
        """
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
            first = time.perf_counter()
            rest = [each async for each in events]
        assert rest[-1] == b"{}", rest[-1]
        return began, begun, loaded, opened, first, address, cookie


async def _data(answer: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
    async for line in answer.content:
        if line.startswith(b"data: "):
            yield line.removeprefix(b"data: ").rstrip()


async def measured(url: str, models: str, battles: int, rounds: int) -> list[Times]:
    """The times of so many battles at once, one round after another without a pause."""
    begin = random.Random(0)
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar()) as session:
        visits = Visits(session, url, models)

        async def one() -> list[Times]:
            found = []
            for number in range(rounds):
                await asyncio.sleep(begin.uniform(0, 2 if number else 8))  # not all at the same time
                found.append(await visits.battle())
            return found

        return [each for found in await asyncio.gather(*(one() for _ in range(battles))) for each in found]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--battles", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=24)
    asked = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        null_server(DELAY_S, STEP_S, TIMES) as models,
        arena_server(Path(folder), arena(models.url)) as server,
    ):
        server.wait()
        asyncio.run(measured(server.url, models.url, asked.battles, 1))  # connections are made
        with unrest() as machine:
            times = asyncio.run(measured(server.url, models.url, asked.battles, asked.rounds))
    print(
        f"{asked.battles} battles at once, {asked.rounds} rounds, {TIMES * len(TEXT):,} characters each; "
        f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}; milliseconds"
    )
    began, direct, first, begin, page, opened, vote = np.array(times).T
    added = first - direct
    # From the prompt to the asking of the models, and from their first pieces to the event.
    slow = machine.slow_between(began - 0.03, began + 0.05)
    slow |= machine.slow_between(began + first - 0.05, began + first + 0.01)
    for name, seconds in (
        ("first piece of the slower of two direct answers", direct),
        ("first event of a battle", first),
        ("added to the first words", added),
        (f"  in the {np.sum(~slow)} battles of {len(slow)} with a steady machine", added[~slow]),
        ("  to send the prompt", begin),
        ("  to load the page", page),
        ("  to open the stream", opened),
        ("a vote", vote),
    ):
        p50, p95 = np.quantile(seconds * 1e3, (0.5, 0.95))
        print(f"  {name:48} p50 {p50:7.1f}  p95 {p95:7.1f}")
    print(f"the machine: {machine}")


if __name__ == "__main__":
    main()
