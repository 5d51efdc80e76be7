"""The rates by the values of a column, and which of them differ from the rest by more than noise."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson
from numpy.typing import NDArray

from bakeoff.classification.cases import Case
from bakeoff.errors import BakeoffError
from bakeoff.stats.arrays import IntArray
from bakeoff.stats.classes.rare import detection
from bakeoff.stats.classes.share import Rate
from bakeoff.stats.many.multiplicity import holm

if TYPE_CHECKING:
    from bakeoff.classification.decisions import Decisions

MOST = 20
"""Values that are shown; numbers with more are split at their quartiles."""
NONE = "(none)"
"""Stands for items without a value."""


@dataclass(frozen=True, slots=True)
class Slice:
    """The items with one value. Each interval is of its slice alone.

    `recall_p` and `specificity_p` are of Fisher's exact test against all other items, adjusted by Holm over
    all tests of the column; None where there is nothing to test.
    """

    value: str
    items: int
    positives: int
    recall: Rate | None
    specificity: Rate | None
    precision: Rate | None
    recall_p: float | None = None
    specificity_p: float | None = None


def slices(data: "Decisions", column: str, *, level: float = 0.95) -> tuple[Slice, ...]:
    """Rates for each value of `column`: `group`, `length` (characters of the input as sent), or a key of the
    items' metadata, a dotted path with or without `meta.` before it.

    Of several answers to an item the first is taken.

    Raises:
        BakeoffError: no item has such a value, or there are more than `MOST` that are not all numbers.
    """
    first = np.array([case.repeat == 0 for case in data.cases], dtype=bool)
    cases = [case for case in data.cases if case.repeat == 0]
    flagged, positive = data.flagged[first], data.positive[first]
    clusters = None if data.clusters is None else data.clusters[first]
    names, order = _names([_value(case, column) for case in cases], column, cases)
    parts = [names == name for name in order]
    found = [
        _measured(name, flagged[of], positive[of], None if clusters is None else clusters[of], level)
        for name, of in zip(order, parts, strict=True)
    ]
    # Of two slices each is the other's rest: one test, not two.
    tested = parts[:1] if len(parts) == 2 else parts
    p = {
        (part, label): value
        for part, of in enumerate(tested)
        for label in (1, 0)
        if (value := _fisher(of, positive == label, flagged == label)) is not None
    }
    adjusted = dict(zip(p, holm(list(p.values())), strict=True)) if p else {}
    return tuple(
        replace(each, recall_p=adjusted.get((place, 1)), specificity_p=adjusted.get((place, 0)))
        for each, place in zip(found, range(len(parts)) if len(parts) != 2 else (0, 0), strict=True)
    )


def _measured(
    name: str, flagged: IntArray, positive: IntArray, clusters: IntArray | None, level: float
) -> Slice:
    rates = detection(flagged, positive, level=level, clusters=clusters, draws=1)
    return Slice(
        name,
        rates.positives + rates.negatives,
        rates.positives,
        rates.recall,
        rates.specificity,
        rates.precision,
    )


def _fisher(inside: NDArray[np.bool_], kind: NDArray[np.bool_], right: NDArray[np.bool_]) -> float | None:
    """Whether cases of a kind are right as often inside as outside."""
    from scipy.stats import fisher_exact

    table = [[int((kind & of & how).sum()) for how in (right, ~right)] for of in (inside, ~inside)]
    if not all(map(sum, table)):
        return None
    return float(min(1.0, fisher_exact(table).pvalue))


def _value(case: Case, column: str) -> Any:
    if column == "group":
        return case.group
    if column == "length" and column not in case.metadata:
        return len(case.text)
    key = column.removeprefix("metadata.").removeprefix("meta.")
    if key in case.metadata:
        return case.metadata[key]
    value: Any = case.metadata
    for step in key.split("."):
        value = value.get(step) if isinstance(value, Mapping) else None
    return value


def _names(values: list[Any], column: str, cases: Sequence[Case]) -> tuple[NDArray[np.object_], list[str]]:
    """The name of each item's slice, and the names in order: numbers, texts, none."""
    there = [value for value in values if value is not None]
    if not there:
        keys = sorted({f"meta.{key}" for case in cases for key in case.metadata})
        hint = f"there are {', '.join(keys[:40])}" if keys else "the items of this run have no metadata"
        raise BakeoffError(f"no item has a value of {column!r}", hint)
    numeric = all(isinstance(value, int | float) and not isinstance(value, bool) for value in there)
    distinct = {_text(value): value for value in there}
    if len(distinct) > MOST and not numeric:
        raise BakeoffError(
            f"{column} has {len(distinct):,} different values, and {MOST} are the most that are shown",
            "slice by a column with fewer, or by one of numbers, which are split at their quartiles",
        )
    if len(distinct) > MOST:
        cuts = [float(cut) for cut in np.unique(np.quantile(np.array(there, dtype=float), (0.25, 0.5, 0.75)))]
        ends = ("-∞", *(f"{cut:g}" for cut in cuts), "∞")
        order = [f"{low} … < {high}" for low, high in pairwise(ends)]
        names = [NONE if v is None else order[int(np.searchsorted(cuts, v, side="right"))] for v in values]
    else:
        order = sorted(distinct, key=lambda name: distinct[name] if numeric else name)
        names = [NONE if value is None else _text(value) for value in values]
    used = set(names)
    return np.array(names, dtype=object), [name for name in (*order, NONE) if name in used]


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return f"{value:g}" if isinstance(value, float) else orjson.dumps(value).decode()
