"""What a remote model holds does not grow with the number of requests it has answered."""

import asyncio
import gc

import pytest

from tests.model.remote.asking import chat, serving
from tests.servers.fault_server import answer

CONCURRENCY = 8
REQUESTS = 1200


def _held(model):
    """Live tasks, timers of the loop, and requests waiting for a place."""
    loop = asyncio.get_running_loop()
    limiter = model._connection._caller.limiter
    return len(asyncio.all_tasks()), len(loop._scheduled), len(limiter._waiting), limiter.in_flight


async def _answered(model, requests):
    """Put the requests to the model as a run does; the most that was held at any of them."""
    most = (0, 0, 0, 0)
    numbers = iter(range(requests))

    async def worker():
        nonlocal most
        for number in numbers:
            response = await model.generate(chat(f"question {number}", key=f"{number}#0"))
            assert response.failure is None
            most = tuple(map(max, most, _held(model)))

    await asyncio.gather(*(worker() for _ in range(model.window)))
    return most


@pytest.mark.parametrize("stream", ["true", "false"])
def test_tasks_timers_and_waiting_requests_stay_bounded(stream):
    async def main():
        settings = {"concurrency": str(CONCURRENCY), "stream": stream}
        async with serving(answer("Paris"), **settings) as (_, model):
            return await _answered(model, REQUESTS), model.window

    (tasks, timers, waiting, in_flight), window = asyncio.run(main())
    # The server runs in this loop too, with a task for each connection.
    assert tasks <= window + 2 * CONCURRENCY + 4
    # The loop sweeps cancelled timers out once they are more than a hundred and more than half.
    assert timers <= 2 * (100 + 4 * window)
    assert waiting <= window - CONCURRENCY
    assert in_flight <= CONCURRENCY


def test_an_answered_request_leaves_no_objects_behind():
    async def main():
        async with serving(answer("Paris"), concurrency=str(CONCURRENCY)) as (server, model):
            counts = []
            for _ in range(3):
                await _answered(model, REQUESTS // 3)
                server.calls.clear()
                gc.collect()
                counts.append(len(gc.get_objects()))
            return counts

    _, second, third = asyncio.run(main())
    assert third - second < REQUESTS // 3 / 4
