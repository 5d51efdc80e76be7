"""A retrieval measure over queries, and the difference of two retrievers on the same queries."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import fsum

from bakeoff.stats.interval import Interval
from bakeoff.stats.mean.bounded import bounded_mean
from bakeoff.stats.mean.clustered import clustered
from bakeoff.stats.pair.graded import graded_difference


@dataclass(frozen=True, slots=True)
class OverQueries:
    """The mean over the `n` queries that have a relevant document; `undefined` counts those that have none.

    `interval` is None where it cannot be estimated: one group alone, or one query for a difference.
    """

    value: float
    interval: Interval | None
    n: int
    undefined: int


def mean_over_queries(
    values: Sequence[float | None], groups: Sequence[Hashable] | None = None, level: float = 0.95
) -> OverQueries | None:
    """The mean of a measure, for queries taken as a sample of such queries; None if none is defined.

    Queries count as independent unless `groups[i]` says which one query i belongs to (paraphrases of one
    question, questions on one document).

    Raises:
        ValueError: lengths differ, a value outside [0, 1], or level outside (0, 1).
    """
    kept = _defined(values, groups)
    known = [value for value in values if value is not None]
    if not known:
        return None
    interval = bounded_mean(known, level) if kept is None else clustered(known, kept, level)
    return OverQueries(fsum(known) / len(known), interval, len(known), len(values) - len(known))


def difference_over_queries(
    first: Sequence[float | None],
    second: Sequence[float | None],
    groups: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> OverQueries | None:
    """The mean of first minus second over the same queries, paired; None if no query is defined.

    Pairing matters: queries differ from each other far more than retrievers do.

    Raises:
        ValueError: lengths differ, a query that is defined for one alone, a difference outside [-1, 1], or
            level outside (0, 1).
    """
    if len(first) != len(second):
        raise ValueError(f"both need the same queries, got {len(first)} and {len(second)} values")
    differences: list[float | None] = []
    for place, (one, other) in enumerate(zip(first, second, strict=True)):
        if (one is None) is not (other is None):
            raise ValueError(f"query {place} is defined for one alone: the judgements differ")
        differences.append(None if one is None or other is None else one - other)
    kept = _defined(differences, groups)
    known = [value for value in differences if value is not None]
    if not known:
        return None
    interval = graded_difference(known, kept, level)
    return OverQueries(fsum(known) / len(known), interval, len(known), len(differences) - len(known))


def _defined(values: Sequence[float | None], groups: Sequence[Hashable] | None) -> Sequence[Hashable] | None:
    """The groups of the queries that have a value."""
    if groups is None:
        return None
    if len(groups) != len(values):
        raise ValueError(f"each query needs its group, got {len(values)} queries and {len(groups)} groups")
    return [group for group, value in zip(groups, values, strict=True) if value is not None]
