"""One side of a turn: a model that writes, under deadlines, and its text as it may be shown."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from bakeoff.arena.answering.answer import Answer
from bakeoff.arena.answering.scrub import Scrub
from bakeoff.arena.answering.voided import Voided, voided_by
from bakeoff.arena.battles.life import Void
from bakeoff.errors import ModelError
from bakeoff.model import Model
from bakeoff.model.answer import reasoning_so_far
from bakeoff.model.streaming import stream
from bakeoff.nouns import FinishReason, Generate, Response
from bakeoff.score.extract.refusal import refusal_phrase

DECLINED = "[No answer: the prompt was declined.]"
"""Stands for a refusal without words, of a filter before or behind the model."""


@dataclass(frozen=True, slots=True)
class Side:
    """An opened model and what it is asked; see `conversation` for its messages."""

    model: Model
    request: Generate


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a voter waits, in seconds: for the first piece of an answer, which is behind the reasoning,
    for the next piece, and for all of it. An answer may have so many `characters`."""

    first_s: float = 60.0
    stall_s: float = 30.0
    whole_s: float = 180.0
    characters: int = 100_000


class Broken(Exception):  # noqa: N818 (it ends the turn, and is told as what it is)
    """One side gave no answer."""

    def __init__(self, voided: Voided) -> None:
        super().__init__(voided.detail)
        self.voided = voided


class Column:
    """The text of one side; `ended` says that `shown` is all of it."""

    def __init__(self, side: Side, scrub: Scrub, limits: Limits) -> None:
        self.ended = False
        self._side = side
        self._limits = limits
        self._scrubber = scrub.scrubber(_prompts(side.request))
        self._shown = ""
        self._came: list[str] = []
        self._written = 0

    @property
    def shown(self) -> str:
        """What has come, without names, which are looked for when somebody asks: there are more pieces than
        moments at which a column grows."""
        if self._came:
            came, self._came = "".join(self._came), []
            self._shown += self._scrubber.add(came)
        return self._shown

    async def write(self, came: Callable[[], None]) -> Answer:
        """Let the model write; `came` is called whenever there is more to show, and at the end.

        Raises:
            Broken: there is no answer.
        """
        loop = asyncio.get_running_loop()
        limits, started = self._limits, loop.time()
        last = started + limits.whole_s
        slack = limits.stall_s / 30
        waiting, due = True, started

        def told(piece: str) -> None:
            nonlocal due
            if not waiting or deadline.expired():
                return
            self._written += len(piece)
            self._came.append(piece)
            now = loop.time()
            if self._written > limits.characters:
                deadline.reschedule(now)
            # Not for each of thousands of pieces a second: a silence may last a little longer instead.
            elif now >= due:
                due = now + slack
                deadline.reschedule(min(last, due + limits.stall_s))
            came()

        try:
            async with asyncio.timeout(min(limits.first_s, limits.whole_s)) as deadline:
                response = await stream(self._side.model, self._side.request, told)
        except TimeoutError:
            long = self._written > limits.characters
            raise Broken(Voided(Void.TOO_LONG if long else Void.TIMEOUT)) from None
        except ModelError as error:
            raise Broken(Voided(Void.MODEL_ERROR, str(error))) from None
        finally:
            waiting = False
        answer = self._answer(response, loop.time() - started)
        came()
        return answer

    def _answer(self, response: Response, took_s: float) -> Answer:
        """What `response` answers.

        Raises:
            Broken: a failure, no text, nothing but a thought, or a text beyond the limit.
        """
        if response.failure is not None:
            raise Broken(voided_by(response.failure))
        filtered = response.finish is FinishReason.CONTENT_FILTER
        text = response.text
        if not _legible(text) and (response.refusal or filtered):
            # What a filter says of itself may name its maker; what the model says is its answer.
            text = DECLINED if filtered else response.refusal
            self._came.append(text)
        if not _legible(text) or reasoning_so_far(text, opened=False) is None:
            raise Broken(Voided(Void.EMPTY, f"finish {response.finish}"))
        if len(text) > self._limits.characters:
            raise Broken(Voided(Void.TOO_LONG, f"{len(text)} characters"))
        self._shown = self.shown + self._scrubber.end()
        self.ended = True
        timing = response.timing
        return Answer(
            text=text,
            finish=response.finish,
            refused=filtered or bool(response.refusal) or refusal_phrase(text) is not None,
            first_token_s=timing.first_token_s,
            total_s=took_s if timing.latency_s is None else timing.latency_s,
            tokens=response.usage.completion_tokens,
            scrubbed=self._scrubber.count,
            shown=self.shown if self._scrubber.count else None,
        )


def _prompts(request: Generate) -> list[str]:
    """What the voter wrote. The system prompt is not theirs."""
    if isinstance(request.input, str):
        return [request.input]
    return [message.text for message in request.input if message.role == "user"]


def _legible(text: str) -> bool:
    """Whether there is anything to see in a text."""
    return any(letter.isprintable() and not letter.isspace() for letter in text)
