"""Which rows a task takes, by the value of a column."""

import json
from collections.abc import Mapping
from typing import Any

_BOUNDS = frozenset({"from", "to"})


def keeps(value: Any, wanted: Any) -> bool:
    """Whether `value` is what `where` wants: equal, or within `{from: …, to: …}`, both bounds included.

    Numbers are compared as numbers. Texts are compared letter by letter, which orders ISO dates, and `to` by
    as many letters as it has: `to: 2024-05` includes the whole of May. Where a file has texts only, "3"
    equals 3 and lies from 2 to 4; a text that is no number is compared with a number's digits (`to: 2024`).
    A value that is neither, or absent, is not kept.
    """
    if isinstance(wanted, Mapping) and wanted and wanted.keys() <= _BOUNDS:
        return _within(value, wanted)
    if isinstance(value, str) and not isinstance(wanted, str | Mapping | list):
        return value == as_text(wanted)
    return type(value) is type(wanted) and bool(value == wanted)


def as_text(value: Any) -> str:
    """A text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _within(value: Any, bounds: Mapping[str, Any]) -> bool:
    if "from" in bounds and not _at_least(value, bounds["from"]):
        return False
    return "to" not in bounds or _at_most(value, bounds["to"])


def _at_least(value: Any, bound: Any) -> bool:
    if not isinstance(bound, str) and (number := _number(value)) is not None:
        return bool(number >= bound)
    return isinstance(value, str) and value >= as_text(bound)


def _at_most(value: Any, bound: Any) -> bool:
    if not isinstance(bound, str) and (number := _number(value)) is not None:
        return bool(number <= bound)
    text = as_text(bound)
    return isinstance(value, str) and value[: len(text)] <= text


def _number(value: Any) -> float | None:
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
