"""What an item accepts: a set of calls, any call at all, or none."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from bakeoff.errors import TaskError
from bakeoff.nouns import Item

OPTIONAL = ""
"""Among the accepted values of an argument: it may be left out."""


@dataclass(frozen=True, slots=True)
class ExpectedCall:
    """A function's name and, for each argument, the values accepted for it."""

    name: str
    accepted: Mapping[str, tuple[Any, ...]]


def expected_calls(item: Item) -> tuple[ExpectedCall, ...] | Literal["no call", "any call"]:
    """What the item's target accepts.

    The target is one text: `no call`, `any call`, or JSON: a list of `{function: {argument: [values]}}`, or
    one such object with a key per call. In an object, calls of one function are told apart by `_1`, `_2`, …;
    `""` among the values says that the argument may be left out.

    Raises:
        TaskError: it is none of these.
    """
    if isinstance(item.target, int) or len(item.target) != 1:
        raise _wrong(item, item.target)
    text = item.target[0].strip()
    if text.strip('"') in ("no call", "any call"):
        return "no call" if "no call" in text else "any call"
    try:
        value = json.loads(text)
    except ValueError:
        raise _wrong(item, text) from None
    calls = [value] if isinstance(value, Mapping) else value
    if not isinstance(calls, list) or not calls:
        raise _wrong(item, text)
    return tuple(
        _expected(item, name, accepted)
        for call in calls
        for name, accepted in (call.items() if isinstance(call, Mapping) else [("", None)])
    )


def _expected(item: Item, name: str, accepted: Any) -> ExpectedCall:
    if not isinstance(accepted, Mapping) or not all(isinstance(values, list) for values in accepted.values()):
        raise _wrong(item, accepted)
    return ExpectedCall(name, {argument: tuple(values) for argument, values in accepted.items()})


def _wrong(item: Item, target: object) -> TaskError:
    return TaskError(
        f"item {item.id}: the function_call scorer cannot read the target {target!r:.80}",
        'Write `no call`, `any call`, or JSON such as [{"area": {"base": [10], "unit": ["cm", ""]}}].',
    )
