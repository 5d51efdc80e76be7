"""Every two candidates, item by item: is the difference more than noise?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import ceil

import numpy as np
from numpy.typing import NDArray

from bakeoff.comparison.comparison import Pair, Verdict
from bakeoff.comparison.flips import flips
from bakeoff.stats import Interval, clustered_difference, mcnemar_midp, tango
from bakeoff.stats.arrays import IntArray
from bakeoff.stats.groups import codes
from bakeoff.stats.many.covariance import pair_differences
from bakeoff.stats.many.multiplicity import holm
from bakeoff.stats.pair.equivalence import equivalent, narrow_level
from bakeoff.stats.pair.graded import graded_difference
from bakeoff.stats.pair.power import items_needed, smallest_gap

FloatArray = NDArray[np.float64]
POWER = 0.8

Two = tuple[int, int]
"""Two candidates by number."""

_DRAWS = 9_999


@dataclass(frozen=True, eq=False)
class Pairs:
    """Candidates by shared items, ready to be told apart.

    `means` has shape (candidates, items), scores in [0, 1]. `clusters` is the group of each item, None for
    independent ones. `covariance` is that of the candidates' scores; None where it cannot be estimated.
    """

    labels: tuple[str, ...]
    means: FloatArray
    clusters: tuple[str, ...] | None
    covariance: FloatArray | None
    level: float
    seed: int

    @cached_property
    def codes(self) -> IntArray | None:
        """The group of each item as a number."""
        return None if self.clusters is None else codes(self.clusters, self.means.shape[1], "clusters")

    def differences(self, first: int, second: int) -> FloatArray:
        """Second minus first on each item; what is left of rounding after averages is 0."""
        difference: FloatArray = self.means[second] - self.means[first]
        difference[np.abs(difference) < 1e-12] = 0.0
        return difference

    def interval(self, first: int, second: int, level: float) -> Interval | None:
        """Tango's score interval, in groups the clustered one, and for graded scores the one on what they are
        worth; None where all items are in one group.
        """
        difference = self.differences(first, second)
        graded = not np.isin(difference, (-1.0, 0.0, 1.0)).all()
        if graded and len(difference) > 1:  # one item alone has no spread to go by
            return graded_difference(difference, self.codes, level)
        if self.codes is not None:
            return clustered_difference(difference, self.codes, level)
        gained = float(difference[difference > 0].sum())
        given_up = float(-difference[difference < 0].sum())
        return tango(gained, given_up, len(difference), level)


@dataclass(frozen=True, slots=True)
class Test:
    """The two-sided p of one pair alone, None where nothing can be said, and what tested it."""

    p: float | None
    name: str


def pair_tests(pairs: Pairs) -> dict[Two, Test]:
    """A test of each two candidates (first < second), by McNemar's mid-p for independent items that are right
    or wrong, else by flipping signs.

    No result depends on the other candidates, but for the number of random flips: beyond some 250 pairs it
    grows with them, so that the smallest p can survive the adjustment for all.
    """
    every = list(combinations(range(len(pairs.labels)), 2))
    if pairs.clusters is not None and len(set(pairs.clusters)) < 2:
        return dict.fromkeys(every, Test(None, "sign-flip of groups"))
    whole = ((pairs.means == 0) | (pairs.means == 1)).all(axis=1)
    found: dict[Two, Test] = {}
    flipped = []
    for first, second in every:
        if pairs.clusters is None and whole[first] and whole[second]:
            difference = pairs.differences(first, second)
            won, lost = int((difference > 0).sum()), int((difference < 0).sum())
            found[first, second] = Test(mcnemar_midp(won, lost), "mcnemar-midp")
        else:
            flipped.append((first, second))
    if flipped:
        name = "sign-flip" if pairs.clusters is None else "sign-flip of groups"
        draws = max(_DRAWS, ceil(2 * len(every) / (1 - pairs.level)))
        p = flips(pairs.means, pairs.codes, flipped, draws=draws, seed=pairs.seed)
        found |= {each: Test(value, name) for each, value in zip(flipped, p, strict=True)}
    return {each: found[each] for each in every}


def adjusted(tested: Mapping[Two, Test], family: Sequence[Two]) -> dict[Two, float]:
    """p adjusted by Holm for every pair of `family`; empty where there is none to adjust."""
    p = [tested[each].p for each in family]
    known = [value for value in p if value is not None]
    return dict(zip(family, holm(known), strict=True)) if known and len(known) == len(p) else {}


def told_apart(pairs: Pairs, tested: Mapping[Two, Test]) -> NDArray[np.bool_] | None:
    """Which candidates are told apart (candidates, candidates), after adjustment for all pairs; None where no
    pair can be tested.
    """
    if any(test.p is None for test in tested.values()):
        return None
    apart = np.zeros((len(pairs.labels),) * 2, dtype=bool)
    for (first, second), p in adjusted(tested, list(tested)).items():
        if p <= 1 - pairs.level and _side(pairs.interval(first, second, pairs.level)):
            apart[first, second] = apart[second, first] = True
    return apart


def pair(
    pairs: Pairs,
    first: int,
    second: int,
    test: Test,
    adjusted_p: float | None,
    *,
    family: int,
    margin: float | None,
) -> Pair:
    """What is to be said of `second` against `first`."""
    difference = pairs.differences(first, second)
    n = len(difference)
    interval = pairs.interval(first, second, pairs.level)
    verdict, note = _verdict(pairs, first, second, interval, adjusted_p, margin)
    needed, resolves = _power(pairs, first, second, difference, verdict, family)
    return Pair(
        first=pairs.labels[first],
        second=pairs.labels[second],
        difference=float(difference.mean()),
        interval=interval,
        p=test.p,
        test=test.name,
        adjusted_p=adjusted_p,
        verdict=verdict,
        won=int((difference > 0).sum()),
        lost=int((difference < 0).sum()),
        tied=int((difference == 0).sum()),
        n=n,
        needed=needed,
        resolves=resolves,
        note=note,
    )


def _side(interval: Interval | None) -> Verdict | None:
    """The side of 0 that all of the interval is on."""
    if interval is None or interval.low <= 0 <= interval.high:
        return None
    return "better" if interval.low > 0 else "worse"


def _verdict(
    pairs: Pairs,
    first: int,
    second: int,
    interval: Interval | None,
    adjusted_p: float | None,
    margin: float | None,
) -> tuple[Verdict, str]:
    if interval is None or adjusted_p is None:
        return "cannot tell", "not estimable: all items are in one group"
    within = margin is not None and _within(pairs.interval(first, second, narrow_level(pairs.level)), margin)
    side = _side(interval)
    if side and adjusted_p <= 1 - pairs.level:
        return side, f"by less than {100 * (margin or 0):g} points" if within else ""
    if within:
        return "equivalent", ""
    if side:
        return (
            "cannot tell",
            "the interval is of this pair alone; among all pairs the difference can be chance",
        )
    if adjusted_p <= 1 - pairs.level:
        return "cannot tell", "the test tells them apart, but the interval does not"
    return "cannot tell", ""


def _within(narrow: Interval | None, margin: float) -> bool:
    return narrow is not None and equivalent(narrow, margin)


def _power(
    pairs: Pairs, first: int, second: int, difference: FloatArray, verdict: Verdict, family: int
) -> tuple[int | None, float | None]:
    """How many more items would settle it, and the smallest difference that these items show."""
    n, gap = len(difference), float(difference.mean())
    # Of the population form, so that no sample has more than its gap allows.
    variance = min(float(difference.var()), 1 - gap * gap)
    settled = 0 if verdict != "cannot tell" else None
    if pairs.covariance is None or variance <= 0:
        return settled, None
    _, errors = pair_differences(pairs.means.mean(axis=1), pairs.covariance)
    effect = max(1.0, float(errors[first, second]) ** 2 * n / variance)
    resolves = smallest_gap(
        n, variance, level=pairs.level, power=POWER, design_effect=effect, comparisons=family
    )
    if settled is not None or abs(gap) < 1e-12:
        return settled, resolves
    total = items_needed(
        gap, variance, level=pairs.level, power=POWER, design_effect=effect, comparisons=family
    )
    return max(1, total - n), resolves
