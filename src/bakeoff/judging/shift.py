"""How far a judge's grades lie above people's, and whether they do so more for one kind of answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

from bakeoff.stats.interval import Interval
from bakeoff.stats.pair.graded import graded_difference


@dataclass(frozen=True, slots=True)
class Leniency:
    """The mean of judge minus people over `items` answers, on a scale where 0 is the worst level and 1 the
    best; None where a single answer leaves no interval.
    """

    value: float
    interval: Interval | None
    items: int


@dataclass(frozen=True, slots=True)
class GradeShift:
    """How much more lenient a judge is with answers that have a trait than with those that have not.

    `bias` is `with_trait` - `without`, in [-2, 2]: the mean of judge minus people on answers of either kind,
    0 for a judge that is strict or lenient with all alike.
    """

    with_trait: float
    without: float
    bias: float
    interval: Interval
    items_with: int
    items_without: int


def leniency(excess: Sequence[float], level: float = 0.95) -> Leniency | None:
    """The mean of judge minus people, each in [-1, 1]; None for no answers.

    Raises:
        ValueError: a difference outside [-1, 1], or level outside (0, 1).
    """
    if not excess:
        return None
    return Leniency(sum(excess) / len(excess), graded_difference(excess, level=level), len(excess))


def grade_shift(
    excess: Sequence[float], having: Sequence[bool | None], *, level: float = 0.95
) -> GradeShift | None:
    """The difference in `excess`, judge minus people in [-1, 1], between answers with a trait and without.

    `having` is None for an answer of which it is not told. The interval joins those of the two means as
    Newcombe's method 10 joins two of Wilson's (MOVER: Zou & Donner 2008, Stat. Med. 27:1693), so it is never
    of zero width. None unless there are two answers of either kind.

    Raises:
        ValueError: lengths differ, a difference outside [-1, 1], or level outside (0, 1).
    """
    kinds = [
        [value for value, has in zip(excess, having, strict=True) if has is wanted]
        for wanted in (True, False)
    ]
    have, lack = (leniency(kind, level) for kind in kinds)
    if have is None or lack is None or have.interval is None or lack.interval is None:
        return None
    p, q, of_p, of_q = have.value, lack.value, have.interval, lack.interval
    interval = Interval(
        p - q - hypot(p - of_p.low, of_q.high - q),
        p - q + hypot(of_p.high - p, q - of_q.low),
        level,
        "mover of graded-tango",
    )
    return GradeShift(p, q, p - q, interval, have.items, lack.items)
