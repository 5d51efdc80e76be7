"""What the first place of a ranking hangs on."""

from dataclasses import dataclass

from bakeoff.arena.ranking.method import Method
from bakeoff.stats.ratings import Fit, Pairs
from bakeoff.stats.ratings.fragility import first_place


@dataclass(frozen=True, slots=True)
class FirstPlace:
    """Without `votes` of the `of` votes between rated models, `other` is above `model`, which is first now.

    The votes are the fewest that were found, and the ranking was made without them: there may be fewer.
    """

    model: str
    other: str
    votes: int
    of: int


def hanging_on(models: tuple[str, ...], pairs: Pairs, fit: Fit, method: Method) -> FirstPlace | None:
    """What the first place hangs on; None where no such votes were found, and for rankings at equal style,
    by even pairs, or with ties as an outcome of their own, for which nobody looks.
    """
    if method.ties != "half" or method.style or method.even:
        return None
    found = first_place(pairs, fit)
    if found is None:
        return None
    return FirstPlace(models[found.first], models[found.second], found.votes, found.of)
