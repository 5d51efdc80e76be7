import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from bakeoff.model.hf.batcher import Batcher


def run(scenario, work):
    async def main():
        with ThreadPoolExecutor(1) as worker:
            batcher = Batcher(work, worker)
            try:
                return await scenario(batcher)
            finally:
                await batcher.close()

    return asyncio.run(main())


def doubled(batches):
    def work(tickets, more=None):
        batches.append([ticket.request for ticket in tickets])
        for ticket in tickets:
            ticket.resolve(ticket.request * 2)

    return work


def test_requests_made_together_are_one_batch_and_each_gets_its_own_answer():
    batches = []

    async def scenario(batcher):
        return await asyncio.gather(*[batcher.submit(n) for n in range(20)])

    assert run(scenario, doubled(batches)) == [n * 2 for n in range(20)]
    assert batches == [list(range(20))]


def test_what_comes_in_while_the_worker_is_busy_is_the_next_batch():
    batches, busy, free = [], threading.Event(), threading.Event()

    def work(tickets, more):
        busy.set()
        free.wait(10)
        doubled(batches)(tickets)

    async def scenario(batcher):
        first = asyncio.create_task(batcher.submit(0))
        await asyncio.to_thread(busy.wait, 10)
        rest = [asyncio.create_task(batcher.submit(n)) for n in (1, 2, 3)]
        await asyncio.sleep(0)
        free.set()
        await asyncio.gather(first, *rest)

    run(scenario, work)
    assert batches == [[0], [1, 2, 3]]


def test_an_early_answer_does_not_wait_for_the_rest_of_its_batch():
    go_on = threading.Event()

    def work(tickets, more):
        tickets[0].resolve("early")
        assert go_on.wait(10)
        tickets[1].resolve("late")

    async def scenario(batcher):
        first, second = (asyncio.create_task(batcher.submit(n)) for n in range(2))
        assert await first == "early"
        assert not second.done()
        go_on.set()
        assert await second == "late"

    run(scenario, work)


def test_an_error_of_the_worker_reaches_every_caller_and_the_next_batch_still_runs():
    calls = []

    def work(tickets, more):
        calls.append(len(tickets))
        if len(calls) == 1:
            raise ValueError("broken")
        doubled([])(tickets)

    async def scenario(batcher):
        outcomes = await asyncio.gather(*[batcher.submit(n) for n in range(3)], return_exceptions=True)
        assert [str(outcome) for outcome in outcomes] == ["broken"] * 3
        assert await batcher.submit(5) == 10

    run(scenario, work)


def test_a_forgotten_request_is_an_error_not_a_hang():
    async def scenario(batcher):
        with pytest.raises(RuntimeError, match="without an answer"):
            await batcher.submit(1)

    run(scenario, lambda tickets, more: None)


def test_a_cancelled_request_is_dropped_and_its_companions_are_answered():
    batches = []

    async def scenario(batcher):
        tasks = [asyncio.create_task(batcher.submit(n)) for n in range(3)]
        await asyncio.sleep(0)
        tasks[1].cancel()
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        assert isinstance(outcomes[1], asyncio.CancelledError)
        assert (outcomes[0], outcomes[2]) == (0, 4)

    run(scenario, doubled(batches))
    assert batches == [[0, 2]]


def test_closing_gives_up_what_runs_and_waits_for_the_worker():
    busy, left = threading.Event(), threading.Event()

    def work(tickets, more):
        busy.set()
        while not all(ticket.settled for ticket in tickets):
            pass
        left.set()

    async def scenario(batcher):
        task = asyncio.create_task(batcher.submit(1))
        await asyncio.to_thread(busy.wait, 10)
        await batcher.close()
        assert left.is_set()
        with pytest.raises(asyncio.CancelledError):
            await task
        with pytest.raises(RuntimeError, match="closed"):
            await batcher.submit(2)

    run(scenario, work)


def test_what_comes_in_meanwhile_can_be_had_at_once_and_is_then_part_of_the_batch():
    batches, busy, free = [], threading.Event(), threading.Event()

    def work(tickets, more):
        busy.set()
        free.wait(10)
        late = more()
        batches.append([[ticket.request for ticket in each] for each in (tickets, late, more())])
        doubled([])([*tickets, *late[:2]])
        raise ValueError("broken")

    async def scenario(batcher):
        first = asyncio.create_task(batcher.submit(0))
        await asyncio.to_thread(busy.wait, 10)
        rest = [asyncio.create_task(batcher.submit(n)) for n in (1, 2, 3, 4)]
        await asyncio.sleep(0)
        rest[3].cancel()
        await asyncio.sleep(0)
        free.set()
        outcomes = await asyncio.gather(first, *rest, return_exceptions=True)
        assert outcomes[:3] == [0, 2, 4]
        assert str(outcomes[3]) == "broken"

    run(scenario, work)
    assert batches == [[[0], [1, 2, 3], []]]


def test_requests_from_many_places_are_each_given_out_once():
    given_out = []

    def work(tickets, more):
        while tickets:
            given_out.extend(ticket.request for ticket in tickets)
            doubled([])(tickets)
            tickets = more()

    async def scenario(batcher):
        async def caller(first):
            return [await batcher.submit(n) for n in range(first, first + 50)]

        answers = await asyncio.gather(*[caller(first) for first in range(0, 500, 50)])
        assert answers == [[n * 2 for n in range(first, first + 50)] for first in range(0, 500, 50)]

    run(scenario, work)
    assert sorted(given_out) == list(range(500))


# With the pause the other's batch is already in the worker's queue.
@pytest.mark.parametrize("pause", [0, 0.1])
def test_who_gives_way_gets_nothing_more_while_the_other_waits(pause):
    order, busy, free = [], threading.Event(), threading.Event()

    def long_work(tickets, more):
        busy.set()
        free.wait(10)
        tickets = [*tickets, *more()]
        order.append(("long", [ticket.request for ticket in tickets]))
        doubled([])(tickets)

    def short_work(tickets, more):
        order.append(("short", [ticket.request for ticket in tickets]))
        doubled([])(tickets)

    async def main():
        with ThreadPoolExecutor(1) as worker:
            short = Batcher(short_work, worker)
            long = Batcher(long_work, worker, gives_way_to=short)
            first = asyncio.create_task(long.submit(0))
            await asyncio.to_thread(busy.wait, 10)
            rest = [asyncio.create_task(each) for each in (long.submit(1), short.submit(2))]
            await asyncio.sleep(pause)
            free.set()
            assert await asyncio.gather(first, *rest) == [0, 2, 4]
            await long.close()
            await short.close()

    asyncio.run(main())
    assert sorted(order) == [("long", [0]), ("long", [1]), ("short", [2])]
    assert order[0] == ("long", [0])
