"""Is one better, are they as good as the same, or can nobody tell?

A difference is first minus second, and higher is better. A margin is the largest difference that does not
matter, chosen before the data are seen. With α = 1 - level, the tests of non-inferiority and of equivalence
are one-sided at α, and so read the two-sided interval at level 1 - 2α (Schuirmann 1987, J. Pharmacokinet.
Biopharm. 15:657): 0.9 for 0.95. `narrow_level` is that level, for any kind of interval.
"""

from dataclasses import dataclass
from typing import Literal

from bakeoff.stats.interval import Interval, check_level
from bakeoff.stats.pair.paired import tango, tango_score

Decision = Literal["better", "worse", "equivalent", "cannot tell"]


@dataclass(frozen=True, slots=True)
class NonInferiority:
    """`bound` is the one-sided lower bound of the difference and `p` the test's; `shown` is that the bound is
    above -margin and p at most 1 - level. The bound never lies above -margin where it is not shown.
    """

    bound: float
    margin: float
    p: float
    shown: bool


def decide(
    interval: Interval | None, *, margin: float | None = None, narrow: Interval | None = None
) -> Decision:
    """What an interval of a difference says of the first against the second.

    1. "better": all of `interval` is above 0. "worse": all of it is below.
    2. Otherwise "equivalent": all of `narrow` is inside (-margin, margin). Without a margin, never.
    3. Otherwise "cannot tell"; so also for an interval of None, not estimable.

    A difference that is shown is said even if it is within the margin; the interval beside it says how small
    it is. With `interval` at level and `narrow` at `narrow_level(level)`, "better" or "worse" of two equal
    ones has probability α at most together, and so has "equivalent" of two that differ by the margin or more.
    `interval` takes the place of a `narrow` that is not given, which claims equivalence more rarely.

    Raises:
        ValueError: margin not above 0, or a `narrow` at another level than the interval's narrow level.
    """
    if margin is not None:
        _check_margin(margin)
    if interval is None:
        return "cannot tell"
    if narrow is not None and abs(narrow.level - narrow_level(interval.level)) > 1e-9:
        raise ValueError(
            f"beside an interval at {interval.level} the narrow one is at {narrow_level(interval.level):g}, "
            f"got {narrow.level}"
        )
    if interval.low > 0:
        return "better"
    if interval.high < 0:
        return "worse"
    if margin is not None and equivalent(interval if narrow is None else narrow, margin):
        return "equivalent"
    return "cannot tell"


def equivalent(narrow: Interval, margin: float) -> bool:
    """Two one-sided tests at once: all of the interval at the narrow level is inside (-margin, margin).

    Raises:
        ValueError: margin not above 0.
    """
    return non_inferior(narrow, margin) and narrow.high < margin


def non_inferior(narrow: Interval, margin: float) -> bool:
    """The first is worse by less than the margin: the interval at the narrow level is above -margin.

    Raises:
        ValueError: margin not above 0.
    """
    _check_margin(margin)
    return narrow.low > -margin


def non_inferiority(b: float, c: float, n: int, margin: float, level: float = 0.95) -> NonInferiority:
    """Is the first worse by less than the margin? Paired right or wrong on independent items.

    Of `n` items, `b` are right with the first alone and `c` with the second alone. `bound` is Tango's (1998,
    Stat. Med. 17:891), `p` exact over every rate of disagreement (`unconditional`). `shown` needs both: of
    models worse by just the margin at most 1 - level are shown not to be, however few the items. Where
    Tango's bound alone would show it, `bound` is the exact test's: the least loss that it rejects. For graded
    scores as in `tango`, `p` is that of the bound.

    Raises:
        ValueError: n < 1, b or c negative, b + c > n, margin outside (0, 1), or level outside (0, 1).
    """
    _check_margin(margin)
    if not margin < 1:
        raise ValueError(f"a margin for scores in [0, 1] is below 1 (0.02, say), got {margin}")
    bound = tango(b, c, n, narrow_level(level)).low
    if b == int(b) and c == int(c):
        from bakeoff.stats.pair.unconditional import non_inferiority_bound, non_inferiority_p

        p = non_inferiority_p(int(b), int(c), n, margin)
        if bound > -margin and p > 1 - level:
            bound = non_inferiority_bound(int(b), int(c), n, margin, level)
    else:
        from scipy.special import ndtr

        p = float(ndtr(-tango_score(b, c, n, -margin)))
    return NonInferiority(bound, margin, p, shown=bound > -margin and p <= 1 - level)


def narrow_level(level: float) -> float:
    """The level, 1 - 2α, of the two-sided interval whose each end is a one-sided bound at `level` = 1 - α.

    Raises:
        ValueError: level outside (0.5, 1): below, no interval has such ends.
    """
    check_level(level)
    if level <= 0.5:
        raise ValueError(f"a one-sided level lies above 0.5 (0.95, say), got {level}")
    return 2 * level - 1


def _check_margin(margin: float) -> None:
    if not margin > 0:
        raise ValueError(f"a margin must be above 0 (0.02 for two points of accuracy, say), got {margin}")
