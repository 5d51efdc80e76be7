import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.model.remote.limiter import Limiter
from tests.model.remote.virtual_time import run


def now() -> float:
    return asyncio.get_running_loop().time()


async def in_round(limiter: Limiter) -> int:
    round_ = await limiter.acquire(0)
    limiter.release()
    return round_


def test_no_more_requests_are_in_flight_than_the_ceiling():
    async def main() -> int:
        limiter, most = Limiter(3), 0

        async def request(ticket: int) -> None:
            nonlocal most
            await limiter.acquire(ticket)
            most = max(most, limiter.in_flight)
            await asyncio.sleep(1)
            limiter.release()

        await asyncio.gather(*(request(ticket) for ticket in range(20)))
        assert limiter.in_flight == 0
        return most

    assert run(main()) == 3


def test_a_burst_of_refusals_halves_the_width_once():
    async def main() -> None:
        limiter = Limiter(64)
        for _ in range(64):
            limiter.overload(0, None)
        assert limiter.width == 32

    run(main())


def test_the_width_never_falls_below_one_and_grows_back_to_the_ceiling_by_one_per_round_of_successes():
    async def main() -> None:
        limiter = Limiter(8)
        for _ in range(10):
            limiter.overload(await in_round(limiter), 0.01)
        assert limiter.width == 1
        round_ = await in_round(limiter)
        widths = [1]
        for _ in range(sum(range(1, 8))):
            limiter.success(round_)
            widths.append(limiter.width)
        assert sorted(set(widths)) == [1, 2, 3, 4, 5, 6, 7, 8]
        assert widths == sorted(widths)
        assert widths.count(3) == 3
        limiter.success(round_)
        assert limiter.width == 8

    run(main())


def test_old_successes_do_not_widen():
    async def main() -> None:
        limiter = Limiter(8)
        old = await in_round(limiter)
        limiter.overload(old, 0.01)
        for _ in range(100):
            limiter.success(old)
        assert limiter.width == 4

    run(main())


@pytest.mark.parametrize("wait", [2.0, 90.0])
def test_every_request_waits_as_long_as_the_server_asks(wait):
    async def main() -> None:
        limiter = Limiter(4)
        limiter.overload(0, wait)

        async def request(ticket: int) -> float:
            await limiter.acquire(ticket)
            limiter.release()
            return now()

        starts = await asyncio.gather(*(request(ticket) for ticket in range(10)))
        assert min(starts) == pytest.approx(wait)

    run(main())


def test_the_longest_of_several_asked_pauses_holds():
    async def main() -> None:
        limiter = Limiter(4)
        limiter.overload(0, 9.0)
        limiter.overload(0, 3.0)
        await limiter.acquire(0)
        assert now() == pytest.approx(9.0)

    run(main())


def test_without_a_word_from_the_server_pauses_grow_until_a_success():
    async def main() -> None:
        limiter, longest = Limiter(64), []
        for _ in range(3):
            for refusals in range(1, 7):
                round_ = await in_round(limiter)
                before = now()
                limiter.overload(round_, None)
                assert limiter.opens_at - before <= 0.5 * 2 ** (refusals - 1)
                longest.append(limiter.opens_at - before)
            limiter.success(await in_round(limiter))
        assert max(longest) > 1  # Full jitter of up to 16 s, three times.

    run(main())


def test_who_came_first_goes_first_also_when_coming_again():
    async def main() -> None:
        limiter, order = Limiter(1), []

        async def request(ticket: int) -> None:
            await limiter.acquire(ticket)
            order.append(ticket)
            await asyncio.sleep(1)
            limiter.release()

        tasks = [asyncio.create_task(request(ticket)) for ticket in (5, 6, 7)]
        await asyncio.sleep(0.5)
        tasks.append(asyncio.create_task(request(2)))
        await asyncio.gather(*tasks)
        assert order == [5, 2, 6, 7]

    run(main())


@given(st.lists(st.floats(0, 5), min_size=1, max_size=12), st.integers(0, 2**16))
def test_cancelling_whoever_waits_loses_no_place(cancel_at, seed):
    async def main() -> None:
        limiter = Limiter(2)

        async def request(ticket: int) -> None:
            await limiter.acquire(ticket)
            try:
                await asyncio.sleep(1)
            finally:
                limiter.release()

        tasks = [asyncio.create_task(request(ticket)) for ticket in range(len(cancel_at))]
        for task, at in zip(tasks, cancel_at, strict=True):
            asyncio.get_running_loop().call_at(at, task.cancel)
        await asyncio.gather(*tasks, return_exceptions=True)
        assert limiter.in_flight == 0
        await asyncio.wait_for(request(0), 2)

    run(main())
