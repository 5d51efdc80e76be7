"""Own-family bias: does the judge prefer answers of the family of models it is of itself?"""

from collections.abc import Sequence

from bakeoff.judging.position import Winner


def own_family(families: Sequence[str | None], judge: str) -> Winner:
    """Which of two answers is of the judge's family; None where both are, neither is, or one is not told.

    Families are names given by whoever knows them: a model's name tells its family only to people.
    """
    if None in families:
        return None
    own = [family == judge for family in families]
    return own.index(True) if sum(own) == 1 else None
