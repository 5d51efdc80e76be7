"""A provider's weak models vanish from the board."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from bakeoff.arena.simulate.board import Seen, rating, seen
from bakeoff.arena.simulate.crowd import cast, crowd, shown
from bakeoff.arena.simulate.scenario import NO_RULES, Case, Draw
from bakeoff.arena.simulate.world import World, truth
from bakeoff.arena.votes.votes import Votes
from bakeoff.stats.ratings import Anchor, scores

ANCHOR = "anchor"
KEPT = "rows stay"


@dataclass(frozen=True, slots=True)
class SilentRemoval:
    """Of the first provider's models the `share` with the lowest scores is taken off, votes and all. What the
    provider then shows, the mean score of its rows, stands against the true mean of all of its models.

    Raises:
        ValueError: `share` outside (0, 1).
    """

    share: float = 0.5
    name: str = "silent-removal"

    def __post_init__(self) -> None:
        if not 0 < self.share < 1:
            raise ValueError(f"share must lie between 0 and 1, got {self.share}")

    def boards(self, world: World, draw: Draw) -> Iterator[tuple[Case, Seen]]:
        """Boards without the rows; without them, where another provider's model keeps the score that it had;
        and with them.
        """
        true, of = truth(world, world.strength), world.of_provider(0)
        votes = self.votes(world, draw)
        fit = rating(votes)
        yield Case(False, NO_RULES), seen(fit, true, of)
        order = of[np.argsort(-scores(fit)[of], kind="stable")]
        still = np.sort(order[: max(1, round(len(of) * (1 - self.share)))])
        listed = np.ones(world.models, dtype=bool)
        listed[np.setdiff1d(of, still)] = False
        cut = rating(votes, listed)
        yield Case(True, NO_RULES), seen(cut, true, of, still=still)
        anchor = Anchor(1, float(scores(fit)[1]))
        yield Case(True, ANCHOR), seen(cut, true, of, still=still, anchor=anchor)
        yield Case(True, KEPT), seen(fit, true, of)

    def votes(self, world: World, draw: Draw) -> Votes:
        """People's votes on all pairs alike. No pair is known."""
        world, rng = replace(world, gold=0.0), draw("people")
        people = crowd(world, rng, world.models)
        return cast(world, people, rng, world.strength, *shown(rng, world.votes, np.ones(world.models)))

    def says(self, found: Mapping[Case, Seen]) -> str:
        """What is gained by it, and by whom."""
        honest, bare = found[Case(False, NO_RULES)], found[Case(True, NO_RULES)]
        pinned, kept = found[Case(True, ANCHOR)], found[Case(True, KEPT)]
        return (
            f"Without the weaker {100 * self.share:.0f} % of its models a provider's rows stand "
            f"{bare.error:+.1f} points above what its models are worth, and all others' scores move by "
            f"{bare.others - honest.others:+.1f} without a vote ({pinned.others - honest.others:+.1f} with "
            f"an anchor); where rows stay it is {kept.error:+.1f}."
        )
