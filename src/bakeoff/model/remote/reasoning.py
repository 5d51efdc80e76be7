"""Reasoning blocks and stop strings, when the server leaves both in the text."""

import re
from collections.abc import Sequence

from bakeoff.model.answer import MARKS, answer_start

# A sentence that ends one model's reasoning ("Here is my response:") may stand in any other's answer.
_LONE_CLOSE = re.compile(
    "|".join("^" + re.escape(close) for _, close in MARKS if not close.endswith(":")), re.MULTILINE
)


def split_reasoning(text: str, *, opened: bool = False) -> tuple[str, str]:
    """The reasoning block at the start of `text`, and what comes after it.

    A block that is never closed takes the whole text: the answer is then empty, not the thought.
    With `opened`, the block may have begun in the prompt (some chat templates end in `<think>`): a lone
    closing mark ends it, if it begins a line, so that an answer that mentions the mark stays whole.
    """
    indent = len(text) - len(text.lstrip())
    for mark, close in MARKS:
        if text.startswith(mark, indent):
            thought, _, answer = text[indent + len(mark) :].partition(close)
            return thought.strip(), answer.lstrip("\r\n")
    end = _LONE_CLOSE.search(text) if opened else None
    if end is None:
        return "", text
    return text[: end.start()].strip(), text[end.end() :].lstrip("\r\n")


def answer_begins(text: str, *, reasoned: bool, waits: bool) -> int | None:
    """Where the answer begins in a text still being written; None while that cannot be said.

    `reasoned` says that the server sent reasoning apart from the text. With `waits`, a text without an
    opening mark is reasoning up to a lone closing mark, as in `split_reasoning`.
    """
    start = answer_start(text, opened=False)
    if start == 0 and waits:
        lone = _LONE_CLOSE.search(text)
        start = lone.end() if lone else None
    if start is None:
        return None
    return len(text) - len(text[start:].lstrip("\r\n")) if start or reasoned else start


def cut_at_stop(text: str, stops: Sequence[str]) -> tuple[str, str | None]:
    """`text` up to the first stop string in it, and that string; of several at one place, the longest."""
    found = [(at, -len(stop), stop) for stop in stops if stop and (at := text.find(stop)) >= 0]
    if not found:
        return text, None
    at, _, stop = min(found)
    return text[:at], stop
