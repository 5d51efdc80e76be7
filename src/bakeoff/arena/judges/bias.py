"""What is known of a judge's biases, in one place."""

from collections.abc import Mapping
from dataclasses import dataclass

from bakeoff.arena.judges.both_orders import BothOrders, Counts, both_orders
from bakeoff.arena.judges.consistency import first_picks, repeat_stability, swap_consistency, unread_share
from bakeoff.arena.judges.family import FamilyBias, family_bias
from bakeoff.arena.judges.figure import Figure
from bakeoff.arena.judges.length import LengthBias, length_bias
from bakeoff.arena.judges.verdict import Verdicts


@dataclass(frozen=True, slots=True)
class Bias:
    """Biases of one judge. `family` is None where no families were named.

    `counts` says what became of its pairs; `consistency`, `first`, `length` and `family` are of the votes
    among them, `unread` and `repeats` of all `verdicts`.
    """

    judge: str
    verdicts: int
    counts: Counts
    consistency: Figure
    first: Figure
    length: LengthBias
    family: FamilyBias | None
    unread: Figure
    repeats: Figure


def biases(
    verdicts: Verdicts, families: Mapping[str, str] | None = None, *, level: float = 0.95
) -> dict[str, Bias]:
    """Biases of each judge by name; `families` names those of models and of judges, for `family_bias`.

    Raises:
        BakeoffError: as for `both_orders` and `family_bias`.
        ValueError: level outside (0, 1).
    """
    everyone = both_orders(verdicts)
    return {
        judge: _of_one(judge, verdicts.by(judge), everyone, families, level)
        for judge in sorted(verdicts.judge.counts())
    }


def _of_one(
    judge: str, verdicts: Verdicts, everyone: BothOrders, families: Mapping[str, str] | None, level: float
) -> Bias:
    both = both_orders(verdicts)
    return Bias(
        judge=judge,
        verdicts=len(verdicts),
        counts=both.counts,
        consistency=swap_consistency(both, level),
        first=first_picks(both, level),
        length=length_bias(both, level),
        family=family_bias(everyone, judge, families, level) if families and len(both) else None,
        unread=unread_share(verdicts, level),
        repeats=repeat_stability(verdicts, level),
    )
