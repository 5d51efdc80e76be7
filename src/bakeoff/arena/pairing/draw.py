"""The pair of one battle."""

from bisect import bisect_right
from dataclasses import dataclass

from bakeoff.arena.pairing.pair_probabilities import PairProbabilities
from bakeoff.seed import item_random


@dataclass(frozen=True, slots=True)
class Draw:
    """The pair that was drawn, `first` to be shown left. `propensity`, in (0, 1], is the probability with
    which this pair was drawn, on whichever sides; `rule` is by name and version.
    """

    first: str
    second: str
    propensity: float
    rule: str


def draw(probabilities: PairProbabilities, *, seed: int, arena: str, battle: str) -> Draw:
    """The pair of a battle, and its sides, by the battle's id: whatever was drawn before changes nothing."""
    upto = probabilities.upto
    luck = item_random(seed, arena, battle, "pair").random() * upto[-1]
    at = min(bisect_right(upto, luck), len(upto) - 1)
    left, right = (probabilities.models[side[at]] for side in (probabilities.first, probabilities.second))
    if item_random(seed, arena, battle, "sides").random() < 0.5:
        left, right = right, left
    return Draw(left, right, float(probabilities.probability[at]), probabilities.rule)
