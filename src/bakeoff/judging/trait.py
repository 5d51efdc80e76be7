"""Bias towards a trait: does the judge prefer the longer, the formatted, its own family's answer, beyond what
people do?
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

from bakeoff.judging.position import Winner, check_winners
from bakeoff.stats.interval import Interval, normal_quantile
from bakeoff.stats.mean.proportion import wilson_limits


@dataclass(frozen=True, slots=True)
class TraitBias:
    """How often the judge is right where people prefer the answer with a trait, and where the other one.

    `bias` is `right_with` - `right_without`, in [-1, 1]: 0 for a judge to whom the trait is nothing, however
    often it is wrong, and 1 for one that always takes the answer that has it. A trait often goes with
    quality, so how often the judge takes that answer (`judge_takes`) says nothing without how often people
    do (`people_take`), and their difference is not 0 for a judge that merely errs. Where people's labels are
    noisy, `bias` is not 0 either for a judge that knows better: see what it is for another person.

    `pairs_with` and `pairs_without` count the pairs of either kind; `left_out` those without a winner, those
    people did not decide, and those where both answers have the trait or neither has.
    """

    right_with: float
    right_without: float
    pairs_with: int
    pairs_without: int
    bias: float
    interval: Interval
    judge_takes: float
    people_take: float
    left_out: int


def trait_bias(
    verdicts: Sequence[Sequence[Winner]],
    better: Sequence[Winner],
    having: Sequence[Winner],
    *,
    level: float = 0.95,
) -> TraitBias | None:
    """Bias from the judge's verdicts, the answers people prefer, and the answer that has the trait.

    `verdicts` are all winners of a pair, in both orders and over repeats. They count as their mean, since
    verdicts on one pair are not independent. Judge each pair in both orders, or in one drawn by chance, or
    position comes in between. `having` is None where both answers have the trait or neither has.

    Sensitivity and specificity of the judge for "the one with the trait is better": with the two, Rogan and
    Gladen (1978) would take the judge's errors off; equal, there is nothing of the trait in them. The
    interval is Newcombe's method 10 for two independent proportions (1998, Stat. Med. 17:873), never of zero
    width. None unless there are pairs of both kinds.

    Raises:
        ValueError: arguments of different lengths, a winner other than 0, 1 or None, or level outside (0, 1).
    """
    if not len(verdicts) == len(better) == len(having):
        raise ValueError(
            "each pair needs its verdicts, people's preference and which answer has the trait, "
            f"got {len(verdicts)}, {len(better)} and {len(having)}"
        )
    check_winners(better)
    check_winners(having)
    z = normal_quantile(level)
    right: dict[bool, list[float]] = {True: [], False: []}
    for winners, preferred, marked in zip(verdicts, better, having, strict=True):
        check_winners(winners)
        won = [winner == preferred for winner in winners if winner is not None]
        if won and preferred is not None and marked is not None:
            right[preferred == marked].append(sum(won) / len(won))
    have, lack = len(right[True]), len(right[False])
    if not have or not lack:
        return None
    p, q = sum(right[True]) / have, sum(right[False]) / lack
    (p_low, p_high), (q_low, q_high) = wilson_limits(p, have, z), wilson_limits(q, lack, z)
    return TraitBias(
        right_with=p,
        right_without=q,
        pairs_with=have,
        pairs_without=lack,
        bias=p - q,
        interval=Interval(
            max(-1.0, p - q - hypot(p - p_low, q_high - q)),
            min(1.0, p - q + hypot(p_high - p, q - q_low)),
            level,
            "newcombe",
        ),
        judge_takes=(p * have + (1 - q) * lack) / (have + lack),
        people_take=have / (have + lack),
        left_out=len(verdicts) - have - lack,
    )
