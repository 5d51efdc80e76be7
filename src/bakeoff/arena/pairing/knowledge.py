"""All that a rule of pairing may see: votes on pairs, and which models may be shown.

No provider, no licence, no family: models of which the same is known are treated alike.
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bakeoff.arena.votes.pair_counts import PairCounts
from bakeoff.arena.votes.rating import rated_pairs
from bakeoff.errors import BakeoffError
from bakeoff.stats.ratings.battles import Pairs

BoolArray = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Knowledge:
    """`models` (M,) are in the order of their names. `pairs` are their votes. Those that may be shown are
    `shown` (M,); the votes of others still tell how strong their rivals are. `private` (M,) are not public.
    """

    models: tuple[str, ...]
    pairs: Pairs
    shown: BoolArray
    private: BoolArray

    @property
    def candidates(self) -> tuple[str, ...]:
        """The S models that may be shown, in the order of their names."""
        return tuple(name for name, shown in zip(self.models, self.shown, strict=True) if shown)

    @property
    def votes(self) -> int:
        """Votes in all."""
        return round(float(self.pairs.battles.sum()) / 2)

    def together(self) -> Pairs:
        """The votes of candidates with one another, in their order."""
        return self.pairs.among(self.shown)

    def newcomers(self, votes: int) -> BoolArray:
        """Which candidates (S,) have fewer votes than this."""
        return np.asarray(self.pairs.battles.sum(axis=1)[self.shown] < votes)

    def eligible(self, private_meet: bool) -> BoolArray:
        """Which candidates (S, S) may meet, symmetric; nobody meets itself.

        Raises:
            BakeoffError: no two may.
        """
        private = self.private[self.shown]
        able = ~np.eye(len(private), dtype=bool)
        if not private_meet:
            able &= ~np.logical_and.outer(private, private)
        if not able.any():
            raise BakeoffError(
                f"no two of {len(private)} models may meet, because all are private",
                "show public ones beside them, or let private ones meet",
            )
        return able


def know(counts: PairCounts, shown: Collection[str], private: Collection[str] = ()) -> Knowledge:
    """What votes say, of an arena that may show the models `shown`; some of them are not public.

    The order of models and of counts changes nothing.

    Raises:
        BakeoffError: fewer than two models may be shown, or a private one is not among them.
    """
    if len(set(shown)) < 2:
        raise BakeoffError(f"an arena that shows {len(set(shown))} models has no battles", "it needs two")
    if unknown := sorted(set(private) - set(shown)):
        raise BakeoffError(
            f"{', '.join(unknown)} is private, and not among the models that may be shown",
            "name it among them, or not at all",
        )
    models = tuple(sorted({*counts.models, *shown}))
    number = {name: place for place, name in enumerate(models)}
    place = np.array([number[name] for name in counts.models], dtype=np.int32)
    renumbered = PairCounts(models, place[counts.model_a], place[counts.model_b], counts.counts)
    return Knowledge(
        models,
        rated_pairs(renumbered),
        np.array([name in shown for name in models], dtype=bool),
        np.array([name in private for name in models], dtype=bool),
    )
