"""The calls an answer makes, in whichever notation."""

import re
from dataclasses import replace

from bakeoff.score.extract.extraction import Extraction, Nothing
from bakeoff.score.function_call.call import Call, UnreadableError
from bakeoff.score.function_call.json_calls import json_calls
from bakeoff.score.function_call.python_calls import python_calls

_LONGEST = 100_000
"""Characters. No list of calls is longer."""
_ONE_FENCE = re.compile(r"```[ \t]*[\w+-]*[ \t]*\n(.*?)\n?[ \t]*```", re.DOTALL)
# Marks around calls, as written by the chat templates of, among others, Hermes and Qwen; Llama; Mistral.
_TOOL_CALL = re.compile(r"<tool_call>(.*?)(?:</tool_call>|(?=<tool_call>)|\Z)", re.DOTALL)
_FUNCTION = re.compile(r"<function=([^<>\s]{1,200})>(.*?)(?:</function>|(?=<function=)|\Z)", re.DOTALL)
_LEAD = re.compile(r"\s*(?:\[TOOL_CALLS\]|<\|python_tag\|>)")
_TAIL = re.compile(r"(?:<\|eot_id\|>|<\|eom_id\|>|<\|im_end\|>|</s>)\s*\Z")


def read_calls(text: str) -> tuple[tuple[Call, ...], Extraction] | Nothing:
    """The calls of an answer that is calls; none (an empty tuple) of `[]`.

    Either the whole text is calls, in Python or JSON notation, bare or as one fenced block, or the calls
    stand between the marks of a chat template, and then other text may stand around them. Calls that are
    merely mentioned in prose or in a program are not made.
    """
    if len(text) > _LONGEST:
        return Nothing(f"longer than {_LONGEST:,} characters")
    try:
        if "<tool_call>" in text:
            return _between_marks(text)
        if "<function=" in text:
            return _functions(text)
        body = _TAIL.sub("", text)
        lead = _LEAD.match(body)
        body = (body[lead.end() :] if lead else body).strip()
        fence = _ONE_FENCE.fullmatch(body)
        calls = _either(fence[1] if fence else body)
    except UnreadableError as error:
        return _bracket_missing(text) or Nothing(f"no call: {error}")
    how = "calls between marks" if lead else "calls in a fenced block" if fence else "calls, the whole text"
    return calls, _extraction(text, calls, how)


def _bracket_missing(text: str) -> tuple[tuple[Call, ...], Extraction] | None:
    """The calls of `[f(a=1)`, a list that is never closed; None where that is not what is wrong."""
    body = text.strip()
    if not body.startswith("[") or not body.endswith(")"):
        return None
    try:
        calls = python_calls(body + "]")
    except UnreadableError:
        return None
    extraction = _extraction(text, calls, "calls, the list's missing bracket added")
    # Of a text cut here, more calls may have been coming.
    return calls, replace(extraction, end=len(text))


def _either(text: str) -> tuple[Call, ...]:
    """The calls of one notation or the other; why not, of the one that it looks like."""
    looks_like_json = text.lstrip().startswith(("{", '[{"', "[ {", "[\n"))
    first, second = (json_calls, python_calls) if looks_like_json else (python_calls, json_calls)
    try:
        return first(text)
    except UnreadableError as error:
        try:
            return second(text)
        except UnreadableError:
            raise error from None


def _between_marks(text: str) -> tuple[tuple[Call, ...], Extraction]:
    calls = tuple(call for block in _TOOL_CALL.finditer(text) for call in _either(block[1]))
    return calls, _extraction(text, calls, "calls between <tool_call> marks")


def _functions(text: str) -> tuple[tuple[Call, ...], Extraction]:
    calls = tuple(
        replace(call, name=block[1])
        for block in _FUNCTION.finditer(text)
        for call in json_calls(f'{{"name": "f", "arguments": {block[2].strip() or "{}"}}}')
    )
    return calls, _extraction(text, calls, "calls between <function=…> marks")


def _extraction(text: str, calls: tuple[Call, ...], how: str) -> Extraction:
    # Calls end with a bracket or a mark: a text cut right behind one lost nothing of it.
    return Extraction(", ".join(map(str, calls)) or "[]", "explicit", how, 0, max(0, len(text) - 1))
