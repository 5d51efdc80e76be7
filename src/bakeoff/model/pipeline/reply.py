"""What a pipeline gives back, read strictly: a text, or a mapping of an answer and how it came about."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from numbers import Integral, Real
from typing import Any

import orjson

from bakeoff.model.remote.reasoning import cut_at_stop
from bakeoff.nouns import FinishReason, Response, Usage

LONGEST = 8 * 2**20
"""Characters and values of one reply."""

DEEPEST = 64
"""Lists and mappings inside each other."""

KEYS = ("answer", "passages", "usage", "cost", "finish_reason", "stages")
"""What a mapping may hold."""

_USAGE = ("prompt_tokens", "completion_tokens", "reasoning_tokens", "cached_tokens")
_FINISH = tuple(reason.value for reason in FinishReason)
_RESERVED = ("passages", "cost")
_LARGEST = 2**63


class ReplyError(ValueError):
    """A reply that is none; the message says what is wrong with it, and quotes no more than a key."""


def read_reply(value: Any) -> Response:
    """The response that a pipeline's reply is, without its timing.

    A text is the answer. A mapping has `answer`, a text; `passages`, a list of mappings in rank order, each
    with `id` (a text or a whole number), `text`, perhaps `score`, and what else it likes; `usage`, tokens by
    the names of `Usage`; `cost` in US dollars; `finish_reason`, one of `FinishReason`; and `stages`, a
    mapping of anything. All but the answer may be absent; where only passages are there, the answer is the
    JSON list of their ids, as a retriever's. Passages, cost and stages become the response's stages.

    Raises:
        ReplyError: another type or an unknown key; a value that is no JSON or not what its key says; more
            than LONGEST characters and values in all; more than DEEPEST levels.
    """
    value = _Plain().value(value, "the reply", 0)
    if isinstance(value, str):
        return Response(text=value)
    if not isinstance(value, dict):
        raise ReplyError(f"the reply is {_kind(value)}, not a text or a mapping with the key 'answer'")
    for key in value:
        if key not in KEYS:
            near = get_close_matches(key, KEYS, n=1)
            guess = f" (did you mean {near[0]!r}?)" if near else ""
            raise ReplyError(f"the reply has the key {key[:40]!r}{guess}; known are {', '.join(KEYS)}")
    stages = _staged(value.get("passages"), value.get("stages"))
    if (cost := value.get("cost")) is not None:
        stages["cost"] = _number(cost, "cost", least=0.0)
    return Response(
        text=_answer(value, stages.get("passages")),
        finish=_finish(value.get("finish_reason")),
        usage=_usage(value.get("usage")),
        stages=stages,
    )


def read_stages(passages: Any, stages: Any) -> dict[str, Any]:
    """Passages and stages alone, each None or as in a reply, as the stages of a response.

    Raises:
        ReplyError: as for a reply.
    """
    plain = _Plain().value([passages, stages], "the reply", 0)
    return _staged(*plain)


def stopped(response: Response, stops: Sequence[str]) -> Response:
    """`response` cut at the first of the task's stop strings in it."""
    text, stop = cut_at_stop(response.text, stops)
    return response if stop is None else replace(response, text=text, stop=stop, finish=FinishReason.STOP)


