"""What is asked to be seen of a board: the same in an address, on the command line and in the API."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from math import isfinite
from typing import Any, Literal, Self
from urllib.parse import urlencode

from bakeoff.board.table.columns import Column
from bakeoff.errors import BakeoffError
from bakeoff.task.spec import nearest

NOT_STATED = "-"
"""Stands for what a row does not say, where rows are chosen by what they say."""
LONGEST, MOST = 1000, 60
"""Characters of a value, and values of one parameter, at most."""
COMPARED, MOST_ROWS = 4, 1000
"""Rows to compare, and rows on a page, at most."""


@dataclass(frozen=True, slots=True)
class View:
    """What is to be seen of a board. Each field is a parameter of an address by the same name.

    `search` are words that a row must all contain, or `/a pattern/`. `organisation`, `licence`, `precision`
    and `provenance` keep rows that say one of these, `-` those that say nothing. Parameters are in billions,
    cost in dollars, latency in seconds; limits are included. `pareto` keeps the front of the score against
    that, `tied` the rows that are not told apart from the row of that key. `preset` is one of `presets`.
    `sort` is a column's key, best, least, newest or A first, and with `-` before it the other way; without
    one rows come in the board's order. Without `columns` the board's usual ones are shown. Rows of `pin` come
    first, whatever else is asked for. `at` and `version` say which snapshot. `per_page` are rows; by
    default all of a board of up to 1,000, else 500.
    """

    search: str = ""
    organisation: tuple[str, ...] = ()
    licence: tuple[str, ...] = ()
    precision: tuple[str, ...] = ()
    provenance: tuple[str, ...] = ()
    state: Literal["all", "ranked"] = "all"
    parameters_min: float | None = None
    parameters_max: float | None = None
    cost_max: float | None = None
    latency_max: float | None = None
    since: date | None = None
    pareto: Literal["", "cost", "latency", "parameters"] = ""
    tied: str = ""
    preset: str = ""
    sort: str = ""
    columns: tuple[str, ...] = ()
    pin: tuple[str, ...] = ()
    compare: tuple[str, ...] = ()
    at: str = ""
    version: int | None = None
    page: int = 1
    per_page: int | None = None

    @classmethod
    def parse(cls, given: Iterable[tuple[str, str]]) -> Self:
        """The view that names and values ask for, as they stand in an address. Empty values ask for nothing.

        Raises:
            BakeoffError: a name is no parameter, its value is none of its kind or too long, or it is given
                too often. Whether columns and rows are there, `seen` tells.
        """
        values: dict[str, list[str]] = {}
        for name, value in given:
            if name not in _READERS:
                raise BakeoffError(
                    f"{name!r:.80} is no parameter of a board", nearest(name[:80], _READERS, "there are")
                )
            if value.strip():
                values.setdefault(name, []).append(_text(name, value))
        return cls(**{name: _READERS[name](name, found) for name, found in values.items()})

    def query(self, **changes: Any) -> str:
        """The view with these `changes` as the query of an address: always the same for the same view, and
        empty for what is seen when nothing is asked for. `parse` reads it.

        Where rows may be others or stand elsewhere than before, the page is the first.
        """
        return urlencode(self.pairs(**changes))

    def pairs(self, **changes: Any) -> tuple[tuple[str, str], ...]:
        """The names and values of `query`."""
        if changes.keys() - _IN_PLACE:
            changes = {"page": 1} | changes
        return tuple(_pairs(replace(self, **changes)))

    def toggled(self, name: str, value: str) -> dict[str, tuple[str, ...]]:
        """The change that adds `value` to a field of several, or takes it out."""
        now: tuple[str, ...] = getattr(self, name)
        return {name: tuple(each for each in now if each != value) if value in now else (*now, value)}

    def sorted_by(self, column: Column) -> dict[str, str]:
        """The change that sorts by a column; where it does, the other way; and then the board's order."""
        after = {column.key: f"-{column.key}", f"-{column.key}": ""}
        return {"sort": after.get(self.sort, column.key)}

    @property
    def filtered(self) -> bool:
        """Whether it may leave rows out."""
        return any(getattr(self, name) != getattr(EVERYTHING, name) for name in FILTERS)


