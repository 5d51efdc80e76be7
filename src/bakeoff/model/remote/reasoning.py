"""Reasoning blocks and stop strings, when the server leaves both in the text."""

import re
from collections.abc import Sequence

_OPEN = re.compile(r"\s*<think(?:ing)?>")
_CLOSE = re.compile(r"</think(?:ing)?>")
_CLOSE_AT_LINE_START = re.compile(r"^</think(?:ing)?>", re.MULTILINE)


def split_reasoning(text: str, *, opened: bool = False) -> tuple[str, str]:
    """The reasoning block at the start of `text`, and what comes after it.

    A block that is never closed takes the whole text: the answer is then empty, not the thought.
    With `opened`, the block may have begun in the prompt (some chat templates end in `<think>`): a lone
    closing mark ends it, if it begins a line, so that an answer that mentions the mark stays whole.
    """
    start = _OPEN.match(text)
    if start:
        end = _CLOSE.search(text, start.end())
        begin = start.end()
    else:
        end = _CLOSE_AT_LINE_START.search(text) if opened else None
        begin = 0
        if end is None:
            return "", text
    if end is None:
        return text[begin:].strip(), ""
    return text[begin : end.start()].strip(), text[end.end() :].lstrip("\r\n")


def cut_at_stop(text: str, stops: Sequence[str]) -> tuple[str, str | None]:
    """`text` up to the first stop string in it, and that string; of several at one place, the longest."""
    found = [(at, -len(stop), stop) for stop in stops if stop and (at := text.find(stop)) >= 0]
    if not found:
        return text, None
    at, _, stop = min(found)
    return text[:at], stop
