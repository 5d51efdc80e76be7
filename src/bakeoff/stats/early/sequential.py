"""Two models item by item: stop as soon as it is known which is better, or that they are equal enough."""

from dataclasses import dataclass
from math import log
from typing import Literal

from bakeoff.stats.early.betting import Bets
from bakeoff.stats.interval import check_level

Decided = Literal["better", "worse", "equivalent"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """E-values so far, as logs: that the difference is 0 (`either`), and that it is at most -margin or at
    least margin (`inside`: the weaker of the two; None without a margin).
    """

    either: float
    inside: float | None


class Sequential:
    """A sequential paired test of the mean difference, second minus first, that may be looked at after each
    unit.

    `better` or `worse` is said with probability at most 1 - level if the models are equal, however long it
    goes on; `equivalent` with probability at most 1 - level if the difference is as large as `margin`. Each
    is a test by betting (`Bets`); for 0/1 scores without groups the first is the beta-binomial McNemar
    process (`mcnemar_e`), the second two one-sided tests. The units must come in an order that has nothing
    to do with their scores, such as a seeded shuffle.

    `largest` is the number of items of the largest unit (group of items), fixed beforehand.

    Raises:
        ValueError: level outside (0, 1), margin outside (0, 1), or largest below 1.
    """

    def __init__(self, *, level: float = 0.95, margin: float | None = None, largest: int = 1) -> None:
        check_level(level)
        if margin is not None and not 0 < margin < 1:
            raise ValueError(f"a margin lies between 0 and 1 (0.02 for 2 points), got {margin}")
        self._enough = log(1 / (1 - level))
        self._equal = Bets(0.0, largest)
        self._bounds = None if margin is None else (Bets(-margin, largest), Bets(margin, largest))
        self.decided: Decided | None = None
        """The first decision; later units do not change it."""
        self.units = self.items = 0
        """What the decision rests on, or all there was so far."""
        self.total = 0.0
        """Sum of the differences of those items."""

    def add(self, total: float, size: int = 1) -> Decided | None:
        """Take in a unit of `size` items whose differences add up to `total`; the decision, once there is
        one.

        Raises:
            ValueError: size outside [1, largest], or total outside [-size, size].
        """
        if self.decided is not None:
            return self.decided
        self._equal.add(total, size)
        for bets in self._bounds or ():
            bets.add(total, size)
        self.units, self.items, self.total = self.units + 1, self.items + size, self.total + total
        self.decided = self._decision()
        return self.decided

    @property
    def evidence(self) -> Evidence:
        """The e-values when it was decided, or so far."""
        if self._bounds is None:
            return Evidence(self._equal.log_either, None)
        low, high = self._bounds
        # Half of each side's capital, as in the two-sided game: so the interval lies inside the margin, too.
        return Evidence(self._equal.log_either, min(low.log_above, high.log_below) - log(2))

    def _decision(self) -> Decided | None:
        found = self.evidence
        if found.either >= self._enough:
            return "better" if self._equal.log_above > self._equal.log_below else "worse"
        if found.inside is not None and found.inside >= self._enough:
            return "equivalent"
        return None
