import asyncio

import pytest

from bakeoff.errors import ModelError
from bakeoff.nouns import FailureKind, Usage
from bakeoff.nouns import Response as Answered
from tests.model.remote.asking import ask, chat, serving
from tests.servers.fault_server import answer

PRICES = {"price_in": "3", "price_out": "15"}


@pytest.mark.parametrize(
    ("limit", "answered"),
    # An answer takes 11 + 3 tokens, which cost (11 · 3 + 3 · 15) / 10^6 = 0.000078 US dollars.
    [({"max_tokens_total": "28"}, 2), ({"max_tokens_total": "29"}, 3), ({"max_cost": "0.0002"} | PRICES, 3)],
)
def test_once_the_budget_is_spent_nothing_more_is_sent(limit, answered):
    async def main():
        async with serving(answer(), **limit) as (server, model):
            responses = [await model.generate(chat()) for _ in range(6)]
            return responses, len(server.calls)

    responses, sent = asyncio.run(main())
    kinds = [response.failure and response.failure.kind for response in responses]
    assert kinds == [None] * answered + [FailureKind.BUDGET] * (6 - answered)
    assert sent == answered


def test_a_budget_overruns_by_no_more_than_what_was_in_flight():
    async def main():
        async with serving(answer(delay=0.01), max_tokens_total="14", concurrency="4") as (server, model):
            await asyncio.gather(*(model.generate(chat()) for _ in range(40)))
            return len(server.calls)

    assert asyncio.run(main()) <= 4


def test_a_budget_that_cannot_be_counted_ends_the_run():
    with pytest.raises(ModelError, match="does not say how many tokens"):
        ask(answer(usage=None), max_tokens_total="1000")


def test_costs_come_from_given_prices_and_counted_tokens_only():
    async def main():
        async with serving(answer(), **PRICES) as (_, priced), serving(answer()) as (_, unpriced):
            response = await priced.generate(chat())
            return (
                priced.cost(response),
                unpriced.cost(response),
                priced.cost(Answered(usage=Usage(prompt_tokens=5))),
            )

    assert asyncio.run(main()) == (pytest.approx(0.000078), None, None)
