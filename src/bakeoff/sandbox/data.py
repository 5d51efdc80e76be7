"""Values that code in a sandbox returned: read, compared and shown without building them.

The form is that of `inside.channel`: JSON primitives and lists, and all else as {kind: content}. What is
compared is measured by what was expected, so that a hostile value costs no more than a right one.
"""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

_KINDS = frozenset({"tuple", "set", "dict", "bytes", "complex", "range", "iterator", "object"})
_SEQUENCES = ("tuple", "iterator", "range")
_DEPTH = 120
_RELATIVE = 1e-7


class Malformed(ValueError):  # noqa: N818 (a finding about hostile code)
    """Not JSON, or nested deeper than anything the sandbox may send."""


def read_data(text: bytes) -> Any:
    """The JSON in `text`.

    Raises:
        Malformed: it is none.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"it sent what is no data: {type(error).__name__}") from None


def from_json(value: Any) -> Any:
    """Data of a task, a JSON value, in the form of what a sandbox returns: mappings as their pairs."""
    if isinstance(value, Mapping):
        return {"dict": [[from_json(key), from_json(each)] for key, each in value.items()]}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [from_json(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": repr(value)}
    return value


def is_data(value: Any) -> bool:
    """Whether the whole of a value came through the channel: no object was left behind."""
    if isinstance(value, list):
        return all(map(is_data, value))
    if isinstance(value, dict):
        return "object" not in value and all(map(is_data, value.values()))
    return True


def literal(value: Any) -> str:
    """Data of a task as a Python literal on one line, for the sandbox to evaluate."""
    if isinstance(value, Mapping):
        return f"{{{','.join(f'{literal(key)}:{literal(each)}' for key, each in value.items())}}}"
    if isinstance(value, tuple):
        return f"({''.join(f'{literal(each)},' for each in value)})"
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return f"[{','.join(map(literal, value))}]"
    if isinstance(value, set | frozenset):
        return f"set({literal(list(value))})"
    if isinstance(value, int) and not isinstance(value, bool):
        return hex(value)
    return repr(value)


def matches(expected: Any, got: Any, *, tolerance: float = 0.0, strict: bool = False, depth: int = 0) -> bool:
    """Whether `got` equals `expected`, as Python's == would say: 1 == 1.0 == True, and kinds must agree.

    Where something in `expected` is a float, numbers may differ by `tolerance` + 1e-7 times the expected one,
    if `tolerance` is above 0. Without `strict`, a tuple, range or iterator counts as the list of its items,
    because JSON has no other sequences.
    """
    if depth > _DEPTH:
        return False
    deeper: dict[str, Any] = {"tolerance": tolerance, "strict": strict, "depth": depth + 1}
    kind, content = _kind(expected)
    other, found = _kind(got)
    if kind == "number" and other == "number":
        return _numbers_match(content, found, tolerance)
    if not strict:
        kind, content, other, found = *_as_list(kind, content), *_as_list(other, found)
    if kind != other:
        return False
    if kind in ("list", "tuple", "complex", "range", "iterator"):
        return (
            isinstance(found, list)
            and len(content) == len(found)
            and all(matches(mine, theirs, **deeper) for mine, theirs in zip(content, found, strict=True))
        )
    if kind == "set":
        return (
            isinstance(found, list)
            and len(content) == len(found)
            and sorted(map(_canonical, content)) == sorted(map(_canonical, found))
        )
    if kind == "dict":
        return _dicts_match(content, found, deeper)
    return bool(kind != "object" and content == found)


def shown(value: Any) -> str:
    """A value as Python would write it, in at most 80 characters, for people."""
    text = _written(value, 0, [100])
    return text if len(text) <= 80 else text[:79] + "…"


def _kind(value: Any) -> tuple[str, Any]:
    if isinstance(value, bool | int | float):
        return "number", value
    if isinstance(value, str):
        return "str", value
    if value is None:
        return "None", None
    if isinstance(value, list):
        return "list", value
    if isinstance(value, dict) and len(value) == 1:
        ((kind, content),) = value.items()
        if kind in ("float", "int"):
            return _number(kind, content)
        if kind in _KINDS:
            return kind, content
    return "object", None


def _number(kind: str, content: Any) -> tuple[str, Any]:
    try:
        return "number", float(content) if kind == "float" else int(content, 16)
    except (TypeError, ValueError):
        return "object", None


def _as_list(kind: str, content: Any) -> tuple[str, Any]:
    if kind not in _SEQUENCES:
        return kind, content
    if kind == "range":
        try:
            whole = range(*content)
        except (TypeError, ValueError):
            return "object", None
        return ("list", list(whole)) if len(whole) <= 1_000_000 else ("range", content)
    return "list", content


def _numbers_match(expected: Any, got: Any, tolerance: float) -> bool:
    if expected == got:
        return True
    if tolerance <= 0 or not isinstance(expected, float) or isinstance(got, bool):
        return False
    try:
        return bool(abs(got - expected) <= tolerance + _RELATIVE * abs(expected))
    except OverflowError:
        return False


def _dicts_match(expected: Any, got: Any, options: dict[str, Any]) -> bool:
    if not isinstance(got, list) or len(expected) != len(got):
        return False
    if not all(isinstance(pair, list) and len(pair) == 2 for pair in got):
        return False
    theirs = {_canonical(key): value for key, value in got}
    keys = [(_canonical(key), value) for key, value in expected]
    return all(key in theirs and matches(value, theirs[key], **options) for key, value in keys)


def _canonical(value: Any, depth: int = 0) -> str:
    """One text for all values that are equal and hashable."""
    kind, content = _kind(value)
    if depth > _DEPTH:
        return "deep"
    if kind == "number":
        if isinstance(content, float) and content.is_integer():
            content = int(content)
        return f"n{content:x}" if isinstance(content, int) else f"f{content!r}"
    if kind in ("tuple", "list") and isinstance(content, list):
        return f"{kind}[{','.join(_canonical(each, depth + 1) for each in content)}]"
    if kind == "set" and isinstance(content, list):
        return f"set[{','.join(sorted(_canonical(each, depth + 1) for each in content))}]"
    return f"{kind}:{json.dumps(content)}"


def _written(value: Any, depth: int, budget: list[int]) -> str:
    budget[0] -= 1
    if budget[0] < 0 or depth > 20:
        return "…"
    kind, content = _kind(value)
    if kind == "number":
        # Python refuses to write integers of more than 4,300 digits, and nobody reads them.
        large = isinstance(content, int) and content.bit_length() > 256
        return f"an integer of {content.bit_length()} bits" if large else repr(content)
    if kind == "str":
        return repr(content[:100])
    if kind == "None":
        return "None"
    if kind in ("list", "tuple", "set", "iterator") and isinstance(content, list):
        inside = ", ".join(_written(each, depth + 1, budget) for each in content[:50])
        left, right = {"list": "[]", "tuple": "()", "set": "{}", "iterator": ("iterator of [", "]")}[kind]
        return f"{left}{inside}{right}"
    if kind == "dict" and isinstance(content, list):
        pairs = [pair for pair in content[:50] if isinstance(pair, list) and len(pair) == 2]
        inside = ", ".join(
            f"{_written(key, depth + 1, budget)}: {_written(each, depth + 1, budget)}" for key, each in pairs
        )
        return f"{{{inside}}}"
    return f"<{kind} {str(content)[:60]}>"
