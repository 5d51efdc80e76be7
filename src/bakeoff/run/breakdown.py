"""The score by the values of one column: subjects, depths, lengths, dates."""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import orjson

from bakeoff.errors import BakeoffError
from bakeoff.nouns import Outcome
from bakeoff.run.estimate import Estimate
from bakeoff.run.metrics import Method, item_mean
from bakeoff.store import query

MOST = 60
"""Values that are shown; a column with more needs cuts."""
NONE = "(none)"
"""Stands for items without a value, or with one that cannot be compared with the cuts."""


@dataclass(frozen=True, slots=True)
class Part:
    """The samples with one value, or between two cuts: the score over items, and samples by outcome."""

    value: str
    score: Estimate
    counts: dict[str, int]


@dataclass(frozen=True, slots=True)
class Breakdown:
    """A run's score by `column`: numbers in their order, texts in theirs, items without a value last.

    Every sample is in exactly one part.
    """

    column: str
    parts: tuple[Part, ...]


def breakdown(
    folder: Path, column: str, *, cuts: Sequence[str] = (), method: Method = "auto", level: float = 0.95
) -> Breakdown:
    """Measure a run part by part. Each interval is of its part alone, at `level` each.

    `column` is `group`, or a key of the items' metadata, a dotted path with or without `meta.` before it.
    `cuts` are values in ascending order that split numbers, or texts by their letters (ISO dates): below the
    first, from the first on to below the second, and so on.

    Raises:
        BakeoffError: no item has such a value, there are more than 60 different ones and no cuts, or the cuts
            do not ascend.
    """
    place, path = _where(column)
    values = query(folder, _VALUES.format(place), path)
    outcomes = query(folder, _OUTCOMES.format(place), path)
    found = {text: _read(text) for text, *_ in outcomes}
    if all(value is None for value in found.values()):
        raise _no_column(folder, column)
    name = _cut(column, cuts) if cuts else _name
    if not cuts and len(found) > MOST:
        raise BakeoffError(
            f"{column} has {len(found):,} different values, and {MOST} are the most that are shown",
            "split them at values you choose: --cut VALUE, several times for several parts",
        )
    keys = {text: name(value) for text, value in found.items()}
    scores: defaultdict[_Key, list[tuple[float | None, str | None]]] = defaultdict(list)
    for text, value, group in values:
        scores[keys[text]].append((value, group))
    counts: defaultdict[_Key, Counter[str]] = defaultdict(Counter)
    for text, outcome, number in outcomes:
        counts[keys[text]][outcome] += number
    return Breakdown(
        column,
        tuple(
            Part(key[-1], item_mean(scores[key], method, level), _counts(counts[key]))
            for key in sorted(set(keys.values()))
        ),
    )


_VALUES = """
    SELECT {0} AS part, avg(value), any_value("group") FROM samples GROUP BY part, item_id ORDER BY item_id
"""
_OUTCOMES = "SELECT {0} AS part, outcome, count(*) FROM samples GROUP BY part, outcome"

_Key = tuple[int, tuple[tuple[int, float, str], ...], str]
"""What parts are sorted by: numbers, texts, none; the number or the pieces of the text; how it is shown."""


def _where(column: str) -> tuple[str, list[str]]:
    """The SQL of a column, as JSON text, and its parameters."""
    if column == "group":
        return 'to_json("group")::VARCHAR', []
    key = re.sub(r"^meta(data)?\.", "", column)
    # A key may itself hold dots. JSON pointers name any key.
    whole, steps = [key], key.split(".")
    paths = [
        "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in at) for at in (whole, steps)
    ]
    return "coalesce(json_extract(metadata, ?), json_extract(metadata, ?))::VARCHAR", paths


def _read(text: str | None) -> Any:
    return None if text is None else orjson.loads(text)


def _name(value: Any) -> _Key:
    if value is None:
        return (2, (), NONE)
    if _is_number(value):
        return (0, ((0, value, ""),), f"{value:g}" if isinstance(value, float) else str(value))
    text = value if isinstance(value, str) else orjson.dumps(value).decode()
    return (1, _pieces(text), text)


def _pieces(text: str) -> tuple[tuple[int, float, str], ...]:
    """A text for sorting: digits in it count as numbers, so that 4k stands before 16k."""
    pieces = re.findall(r"[0-9]{1,15}|[^0-9]+", text)
    return tuple((0, int(each), "") if each.isdigit() else (1, 0, each) for each in pieces)


def _cut(column: str, cuts: Sequence[str]) -> Callable[[Any], _Key]:
    """From a value to its part between the cuts."""
    numbers = [_number(cut) for cut in cuts]
    numeric = all(number is not None for number in numbers)
    ends: Sequence[Any] = numbers if numeric else list(cuts)
    if any(not low < high for low, high in pairwise(ends)):
        raise BakeoffError(f"the cuts of {column} must ascend, got {', '.join(cuts)}")

    def name(value: Any) -> _Key:
        if numeric and isinstance(value, str):
            value = _number(value)
        if not (_is_number(value) if numeric else isinstance(value, str)):
            return (2, (), NONE)
        index = bisect_right(ends, value)
        return (0, ((0, index, ""),), _between(cuts, index))

    return name


def _between(cuts: Sequence[str], index: int) -> str:
    if index == 0:
        return f"< {cuts[0]}"
    if index == len(cuts):
        return f"≥ {cuts[-1]}"
    return f"{cuts[index - 1]} … < {cuts[index]}"


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _counts(found: Counter[str]) -> dict[str, int]:
    return {"total": found.total()} | {outcome.value: found[outcome.value] for outcome in Outcome}


def _no_column(folder: Path, column: str) -> BakeoffError:
    keys: Iterable[tuple[str]] = query(
        folder, "SELECT DISTINCT unnest(json_keys(metadata)) AS key FROM samples ORDER BY key LIMIT 40"
    )
    names = [f"meta.{key}" for (key,) in keys]
    if query(folder, 'SELECT 1 FROM samples WHERE "group" IS NOT NULL LIMIT 1'):
        names.insert(0, "group")
    there = (
        f"there are {', '.join(names)}" if names else "the items of this run have no metadata and no groups"
    )
    return BakeoffError(f"no item of {folder} has a value of {column!r}", there)
