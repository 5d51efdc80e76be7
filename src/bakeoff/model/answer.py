"""Where an answer begins, after a reasoning block, and where it ends, before a stop string."""

from collections.abc import Sequence
from dataclasses import dataclass

THINK, END_THINK = "<think>", "</think>"

MARKS = (
    (THINK, END_THINK),  # DeepSeek-R1, Qwen3, GLM, SmolLM3 and most others
    ("<thinking>", "</thinking>"),  # Reflection
    ("<thought>", "</thought>"),  # EXAONE Deep
    ("<seed:think>", "</seed:think>"),  # Seed-OSS
    ("[THINK]", "[/THINK]"),  # Magistral, Ministral Reasoning
    ("<|START_THINKING|>", "<|END_THINKING|>"),  # Command A Reasoning
    ("<|inner_prefix|>", "<|inner_suffix|>"),  # Apertus
    ("<|channel>", "<channel|>"),  # Gemma 4; the block begins with the word "thought"
    ("Here is my thought process:", "Here is my response:"),  # Granite 3.2
)
"""How a reasoning block opens and closes. gpt-oss is not here: its channels are messages, not marks."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A finished text, taken apart. `stop` is the stop string that ended it, if one did."""

    text: str
    reasoning: str = ""
    stop: str | None = None


def opens_reasoning(prompt: str) -> bool:
    """Whether `prompt` leaves a reasoning block open, as some chat templates do for the model."""
    return prompt.rstrip().endswith(tuple(mark for mark, _ in MARKS))


def answer_start(text: str, opened: bool) -> int | None:
    """Where the answer begins in a text still being written; None while that cannot be said.

    `opened` says that the prompt ended inside a reasoning block. The line ends behind a block belong to it:
    a stop string of line ends would otherwise cut every answer to nothing.
    """
    inner = _reasoning(text, opened)
    if inner is not None:
        return None if inner.end is None else len(text) - len(text[inner.end :].lstrip("\r\n"))
    lead = text.lstrip()
    return None if any(mark.startswith(lead) for mark, _ in MARKS) else 0


def reasoning_so_far(text: str, opened: bool) -> str | None:
    """The reasoning block that a text still being written begins with, its marks and the line ends behind it
    with it; empty if there is none, None while it is not closed. `opened` as for `answer_start`."""
    inner = _reasoning(text, opened)
    if inner is None:
        return ""
    return None if inner.end is None else text[: answer_start(text, opened)]


def take_apart(text: str, stops: Sequence[str], opened: bool) -> Answer:
    """A finished `text` split into reasoning and answer, the answer cut at the first stop string.

    Stop strings do not apply inside the reasoning. Of two that begin at the same place the first listed
    counts. A reasoning block that was never closed stays in the text, with an opening mark, for the scorer
    to see.
    """
    inner = _reasoning(text, opened)
    if inner is not None and inner.end is None:
        return Answer(text if inner.opens else f"{THINK}\n{text}")
    start = answer_start(text, opened) or 0
    reasoning = "" if inner is None else text[inner.start : inner.stop].strip()
    answer = text[start:]
    found = [(at, stop) for stop in stops if (at := answer.find(stop)) >= 0]
    if not found:
        return Answer(answer, reasoning)
    at, stop = min(found, key=lambda pair: pair[0])
    return Answer(answer[:at], reasoning, stop)


@dataclass(frozen=True, slots=True)
class _Reasoning:
    """A text's reasoning, `start` to `stop`. `end` is behind its closing mark, None where there is none yet.

    `opens` says that the text itself has the opening mark.
    """

    start: int
    stop: int
    end: int | None
    opens: bool


def _reasoning(text: str, opened: bool) -> _Reasoning | None:
    """The reasoning block that `text` begins with. One that the prompt opened may close with any mark."""
    indent = len(text) - len(text.lstrip())
    own = [(mark, close) for mark, close in MARKS if text.startswith(mark, indent)]
    start = indent + len(own[0][0]) if own else 0
    if not own and not opened:
        return None
    closes = [close for _, close in (MARKS if opened else own)]
    found = [(at, at + len(close)) for close in closes if (at := text.find(close, start)) >= 0]
    stop, end = min(found) if found else (len(text), None)
    return _Reasoning(start, stop, end, bool(own))
