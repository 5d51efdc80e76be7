"""Verbosity bias: does the judge prefer the longer answer, beyond what people do?"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

from bakeoff.judging.position import Winner, check_winners
from bakeoff.stats.interval import Interval, normal_quantile
from bakeoff.stats.mean.proportion import wilson_limits


@dataclass(frozen=True, slots=True)
class VerbosityBias:
    """How often the judge is right where people prefer the longer answer, and where they prefer the shorter.

    `bias` is `right_if_longer` - `right_if_shorter`, in [-1, 1]: 0 for a judge to whom length is nothing,
    however often it is wrong, and 1 for one that always takes the longer. Length often goes with quality, so
    how often the judge takes the longer answer says nothing by itself. `longer` and `shorter` count the pairs
    of either kind, `left_out` those without a winner or with answers of equal length.
    """

    right_if_longer: float
    right_if_shorter: float
    longer: int
    shorter: int
    bias: float
    interval: Interval
    left_out: int


def verbosity_bias(
    verdicts: Sequence[Sequence[Winner]],
    better: Sequence[Winner],
    lengths: Sequence[tuple[float, float]],
    *,
    level: float = 0.95,
) -> VerbosityBias | None:
    """Verbosity bias from the judge's verdicts, the answers people prefer, and the lengths of both answers.

    `verdicts` are all winners of a pair, in both orders and over repeats. They count as their mean, since
    verdicts on one pair are not independent. Judge each pair in both orders, or in one drawn by chance, or
    position comes in between. Lengths are in any unit. Stratified by people's preference; the interval is
    Newcombe's method 10 for two independent proportions (1998, Stat. Med. 17:873), never of zero width. None
    unless there are pairs of both kinds.

    Raises:
        ValueError: arguments of different lengths, a winner other than 0, 1 or None, or level outside (0, 1).
    """
    if not len(verdicts) == len(better) == len(lengths):
        raise ValueError(
            "each pair needs its verdicts, people's preference and two lengths, "
            f"got {len(verdicts)}, {len(better)} and {len(lengths)}"
        )
    check_winners(better)
    z = normal_quantile(level)
    right: dict[bool, list[float]] = {True: [], False: []}
    for winners, preferred, (one, other) in zip(verdicts, better, lengths, strict=True):
        check_winners(winners)
        won = [winner == preferred for winner in winners if winner is not None]
        if won and preferred is not None and one != other:
            right[preferred == (other > one)].append(sum(won) / len(won))
    longer, shorter = len(right[True]), len(right[False])
    if not longer or not shorter:
        return None
    p, q = sum(right[True]) / longer, sum(right[False]) / shorter
    (p_low, p_high), (q_low, q_high) = wilson_limits(p, longer, z), wilson_limits(q, shorter, z)
    interval = Interval(
        max(-1.0, p - q - hypot(p - p_low, q_high - q)),
        min(1.0, p - q + hypot(p_high - p, q - q_low)),
        level,
        "newcombe",
    )
    return VerbosityBias(p, q, longer, shorter, p - q, interval, len(verdicts) - longer - shorter)
