"""The difference of a run to its baseline: its interval, the test that the run is worse, and its power."""

from collections.abc import Hashable, Sequence
from math import fsum

from bakeoff.gate.pairing import Paired
from bakeoff.stats import Interval, mcnemar_midp, tango
from bakeoff.stats.mean.clustered import cluster_se, effective_groups
from bakeoff.stats.pair.equivalence import narrow_level, non_inferior, non_inferiority
from bakeoff.stats.pair.graded import graded_difference
from bakeoff.stats.pair.onesided import one_sided, p_below
from bakeoff.stats.pair.permutation import sign_flip
from bakeoff.stats.pair.power import items_needed, smallest_gap

POWER = 0.8


def interval_at(paired: Paired, level: float) -> Interval | None:
    """Tango's interval of the mean difference; of graded scores and groups, on what their items are worth.

    None where nothing can be estimated: all items are in one group.
    """
    differences = paired.differences
    if _right_or_wrong(paired):
        return tango(differences.count(1.0), differences.count(-1.0), len(differences), level)
    return graded_difference(differences, paired.clusters, level)


def bounds(paired: Paired, alpha: float) -> Interval | None:
    """The interval whose each end is a one-sided bound at 1 - alpha."""
    return interval_at(paired, narrow_level(1 - alpha))


def p_beyond(paired: Paired, limit: float) -> float:
    """The one-sided p against "the run is worse by no more than -`limit`", from the interval."""

    def at(level: float) -> Interval:
        found = interval_at(paired, level)
        assert found is not None
        return found

    return p_below(at, limit)


def p_worse(paired: Paired) -> float:
    """The one-sided p against "the run is as good as the baseline".

    McNemar's mid-p for ungrouped scores of 0 and 1, else the sign-flip test, of group sums where items have
    groups; or that of the interval where it is larger, so that a run is never called worse beside an
    interval that holds 0.
    """
    differences = paired.differences
    mean = fsum(differences)
    if _right_or_wrong(paired):
        two_sided = mcnemar_midp(differences.count(1.0), differences.count(-1.0))
    else:
        two_sided = sign_flip(differences, paired.clusters)
    return max(one_sided(two_sided, -mean), p_beyond(paired, 0.0))


def not_inferior(paired: Paired, margin: float, alpha: float) -> tuple[bool, float] | None:
    """Whether the run is shown to be worse by less than the margin, if at all, and the bound that says so.

    The lower bound is above -margin; on independent right or wrong the exact test has to agree. None where
    nothing can be estimated.
    """
    differences = paired.differences
    if _right_or_wrong(paired):
        won, lost = differences.count(1.0), differences.count(-1.0)
        found = non_inferiority(won, lost, len(differences), margin, 1 - alpha)
        return found.shown, found.bound
    interval = bounds(paired, alpha)
    return None if interval is None else (non_inferior(interval, margin), interval.low)


def resolves(paired: Paired, alpha: float, tests: int) -> float | None:
    """The true drop that is caught with probability 80 % on these items, where `tests` could fail the gate.

    The difference varies as it does here, with one item more won and one more lost (Laplace), so that items
    without any disagreement do not promise to see everything. Above 1: no drop at all. None with one group
    alone.
    """
    spread = _spread(paired.differences, paired.clusters, -1.0)
    if spread is None:
        return None
    variance, effect = spread
    level = narrow_level(1 - alpha)
    return smallest_gap(
        len(paired.items), variance, level=level, power=POWER, design_effect=effect, comparisons=tests
    )


def more_items(
    gap: float,
    values: Sequence[float],
    clusters: Sequence[Hashable] | None,
    alpha: float,
    *,
    lowest: float = -1.0,
) -> int:
    """How many items more would show, with probability 80 %, that a mean lies beyond a limit.

    `gap` is how far the mean of `values` is from the limit, and is taken for the truth; values lie between
    `lowest` and 1. 0 where that says nothing: no gap, or one group alone.
    """
    spread = _spread(values, clusters, lowest)
    if spread is None or not 0 < abs(gap) < 1:
        return 0
    variance, effect = spread
    level = narrow_level(1 - alpha)
    possible = min(variance, 1 - gap * gap)
    return max(0, items_needed(gap, possible, level=level, power=POWER, design_effect=effect) - len(values))


def _right_or_wrong(paired: Paired) -> bool:
    """Whether all items are independent and either right or wrong."""
    return paired.clusters is None and {*paired.run, *paired.baseline} <= {0.0, 1.0}


def _spread(
    values: Sequence[float], clusters: Sequence[Hashable] | None, lowest: float
) -> tuple[float, float] | None:
    """The variance of an item's value, and what groups multiply that of the mean by.

    The variance is that with one item more at each end (Laplace), so that it is never 0.
    """
    n, total = len(values), fsum(values)
    squares = fsum(value * value for value in values)
    variance = (squares + 1 + lowest * lowest) / (n + 2) - ((total + 1 + lowest) / (n + 2)) ** 2
    if clusters is None:
        return variance, 1.0
    error = cluster_se(values, clusters, "cr2")
    if error is None:
        return None
    independent = (squares - total * total / n) / (n - 1) / n
    if independent < 1e-24:
        return variance, n / effective_groups(clusters)
    return variance, max(1.0, error * error / independent)
