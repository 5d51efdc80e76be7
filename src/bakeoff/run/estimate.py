"""A number and what it can bear."""

from dataclasses import dataclass

from bakeoff.stats import Interval


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value over `n` items with its interval.

    `value` and `interval` are None where there is nothing to say, and `note` then says why. `clusters` counts
    the groups of the items, where they have any.
    """

    value: float | None
    interval: Interval | None
    n: int
    clusters: int | None = None
    note: str = ""
