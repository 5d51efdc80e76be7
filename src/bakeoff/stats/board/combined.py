"""The interval of a weighted mean, from the intervals of its parts.

Zou & Donner (2008, Stat. Med. 27:1693), after Newcombe (1998): with weights w ≥ 0, estimates p and limits
(l, u) of independent parts, the mean Σ w p reaches down by √Σ w² (p - l)² and up by √Σ w² (u - p)². The
intervals of the parts may be skewed, and need no variance above 0: parts that are all right stay as unsure as
Wilson says. Parts that share items are not independent: the reaches of one group are added up, which is right
for parts that rise and fall together, and wide for others.
"""

from collections.abc import Hashable, Sequence
from math import fsum, isfinite, sqrt

from bakeoff.stats.interval import Interval


def combined(
    estimates: Sequence[float],
    intervals: Sequence[Interval],
    weights: Sequence[float],
    groups: Sequence[Hashable] | None = None,
) -> Interval:
    """The interval of Σ weights · estimates at the level of the `intervals`; `method` is "mover".

    Parts of one of the `groups` share items; without groups all parts are independent.

    Raises:
        ValueError: no parts, lengths or levels differ, a weight that is negative or not finite, or an
            estimate outside its interval.
    """
    parts = groups if groups is not None else range(len(estimates))
    if not estimates:
        raise ValueError("a mean needs at least one part, got none")
    if not len(estimates) == len(intervals) == len(weights) == len(parts):
        raise ValueError(
            f"each part needs an estimate, an interval, a weight and a group, got {len(estimates)}, "
            f"{len(intervals)}, {len(weights)} and {len(parts)}"
        )
    if len(levels := {interval.level for interval in intervals}) > 1:
        raise ValueError(f"the intervals must have one level, got {sorted(levels)}")
    down: dict[Hashable, float] = {}
    up: dict[Hashable, float] = {}
    for p, interval, weight, part in zip(estimates, intervals, weights, parts, strict=True):
        if not (isfinite(weight) and weight >= 0):
            raise ValueError(f"a weight must be at least 0, got {weight}")
        if not interval.low - 1e-12 <= p <= interval.high + 1e-12:
            raise ValueError(f"the estimate {p} lies outside its interval [{interval.low}, {interval.high}]")
        down[part] = down.get(part, 0.0) + weight * (p - interval.low)
        up[part] = up.get(part, 0.0) + weight * (interval.high - p)
    mean = fsum(weight * p for weight, p in zip(weights, estimates, strict=True))
    low, high = (sqrt(fsum(reach * reach for reach in each.values())) for each in (down, up))
    return Interval(mean - low, mean + high, intervals[0].level, "mover")
