"""A model for tests of the runner alone: it answers by a rule, out of order, and keeps what it was asked."""

import asyncio
import hashlib
from collections.abc import Callable
from dataclasses import replace
from typing import Self

from bakeoff.model import Capabilities, Identity
from bakeoff.nouns import Generate, Loglikelihood, OptionScore, Response, Usage


def text_of(request: Generate | Loglikelihood) -> str:
    """Everything that was sent, as one text."""
    if isinstance(request.input, str):
        return request.input
    return "\n".join(f"{message.role}: {message.text}" for message in request.input)


class Parrot:
    """Answers `rule(request)`; its window and context length are the test's to choose. A word is a token."""

    identity = Identity(engine="parrot", name="parrot")
    capabilities = Capabilities(loglikelihood=True)

    def __init__(
        self,
        rule: Callable[[Generate], Response] = lambda request: Response(text=_digest(text_of(request))),
        *,
        window: int = 4,
        context_length: int | None = None,
    ) -> None:
        self._rule = rule
        self.window = window
        self.context_length = context_length
        self.asked: list[Generate | Loglikelihood] = []
        self.in_flight = 0
        self.most_in_flight = 0

    def count_tokens(self, request: Generate | Loglikelihood) -> int:
        return len(text_of(request).split())

    def cost(self, response: Response) -> float | None:
        return None

    async def generate(self, request: Generate) -> Response:
        await self._pause(request)
        return self._rule(request)

    async def loglikelihood(self, request: Loglikelihood) -> Response:
        await self._pause(request)
        scores = [
            OptionScore(-_fraction(text_of(replace(request, input=request.input_of(option))) + each), 1)
            for option, each in enumerate(request.continuations)
        ]
        return Response(options=tuple(scores), usage=Usage(1, 0))

    async def _pause(self, request: Generate | Loglikelihood) -> None:
        self.asked.append(request)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        for _ in range(int(10 * _fraction(request.key))):  # answers overtake each other
            await asyncio.sleep(0)
        self.in_flight -= 1

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        return None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _fraction(text: str) -> float:
    return int(_digest(text), 16) / 2**32
