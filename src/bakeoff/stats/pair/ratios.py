"""Interval for the difference of two ratios of sums over the same items, such as two systems' precision.

Each R = Σ y / Σ x, with the right values of an item for y and its given ones for x; the two systems give
different numbers of values, so their precisions have different denominators and are no means over items.

- Linearised (delta method; Cochran 1977, Sampling Techniques, sections 2.11 and 6.19): R2 - R1 moves as the
  sum of e = (y2 - R2 x2) / X2 - (y1 - R1 x1) / X1 over items, with X = Σ x. Items of one group are added up
  first. Both terms of an item stand in one e, which is what makes the difference a paired one.
- The variance is Σ_g e_g² / (1 - h_g), h_g the mean of the group's two shares x_g / X; Student's t has
  1 / Σ h_g² - 1 degrees of freedom, at least 1. Where both denominators agree item by item (two systems'
  recall) this is `ratio` of the differences of the y.
"""

from collections.abc import Hashable, Sequence
from math import fsum, sqrt

from bakeoff.stats.interval import Interval, check_level, t_quantile

Ratio = tuple[Sequence[float], Sequence[float]]
"""Numerators and denominators, one of each per item."""


def ratio_difference(
    first: Ratio, second: Ratio, clusters: Sequence[Hashable], level: float = 0.95
) -> Interval | None:
    """Interval, within [-1, 1], for the second ratio minus the first, of shares of counts.

    `clusters[i]` is the group of item i; give each its own where they are independent. None with one group
    alone, and where no group's e differs from 0: such data have no spread to go by.

    Raises:
        ValueError: lengths differ, an item's numerator is not between 0 and its denominator, a sum of
            denominators is 0, or level outside (0, 1).
    """
    check_level(level)
    for numerators, denominators in (first, second):
        if not len(numerators) == len(denominators) == len(clusters):
            raise ValueError(
                f"each item needs two numbers and its group, got {len(numerators)} numerators, "
                f"{len(denominators)} denominators and {len(clusters)} groups"
            )
        for y, x in zip(numerators, denominators, strict=True):
            if not 0 <= y <= x:
                raise ValueError(f"a numerator lies between 0 and its denominator, got {y} of {x}")
        if not fsum(denominators):
            raise ValueError("a ratio needs a denominator above 0")
    totals = [fsum(denominators) for _, denominators in (first, second)]
    ratios = [
        fsum(numerators) / total for (numerators, _), total in zip((first, second), totals, strict=True)
    ]
    errors: dict[Hashable, list[float]] = {}
    shares: dict[Hashable, list[float]] = {}
    for group, y1, x1, y2, x2 in zip(clusters, *first, *second, strict=True):
        moved = (y2 - ratios[1] * x2) / totals[1] - (y1 - ratios[0] * x1) / totals[0]
        errors.setdefault(group, []).append(moved)
        shares.setdefault(group, []).append((x1 / totals[0] + x2 / totals[1]) / 2)
    e, h = [fsum(each) for each in errors.values()], [fsum(each) for each in shares.values()]
    if max(h) >= 1 or max(map(abs, e)) < 1e-12:
        return None
    error = sqrt(fsum(each * each / (1 - share) for each, share in zip(e, h, strict=True)))
    half = t_quantile(level, max(1.0, 1 / fsum(share * share for share in h) - 1)) * error
    difference = ratios[1] - ratios[0]
    return Interval(max(-1.0, difference - half), min(1.0, difference + half), level, "ratio-difference-t")
