"""Where an answer begins, after a reasoning block, and where it ends, before a stop string."""

from collections.abc import Sequence
from dataclasses import dataclass

THINK, END_THINK = "<think>", "</think>"


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
