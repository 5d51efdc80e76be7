"""What an arena adds to the time until a voter sees the first words of both answers.

Battles go on at once, two streams each, against a model server in a process of its own that writes an event
every 30 ms. Measured are the plain client, the wait for the slower of two streams that are asked together,
and a stage of the arena, the wait until a listener has its first event; and within the stage, from the
moment at which the slower side's first piece was there.

    python benchmarks/arena_live.py [--battles 50] [--rounds 4]
"""

import argparse
import asyncio
import random
import time
from collections.abc import Callable, Coroutine

import numpy as np

from bakeoff.arena.answering.column import Side
from bakeoff.arena.answering.conversation import conversation
from bakeoff.arena.answering.scrub import scrub_of
from bakeoff.arena.answering.stage import Stage
from bakeoff.model import Model, open_model
from bakeoff.model.streaming import stream
from bakeoff.nouns import Generate, Generation, Response
from null_server import TEXT, null_server

DELAY_S, STEP_S = 0.3, 0.03
SCRUB = scrub_of(["mock"])
Battle = Callable[["Noting", "Noting"], Coroutine[None, None, float]]


class Noting:
    """A model that notes when its first piece came."""

    def __init__(self, model: Model) -> None:
        self.first = 0.0
        self._model = model

    async def stream(self, request: Generate, told: Callable[[str], None]) -> Response:
        def heard(piece: str) -> None:
            self.first = self.first or time.perf_counter()
            told(piece)

        return await stream(self._model, request, heard)


def asked(number: int, side: str) -> Generate:
    messages = conversation("", (f"How many apples are in six rows of seven? [item {number}]",), ())
    return Generate(f"{number} {side}", messages, Generation(max_tokens=64), number)


async def direct(left: Noting, right: Noting) -> float:
    """Both streams without an arena; when the slower one's first piece was there."""
    requests = [(model, asked(0, side)) for model, side in ((left, "left"), (right, "right"))]
    answers = await asyncio.gather(*(model.stream(request, str) for model, request in requests))
    assert all(answer.text == TEXT for answer in answers)
    return max(left.first, right.first)


async def staged(left: Noting, right: Noting) -> float:
    """A turn of a battle with one listener; when it had its first event."""
    stage = Stage(Side(left, asked(0, "left")), Side(right, asked(0, "right")), SCRUB)
    running = asyncio.create_task(stage.run())
    first, seen = 0.0, ""
    async for event in stage.events():
        first = first or time.perf_counter()
        seen += event.left
    await running
    assert seen == TEXT
    return first


async def measured(
    model: Model, battle: Battle, battles: int, rounds: int
) -> tuple[list[float], list[float]]:
    """Seconds from each battle's start to its first words, and from the slower side's first piece to them."""
    begin = random.Random(0)
    waits, added = [], []

    async def one() -> None:
        for _ in range(rounds):
            await asyncio.sleep(begin.uniform(0, 1.5))
            left, right = Noting(model), Noting(model)
            started = time.perf_counter()
            first = await battle(left, right)
            waits.append(first - started)
            added.append(first - max(left.first, right.first))

    await asyncio.gather(*(one() for _ in range(battles)))
    return waits, added


async def main(battles: int, rounds: int) -> None:
    print(f"{battles} battles at once, {2 * battles} streams, {rounds} rounds; milliseconds")
    with null_server(DELAY_S, STEP_S) as server:
        settings = {"concurrency": str(2 * battles)}
        async with open_model(f"{server.url}#mock", settings) as model:
            await measured(model, direct, battles, 1)  # connections are made
            plain, _ = await measured(model, direct, battles, rounds)
            busy = time.process_time(), time.perf_counter()
            arena, added = await measured(model, staged, battles, rounds)
            used = (time.process_time() - busy[0]) / (time.perf_counter() - busy[1])
    for name, seconds in (
        ("client: first piece of the slower side", plain),
        ("stage: first event at a listener", arena),
        ("stage: first event after the slower side's first piece", added),
    ):
        p50, p95 = np.quantile(np.array(seconds) * 1e3, (0.5, 0.95))
        print(f"  {name:56} p50 {p50:7.1f}  p95 {p95:7.1f}")
    print(f"  processor of the arena's process: {used:.0%} of one core")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--battles", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=4)
    given = parser.parse_args()
    asyncio.run(main(given.battles, given.rounds))
