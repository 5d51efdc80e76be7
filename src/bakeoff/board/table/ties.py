"""Which rows the scores cannot tell apart, by the same test as their ranges of ranks.

Two rows are told apart where their scores differ by more than the margin of Tukey's range test for
independent estimates, at the snapshot's level for all pairs at once (`stats.many.independent_ranks`).
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from bakeoff.board.ranking.snapshot import Row, Snapshot
from bakeoff.board.reported.importing import LOWER
from bakeoff.stats.arrays import FloatArray, IntArray
from bakeoff.stats.many.independent_ranks import range_critical

BoolArray = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """What can be told apart. `quality` (rows,) is the score, higher is better, and `error` (rows,) its
    standard error; NaN of rows that have no range of ranks.
    """

    quality: FloatArray
    error: FloatArray
    critical: float

    @property
    def known(self) -> BoolArray:
        """The rows that have a range of ranks."""
        known: BoolArray = ~np.isnan(self.error)
        return known

    def apart(self, row: int) -> BoolArray:
        """The rows told apart from this one. Comparisons with what is not known tell nothing."""
        ahead = np.abs(self.quality - self.quality[row])
        apart: BoolArray = ahead > self.critical * np.sqrt(self.error**2 + self.error[row] ** 2)
        return apart

    def tied(self, row: int) -> BoolArray:
        """The rows not told apart from this one, and itself; none where it has no range."""
        tied: BoolArray = self.known & ~self.apart(row) & self.known[row]
        return tied


def told(snapshot: Snapshot) -> Told:
    """What the scores of a snapshot can tell apart."""
    sign = -1.0 if LOWER in snapshot.notes else 1.0
    ranged = [row for row in snapshot.rows if row.low is not None]
    quality = np.array([_score(row) for row in snapshot.rows], dtype=np.float64) * sign
    critical = range_critical(len(ranged), snapshot.level) / sqrt(2) if len(ranged) > 1 else 0.0
    return Told(quality, _errors(snapshot), critical)


def tiers(found: Told) -> IntArray:
    """The tier of each row, 0 of those that have no range of ranks.

    Tier 1 are the rows that no other is shown better than: any of them may be the best. The next tier are
    those of the rest, and so on. So no two rows of one tier are told apart, and each row below has one in the
    tier above it that is shown better; it need not be told apart from all of that tier.
    """
    result = np.zeros(len(found.quality), dtype=np.int64)
    known = np.flatnonzero(found.known)
    order = known[np.argsort(-found.quality[known], kind="stable")]
    quality, squares = found.quality[order], found.error[order] ** 2
    depth = np.zeros(len(order), dtype=np.int64)
    # "Shown better" is transitive, so a row's tier is the longest chain of rows above it.
    for place in range(len(order)):
        margin = found.critical * np.sqrt(squares[:place] + squares[place])
        better = quality[:place] - quality[place] > margin
        depth[place] = 1 + depth[:place].max(initial=0, where=better)
    result[order] = depth
    return result


def _score(row: Row) -> float:
    value = row.entrant.scores.score.value
    return float("nan") if value is None or row.place is None else value


def _errors(snapshot: Snapshot) -> FloatArray:
    """The standard errors that the intervals stand for, as the ranges of ranks take them."""
    from scipy.special import ndtri

    widths = np.full(len(snapshot.rows), np.nan)
    for place, row in enumerate(snapshot.rows):
        score = row.entrant.scores.score
        if row.low is not None and score.low is not None and score.high is not None:
            widths[place] = score.high - score.low
    return widths / (2 * float(ndtri(0.5 + snapshot.level / 2)))
