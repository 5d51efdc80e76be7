"""Calls written as JSON, in the forms in which chat interfaces and models write them."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from bakeoff.score.extract.json_value import NotJsonError, parse_json
from bakeoff.score.function_call.call import Call, UnreadableError

_ARGUMENTS = ("arguments", "parameters", "args")
_WRAPPERS = ("tool_calls", "function_call")


def json_calls(text: str) -> tuple[Call, ...]:
    """The calls of a JSON text; `[]` and `{"tool_calls": []}` are none.

    A call is `{"name": "f", "arguments": {…}}` (or `parameters`, `args`), the same inside
    `{"function": {…}}`, or `{"f": {…}}`; arguments may be JSON text themselves. Several stand in a list, in
    `tool_calls`, or one after another.

    Raises:
        UnreadableError: it is not JSON, or not calls.
    """
    try:
        value = parse_json(text)
    except NotJsonError as error:
        raise UnreadableError(f"not calls in JSON ({error})") from None
    return calls_of(value)


def calls_of(value: Any) -> tuple[Call, ...]:
    """The calls in a JSON value, in the forms of `json_calls`.

    Raises:
        UnreadableError: it is not calls.
    """
    return tuple(_calls(value, depth=0))


def _calls(value: Any, depth: int) -> Iterator[Call]:
    if depth > 3:
        raise UnreadableError("calls nested in one another")
    if isinstance(value, list):
        for each in value:
            yield from _calls(each, depth + 1)
        return
    if not isinstance(value, Mapping):
        raise UnreadableError(f"not a call: {json.dumps(value):.60}")
    for wrapper in _WRAPPERS:
        if isinstance(value.get(wrapper), list | Mapping):
            yield from _calls(value[wrapper], depth + 1)
            return
    if isinstance(value.get("function"), Mapping):
        yield from _calls(value["function"], depth + 1)
        return
    yield _call(value)


def _call(value: Mapping[str, Any]) -> Call:
    if isinstance(name := value.get("name"), str):
        given: Any = next((value[key] for key in _ARGUMENTS if key in value), {})
        return Call(name, _arguments(name, given), "json")
    if len(value) == 1:
        name, given = next(iter(value.items()))
        return Call(name, _arguments(name, given), "json")
    raise UnreadableError(f"a call without a name: {json.dumps(value):.60}")


def _arguments(name: str, given: Any) -> Mapping[str, Any]:
    if isinstance(given, str):
        try:
            given = parse_json(given or "{}")
        except NotJsonError as error:
            raise UnreadableError(f"the arguments of {name:.60} are not JSON ({error})") from None
    if not isinstance(given, Mapping):
        raise UnreadableError(f"the arguments of {name:.60} are not given by name")
    return given