class _Plain:
    """Copies a value as JSON knows it, as long as it is not too much."""

    def __init__(self) -> None:
        self._left = LONGEST

    def value(self, value: Any, place: str, depth: int) -> Any:
        """Text without halves of characters, truth values, numbers, lists and mappings of these."""
        self._left -= 1 + (len(value) if isinstance(value, str) else 0)
        # A list that is too long is not gone through to find that out.
        if self._left < (len(value) if isinstance(value, dict | list | tuple) else 0):
            raise ReplyError(f"the reply has more than {LONGEST:,} characters and values")
        if depth > DEEPEST:
            raise ReplyError(f"{place} is nested more than {DEEPEST} deep")
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return value.encode("utf-8", "backslashreplace").decode()
        if isinstance(value, dict):
            return {self._key(key, place): self.value(each, place, depth + 1) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [self.value(each, place, depth + 1) for each in value]
        return _plain_number(value, place)

    def _key(self, key: Any, place: str) -> str:
        if not isinstance(key, str):
            raise ReplyError(f"{place} has a key that is {_kind(key)}, not a text")
        plain: str = self.value(key, place, 0)
        return plain


def _plain_number(value: Any, place: str) -> int | float:
    """An int or a float, also of NumPy's."""
    if isinstance(value, Integral):
        whole = int(value)
        if not -_LARGEST <= whole < _LARGEST:
            raise ReplyError(f"{place} holds a whole number of more than 64 bits")
        return whole
    if isinstance(value, Real):
        number = float(value)
        if not math.isfinite(number):
            raise ReplyError(f"{place} holds {number}, which JSON does not know")
        return number
    raise ReplyError(f"{place} holds {_kind(value)}, which JSON does not know")


def _staged(passages: Any, stages: Any) -> dict[str, Any]:
    named = {} if passages is None else {"passages": _passages(passages)}
    return named | _stages(stages)


def _answer(reply: Mapping[str, Any], passages: list[dict[str, Any]] | None) -> str:
    if "answer" not in reply:
        if passages is None:
            raise ReplyError("the reply has no key 'answer'")
        return orjson.dumps([passage["id"] for passage in passages]).decode()
    answer = reply["answer"]
    if not isinstance(answer, str):
        raise ReplyError(f"'answer' is {_kind(answer)}, not a text")
    return answer


def _passages(value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, list):
        raise ReplyError(f"'passages' is {_kind(value)}, not a list")
    return [_passage(each, f"passage {number}") for number, each in enumerate(value, 1)]


def _passage(value: Any, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ReplyError(f"{place} is {_kind(value)}, not a mapping of 'id' and 'text'")
    name, text = value.get("id"), value.get("text")
    if isinstance(name, int) and not isinstance(name, bool):
        name = str(name)
    if not isinstance(name, str) or not name.strip():
        raise ReplyError(f"{place} has no 'id' (a text or a whole number)")
    if not isinstance(text, str):
        raise ReplyError(f"{place}: 'text' is {_kind(text)}, not a text")
    score = {} if value.get("score") is None else {"score": _number(value["score"], f"{place}: 'score'")}
    return value | {"id": name.strip()} | score


def _usage(value: Any) -> Usage:
    if value is None:
        return Usage()
    if not isinstance(value, dict) or set(value) - set(_USAGE):
        raise ReplyError(f"'usage' must be a mapping of {', '.join(_USAGE)}")
    for name, count in value.items():
        if count is not None and (isinstance(count, bool) or not isinstance(count, int) or count < 0):
            raise ReplyError(f"'usage': {name} is not a whole number from 0")
    return Usage(**value)


def _finish(value: Any) -> FinishReason:
    if value is None:
        return FinishReason.UNKNOWN
    if value not in _FINISH:
        raise ReplyError(f"'finish_reason' must be one of {', '.join(_FINISH)}")
    return FinishReason(value)


def _stages(value: Any) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ReplyError(f"'stages' is {_kind(value)}, not a mapping")
    if taken := [name for name in _RESERVED if name in value]:
        raise ReplyError(f"'stages' holds {taken[0]!r}, which stands beside the answer")
    return value


def _number(value: Any, place: str, *, least: float = -math.inf) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or value < least:
        raise ReplyError(f"{place} is not a number{'' if math.isinf(least) else f' from {least:g}'}")
    return float(value)


def _kind(value: Any) -> str:
    words = {dict: "a mapping", list: "a list", str: "a text", type(None): "null", bool: "a truth value"}
    return words.get(type(value), f"a value of the type {type(value).__name__[:40]}")
