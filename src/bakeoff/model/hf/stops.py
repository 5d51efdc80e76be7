"""Where an answer begins, after a reasoning block, and where it ends, before a stop string."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

THINK, END_THINK = "<think>", "</think>"
_CONTEXT_TOKENS = 6


@dataclass(frozen=True, slots=True)
class Answer:
    """A finished text, taken apart. `stop` is the stop string that ended it, if one did."""

    text: str
    reasoning: str = ""
    stop: str | None = None


def opens_reasoning(prompt: str) -> bool:
    """Whether `prompt` leaves a reasoning block open, as some chat templates do for the model."""
    return prompt.rstrip().endswith(THINK)


def answer_start(text: str, opened: bool) -> int | None:
    """Where the answer begins in a text still being written; None while that cannot be said.

    `opened` says that the prompt ended inside a reasoning block. The line ends behind a block belong to it:
    a stop string of line ends would otherwise cut every answer to nothing.
    """
    lead = text.lstrip()
    if opened or lead.startswith(THINK):
        _, mark, answer = text.partition(END_THINK)
        return len(text) - len(answer.lstrip("\r\n")) if mark else None
    return None if THINK.startswith(lead) else 0


def take_apart(text: str, stops: Sequence[str], opened: bool) -> Answer:
    """A finished `text` split into reasoning and answer, the answer cut at the first stop string.

    Stop strings do not apply inside the reasoning. Of two that begin at the same place the first listed
    counts. A reasoning block that was never closed stays in the text, with its opening mark, for the scorer
    to see.
    """
    start = answer_start(text, opened)
    if start is None and (opened or text.lstrip().startswith(THINK)):
        return Answer(f"{THINK}\n{text}" if opened else text)
    start = start or 0
    reasoning, answer = text[:start], text[start:]
    reasoning = reasoning.strip().removeprefix(THINK).removesuffix(END_THINK).strip()
    found = [(at, stop) for stop in stops if (at := answer.find(stop)) >= 0]
    if not found:
        return Answer(answer, reasoning)
    at, stop = min(found, key=lambda pair: pair[0])
    return Answer(answer[:at], reasoning, stop)


class Watch:
    """A text as its tokens come in, watched for stop strings.

    Each token is decoded with a few before it, never the whole text; bytes of an unfinished character wait
    for the rest. The text goes on from the last tokens of the prompt, so that a leading space is kept.
    """

    def __init__(
        self,
        decode: Callable[[Sequence[int]], str],
        prompt: Sequence[int],
        stops: Sequence[str],
        opened: bool,
    ) -> None:
        self.text = ""
        self.answering = False
        """Whether the answer has begun: there is no reasoning block, or it is closed."""
        self._decode = decode
        self._stops = stops
        self._opened = opened
        self._longest = max(map(len, stops), default=0)
        self._ids = list(prompt[-_CONTEXT_TOKENS:])
        self._shown = len(self._ids)
        self._base = 0

    def push(self, token: int) -> bool:
        """Whether the answer, with `token`, has come to a stop string."""
        self._ids.append(token)
        before = len(self.text)
        self._grow(finished=False)
        if len(self.text) == before:
            return False
        start = answer_start(self.text, self._opened)
        if start is None:
            return False
        self.answering = True
        seen = max(start, before - self._longest + 1)
        return any(stop in self.text[seen:] for stop in self._stops)

    def finish(self) -> str:
        """The whole text, with what was held back."""
        self._grow(finished=True)
        return self.text

    def _grow(self, *, finished: bool) -> None:
        old = self._decode(self._ids[self._base : self._shown])
        new = self._decode(self._ids[self._base :])
        if len(new) > len(old) and (finished or not new.endswith("\ufffd")):
            self.text += new[len(old) :]
            self._base, self._shown = self._shown, len(self._ids)
