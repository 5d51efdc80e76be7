"""Whether a judge prefers the longer answer, and whether it does so where the longer one is no better."""

from dataclasses import dataclass

import numpy as np

from bakeoff.arena.judges.both_orders import BothOrders
from bakeoff.arena.judges.figure import Figure, by_item, difference, figure, share
from bakeoff.stats.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class LengthBias:
    """Preference for the longer of two answers.

    `longer` is the share of votes that the longer answer won, ties as half, 1/2 for a judge to whom length is
    nothing and does not go with quality. Where the better answer is known: `gold_longer` is the share of
    pairs in which it is the longer one, `excess` the share that the longer one won there minus that share,
    and `bias` how often the judge is right where the better answer is the longer one minus how often where it
    is the shorter. A judge that merely errs has an excess, for it gives too much to whatever is rarer, but no
    bias: read `bias` to know whether length itself moves it. `left_out` counts the votes on answers of equal
    or unknown length, `without_gold` the others whose better answer is not known.
    """

    longer: Figure
    gold_longer: Figure
    excess: Figure
    bias: Figure
    left_out: int
    without_gold: int


def length_bias(both: BothOrders, level: float = 0.95) -> LengthBias:
    """Length bias of the votes, by any number of judges."""
    one, other = both.length[:, 0], both.length[:, 1]
    told = (one != other) & ~np.isnan(one) & ~np.isnan(other)
    items = both.items[told]
    longest_is_a = (one > other)[told]
    to_longer = _of(longest_is_a, both.points[told])
    gold_longer = _of(longest_is_a, both.gold[told])
    known = np.isin(gold_longer, (0, 1))
    judged, gold, where = to_longer[known], gold_longer[known], items[known]
    right = np.where(gold == 1, judged, 1 - judged)
    sums = by_item([right * gold, gold, right * (1 - gold), 1 - gold], where, len(both.item.names))
    return LengthBias(
        longer=share(to_longer, items, level),
        gold_longer=share(gold, where, level),
        excess=difference(judged - gold, where, level),
        bias=figure(sums, _right_when_longer_minus_shorter, sums[:, 1] + sums[:, 3], level),
        left_out=int((~told).sum()),
        without_gold=int((~known).sum()),
    )


def _of(longest_is_a: FloatArray, points: FloatArray) -> FloatArray:
    """What the longer answer scored, where `points` are what `a` did."""
    return np.where(longest_is_a, points, 1 - points)


def _right_when_longer_minus_shorter(sums: FloatArray) -> FloatArray:
    return np.asarray(sums[..., 0] / sums[..., 1] - sums[..., 2] / sums[..., 3])
