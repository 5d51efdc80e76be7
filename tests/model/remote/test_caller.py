"""Pace, pauses and deadlines on a clock that tests can see."""

import asyncio

import pytest

from bakeoff.errors import ModelError
from bakeoff.model.remote.budget import Budget
from bakeoff.model.remote.caller import LOST_IN_A_ROW, Caller
from bakeoff.model.remote.endpoint import Endpoint
from bakeoff.model.remote.faults import Fault, Retry
from bakeoff.model.remote.settings import RemoteSettings
from bakeoff.nouns import FailureKind, FinishReason, Response
from tests.model.remote.virtual_time import run

OK = Response("Paris", finish=FinishReason.STOP)
BUSY = Fault(FailureKind.RATE_LIMIT, "HTTP 429", Retry.LATER, status=429)
BROKEN = Fault(FailureKind.SERVER, "HTTP 500", Retry.AGAIN, status=500)
GONE = Fault(FailureKind.CONNECTION, "refused", Retry.AGAIN)


class Scripted:
    """A transport that answers from a script, and notes when it was asked."""

    def __init__(self, *script: object, takes: float = 1.0) -> None:
        self.script = script
        self.takes = takes
        self.at: list[float] = []

    async def post(self, path, body, reader, *, stream):
        self.at.append(asyncio.get_running_loop().time())
        step = self.script[min(len(self.at), len(self.script)) - 1]
        await asyncio.sleep(self.takes)
        if isinstance(step, Fault):
            raise step
        return step


def caller(transport: Scripted, **settings) -> Caller:
    given = RemoteSettings(**settings)
    return Caller("m", Endpoint("http://server/v1"), transport, Budget(given), given)


def call(transport: Scripted, key: str = "item 1", **settings) -> Response:
    return run(caller(transport, **settings).call("p", b"", lambda: None, key, 1, stream=False))


def busy(wait_s: float) -> Fault:
    return Fault(FailureKind.RATE_LIMIT, "HTTP 429", Retry.LATER, status=429, wait_s=wait_s)


def test_the_pause_that_the_server_asks_for_is_kept():
    transport = Scripted(busy(30.0), OK)
    assert call(transport).text == "Paris"
    assert transport.at[1] == pytest.approx(1.0 + 30.0)


def test_one_request_told_to_wait_makes_every_request_wait():
    transport = Scripted(busy(30.0), OK)

    async def main():
        calls = caller(transport, concurrency=2)
        await asyncio.gather(*(calls.call("p", b"", lambda: None, str(n), 1, stream=False) for n in range(9)))

    run(main())
    assert sorted(transport.at)[:2] == [0.0, 0.0]
    assert min(at for at in transport.at if at > 0) >= 31.0


def test_being_told_to_wait_uses_up_no_attempts():
    response = call(Scripted(*[BUSY] * 5, OK), attempts=1)
    assert (response.text, response.attempts) == ("Paris", 6)


def test_a_server_that_stays_busy_ends_at_the_deadline_as_a_rate_limit():
    transport = Scripted(busy(40.0))
    response = call(transport, deadline_s=100.0)
    assert response.failure.kind is FailureKind.RATE_LIMIT
    assert response.failure.status == 429
    assert transport.at[-1] <= 100.0


def test_broken_answers_are_tried_as_often_as_set_with_growing_pauses():
    transport = Scripted(BROKEN)
    response = call(transport, attempts=8, deadline_s=1e6)
    assert (response.failure.kind, response.attempts) == (FailureKind.SERVER, 8)
    pauses = [later - earlier - 1.0 for earlier, later in zip(transport.at, transport.at[1:], strict=False)]
    assert all(0 <= pause <= 0.5 * 2**n for n, pause in enumerate(pauses))
    assert max(pauses) > 1.0


def test_pauses_are_the_same_in_every_run_and_differ_between_requests():
    first, again, other = Scripted(BROKEN), Scripted(BROKEN), Scripted(BROKEN)
    call(first), call(again), call(other, key="item 2")
    assert first.at == again.at != other.at


def test_a_connection_that_broke_once_is_replaced_at_once():
    transport = Scripted(GONE, OK)
    assert call(transport).attempts == 2
    assert transport.at == [0.0, 1.0]


def test_the_deadline_cuts_an_attempt_short():
    response = call(Scripted(OK, takes=500.0), deadline_s=20.0)
    assert response.failure.kind is FailureKind.TIMEOUT
    assert response.text == ""


def test_waiting_for_our_own_queue_does_not_count_against_the_deadline():
    async def main():
        calls = caller(Scripted(OK, takes=8.0), concurrency=1, deadline_s=10.0)
        return await asyncio.gather(
            *(calls.call("p", b"", lambda: None, str(n), 1, stream=False) for n in range(5))
        )

    assert all(response.failure is None for response in run(main()))


def lose(transport: Scripted, n: int, **settings) -> list[Response]:
    async def main():
        calls = caller(transport, attempts=1, **settings)
        return [await calls.call("p", b"", lambda: None, str(k), 1, stream=False) for k in range(n)]

    return run(main())


@pytest.mark.parametrize("fault", [GONE, BROKEN, busy(1e6)])
def test_a_server_that_is_gone_ends_the_run(fault):
    assert len(lose(Scripted(fault), LOST_IN_A_ROW - 1)) == LOST_IN_A_ROW - 1
    with pytest.raises(ModelError, match="answered none of the last"):
        lose(Scripted(fault), LOST_IN_A_ROW)


def test_an_answer_in_between_shows_that_the_server_is_there():
    script = ([GONE] * (LOST_IN_A_ROW - 1) + [OK]) * 3
    responses = lose(Scripted(*script), len(script))
    assert sum(response.failure is None for response in responses) == 3


def test_a_server_that_came_back_is_asked_again_once_it_is_revived():
    async def main():
        transport = Scripted(*([GONE] * LOST_IN_A_ROW + [OK] * 2))
        calls = caller(transport, attempts=1)

        async def call():
            return await calls.call("p", b"", lambda: None, "k", 1, stream=False)

        for _ in range(LOST_IN_A_ROW - 1):
            await call()
        for _ in range(2):  # the second is refused without being asked
            with pytest.raises(ModelError, match="answered none of the last"):
                await call()
        calls.revive()
        return [await call(), await call()]

    assert [response.failure for response in run(main())] == [None, None]


def test_rejected_requests_do_not_end_the_run():
    rejected = Fault(FailureKind.REJECTED, "HTTP 400", status=400)
    assert len(lose(Scripted(rejected), 3 * LOST_IN_A_ROW)) == 3 * LOST_IN_A_ROW


def test_the_width_follows_what_the_server_can_take():
    """A server with 5 places that refuses whoever comes beyond: all are answered, few refused."""

    class Narrow(Scripted):
        inside = refused = 0

        async def post(self, path, body, reader, *, stream):
            if self.inside >= 5:
                self.refused += 1
                raise BUSY
            self.inside += 1
            await asyncio.sleep(1.0)
            self.inside -= 1
            return OK

    transport = Narrow()

    async def main():
        calls = caller(transport, concurrency=64)
        responses = await asyncio.gather(
            *(calls.call("p", b"", lambda: None, str(n), 1, stream=False) for n in range(300))
        )
        return responses, calls.limiter.width

    responses, width = run(main())
    assert all(response.failure is None for response in responses)
    assert width <= 8
    assert transport.refused < 300