def _pairs(view: View) -> Iterator[tuple[str, str]]:
    for each in fields(view):
        value = getattr(view, each.name)
        if value == each.default:
            continue
        if each.name == "columns":
            yield each.name, ",".join(value)
        elif isinstance(value, tuple):
            yield from ((each.name, one) for one in value)
        else:
            yield each.name, repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def _text(name: str, value: str) -> str:
    if len(value) > LONGEST:
        raise BakeoffError(f"{name}: {len(value):,} characters are too many", f"{LONGEST} at most")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise BakeoffError(f"{name}: {value!r:.80} is no text in UTF-8") from None
    return value


def _one(name: str, values: list[str]) -> str:
    if len(values) > 1:
        raise BakeoffError(f"{name} is given {len(values)} times", "give it once")
    return values[0]


def _word(name: str, values: list[str]) -> str:
    return _one(name, values).strip()


def _several(most: int) -> Callable[[str, list[str]], tuple[str, ...]]:
    def read(name: str, values: list[str]) -> tuple[str, ...]:
        found = tuple(dict.fromkeys(values))
        if len(found) > most:
            raise BakeoffError(f"{name}: {len(found)} are too many", f"{most} at most")
        return found

    return read


def _columns(name: str, values: list[str]) -> tuple[str, ...]:
    return _several(10 * MOST)(
        name, [key.strip() for value in values for key in value.split(",") if key.strip()]
    )


def _choice(*known: str) -> Callable[[str, list[str]], str]:
    def read(name: str, values: list[str]) -> str:
        value = _word(name, values)
        if value not in known:
            raise BakeoffError(
                f"{name}: {value!r:.80} is none of its values", nearest(value, known, "one of")
            )
        return value

    return read


def _number(name: str, values: list[str]) -> float:
    value = _word(name, values)
    if not re.fullmatch(r"\d+(\.\d*)?(e[+-]?\d+)?", value, re.ASCII | re.IGNORECASE) or not isfinite(
        float(value)
    ):
        raise BakeoffError(f"{name}: {value!r:.80} is no number of 0 or more", "write 7 or 0.5")
    return float(value)


def _whole(most: int) -> Callable[[str, list[str]], int]:
    def read(name: str, values: list[str]) -> int:
        value = _word(name, values)
        if not re.fullmatch(r"\d{1,9}", value, re.ASCII) or not 1 <= int(value) <= most:
            raise BakeoffError(f"{name}: {value!r:.80} is no whole number from 1 to {most:,}")
        return int(value)

    return read


def _day(name: str, values: list[str]) -> date:
    value = _word(name, values)
    try:
        if re.fullmatch(r"\d{4}-\d{2}-\d{2}", value, re.ASCII):
            return date.fromisoformat(value)
    except ValueError:
        pass
    raise BakeoffError(f"{name}: {value!r:.80} is no date", "write 2026-01-31")


_READERS: Mapping[str, Callable[[str, list[str]], Any]] = {
    "search": _word,
    "organisation": _several(MOST),
    "licence": _several(MOST),
    "precision": _several(MOST),
    "provenance": _several(MOST),
    "state": _choice("all", "ranked"),
    "parameters_min": _number,
    "parameters_max": _number,
    "cost_max": _number,
    "latency_max": _number,
    "since": _day,
    "pareto": _choice("cost", "latency", "parameters"),
    "tied": _one,
    "preset": _word,
    "sort": _word,
    "columns": _columns,
    "pin": _several(MOST),
    "compare": _several(COMPARED),
    "at": _word,
    "version": _whole(10**9 - 1),
    "page": _whole(10**9 - 1),
    "per_page": _whole(MOST_ROWS),
}
EVERYTHING = View()
"""A board as it is seen when nothing is asked for."""
FACETS = ("organisation", "licence", "precision", "provenance")
"""What rows can be chosen by among the values that there are."""
FILTERS = (
    "search",
    *FACETS,
    *("state", "parameters_min", "parameters_max", "cost_max", "latency_max", "since"),
    *("pareto", "tied", "preset"),
)
"""The fields that leave rows out."""
_IN_PLACE = frozenset({"page", "pin", "compare", "columns"})
"""The fields whose change leaves the rows of a page where they are."""
