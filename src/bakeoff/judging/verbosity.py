"""Verbosity bias: does the judge prefer the longer answer, beyond what people do?"""

from collections.abc import Sequence

from bakeoff.judging.position import Winner
from bakeoff.judging.trait import TraitBias, trait_bias


def longer(lengths: tuple[float, float]) -> Winner:
    """The longer of two answers; None where they are equally long."""
    one, other = lengths
    return None if one == other else int(other > one)


def verbosity_bias(
    verdicts: Sequence[Sequence[Winner]],
    better: Sequence[Winner],
    lengths: Sequence[tuple[float, float]],
    *,
    level: float = 0.95,
) -> TraitBias | None:
    """`trait_bias` towards the longer answer; lengths are in any unit.

    Raises:
        ValueError: as `trait_bias`.
    """
    return trait_bias(verdicts, better, [longer(each) for each in lengths], level=level)
