"""Position bias: does the judge prefer the answer it reads first, or last?"""

from collections.abc import Sequence
from dataclasses import dataclass

from bakeoff.stats.interval import Interval
from bakeoff.stats.mean.proportion import wilson
from bakeoff.stats.pair.paired import mcnemar_midp, tango

Winner = int | None
"""The answer that won, 0 or 1, whichever place it was read in; None for a tie or an unreadable verdict."""


@dataclass(frozen=True, slots=True)
class PositionBias:
    """How verdicts change when the order of the answers does.

    Of `items` with a winner in both orders, `first` went twice to the answer read first and `second` twice to
    the one read second; the others went to the same answer. `flips` is the share of both together. `lean` is
    (first - second) / items: above 0 the judge leans to what it reads first; a judge that wavers without
    leaning flips, and has a lean of 0. `p` is two-sided, of no lean. `left_out` counts items without a winner
    in one order or both.
    """

    items: int
    first: int
    second: int
    flips: float
    flips_interval: Interval
    lean: float
    lean_interval: Interval
    p: float
    left_out: int


def position_bias(
    as_given: Sequence[Winner], swapped: Sequence[Winner], *, level: float = 0.95
) -> PositionBias | None:
    """Position bias from verdicts on the same pairs with answer 0 read first, and with answer 1 read first.

    Flips have Wilson's interval; the lean has Tango's, and McNemar's mid-p of `first` against `second`. None
    if no item has a winner in both orders.

    Raises:
        ValueError: lengths differ, a winner other than 0, 1 or None, or level outside (0, 1).
    """
    if len(as_given) != len(swapped):
        raise ValueError(
            f"each pair needs its verdict in both orders, got {len(as_given)} and {len(swapped)}"
        )
    check_winners(as_given)
    check_winners(swapped)
    both = [
        (one, other)
        for one, other in zip(as_given, swapped, strict=True)
        if one is not None and other is not None
    ]
    n = len(both)
    if not n:
        return None
    first, second = both.count((0, 1)), both.count((1, 0))
    return PositionBias(
        items=n,
        first=first,
        second=second,
        flips=(first + second) / n,
        flips_interval=wilson(first + second, n, level),
        lean=(first - second) / n,
        lean_interval=tango(first, second, n, level),
        p=mcnemar_midp(first, second),
        left_out=len(as_given) - n,
    )


def check_winners(winners: Sequence[Winner]) -> None:
    """Refuse what is no winner.

    Raises:
        ValueError: a winner other than 0, 1 or None.
    """
    if wrong := [each for each in winners if each not in (0, 1, None)]:
        raise ValueError(f"a winner is 0, 1 or None, got {wrong[0]!r}")
