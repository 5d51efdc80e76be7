"""A language model whose probabilities can be worked out by hand, opened by name like any other.

Every byte of a text is drawn by itself: an `e` with probability 1/4, any other with (3/4)/255. A continuation
whose words stand in the input is half a nat more likely there. With the setting `drifts`, what it says to an
item depends on how often it was asked before, as with kernels that sum in no fixed order; with `breaks=N`,
an item's request fails once it was answered N times, and with `dies=N` the whole model does.
"""

import asyncio
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Self

from bakeoff.errors import ModelError
from bakeoff.model import Capabilities, Identity
from bakeoff.nouns import Failure, FailureKind, Generate, Loglikelihood, OptionScore, Response, Usage
from tests.run.parrot import text_of

E, OTHER = math.log(1 / 4), math.log(3 / 4 / 255)


def logprob(text: str) -> float:
    """Nats, of the text alone."""
    return sum(E if byte == ord("e") else OTHER for byte in text.encode())


class Unigram:
    capabilities = Capabilities(loglikelihood=True)
    context_length = None
    window = 4

    def __init__(self, name: str, settings: Mapping[str, str]) -> None:
        self._name = name
        self._settings = dict(settings)
        self._step = float(settings.get("drifts", 0))
        self._breaks = float(settings.get("breaks", math.inf))
        self._dies = float(settings.get("dies", math.inf))
        self._answered: Counter[str] = Counter()

    @property
    def identity(self) -> Identity:
        return Identity(
            "unigram",
            self._name,
            settings=self._settings,
            details={"requests": str(self._answered.total())},
        )

    def count_tokens(self, request: Generate | Loglikelihood) -> int:
        return len(text_of(request).encode())

    def cost(self, response: Response) -> float | None:
        return None

    async def generate(self, request: Generate) -> Response:
        before = self._answered[request.key]
        if (failed := await self._failed(request.key)) is not None:
            return failed
        length = min(
            request.generation.max_tokens, 3 + len(text_of(request)) % 5 + int(self._drift(request, before))
        )
        text = "e" * min(length, request.generation.max_tokens)
        return Response(text=text, usage=Usage(1, len(text)))

    async def loglikelihood(self, request: Loglikelihood) -> Response:
        before = self._answered[request.key]
        if (failed := await self._failed(request.key)) is not None:
            return failed
        options = range(len(request.continuations))
        return Response(options=tuple(self._option(request, i, before) for i in options))

    def _option(self, request: Loglikelihood, option: int, before: int) -> OptionScore:
        text = request.continuations[option]
        known = text.strip() in text_of(replace(request, input=request.input_of(option)))
        alone = logprob(text)
        score = OptionScore(
            alone + 0.5 * (known and not request.rolling) - self._drift(request, before) * (option == 0),
            len(text.encode()),
            unconditional=alone if request.unconditional else None,
        )
        # A continuation that says so is built in two ways.
        if "~" in text:
            return replace(score, note="boundary inside a token", other=score.logprob + 100)
        if "^" in text:
            return replace(score, note="boundary inside a token; left-truncated by 12 tokens")
        return score

    def _drift(self, request: Generate | Loglikelihood, before: int) -> float:
        return self._step * (before % 2) if request.key != "probe" else 0.0

    async def _failed(self, key: str) -> Response | None:
        await asyncio.sleep(0)
        if key != "probe" and self._answered[key] >= self._dies:
            raise ModelError("the server is gone")
        if key != "probe" and self._answered[key] >= self._breaks:
            return Response(failure=Failure(FailureKind.SERVER, "500"))
        self._answered[key] += 1
        return None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        return None
