"""A provider whose models are shown more often than others."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from bakeoff.arena.policy.rules import Policy
from bakeoff.arena.policy.shares import Exposure, exposure
from bakeoff.arena.simulate.board import Seen, rating, seen
from bakeoff.arena.simulate.crowd import cast, crowd, shown
from bakeoff.arena.simulate.scenario import NO_RULES, Case, Draw
from bakeoff.arena.simulate.world import World, truth
from bakeoff.arena.votes.votes import Votes
from bakeoff.database.tables.arena import LICENCES

_POLICY = Policy(name="simulated")
ALIKE = "pairs alike"


@dataclass(frozen=True, slots=True)
class UnequalSampling:
    """The sampler draws each model of one provider with `times` the weight of another, a pair with the
    product of its weights. In question is the provider's best model, which is the first of all.

    Raises:
        ValueError: `times` not above 0 or not finite.
    """

    times: float = 10.0
    name: str = "unequal-sampling"

    def __post_init__(self) -> None:
        if not 0 < self.times < float("inf"):
            raise ValueError(f"times must be above 0 and finite, got {self.times}")

    def boards(self, world: World, draw: Draw) -> Iterator[tuple[Case, Seen]]:
        """Boards of the votes as they are, and with each pair of models counted alike. What is caught is a
        provider or model beyond the factor at which the policy warns.
        """
        true, of = truth(world, world.strength), 0
        for attacked in (False, True):
            votes = self.votes(world, draw, attacked=attacked)
            yield Case(attacked, NO_RULES), seen(rating(votes), true, of)
            warned = self.warned(self.exposure(world, votes))
            board = seen(rating(votes, alike=True), true, of)
            yield Case(attacked, ALIKE), replace(board, caught=float(warned))

    def votes(self, world: World, draw: Draw, *, attacked: bool) -> Votes:
        """People's votes on the pairs that they are shown. No pair is known."""
        world, rng = replace(world, gold=0.0), draw("favoured" if attacked else "people")
        weight = np.ones(world.models)
        weight[world.of_provider(0)] = self.times if attacked else 1.0
        people = crowd(world, rng, world.models)
        return cast(world, people, rng, world.strength, *shown(rng, world.votes, weight))

    def exposure(self, world: World, votes: Votes) -> Exposure:
        """Who was shown how often, as the arena's report says it. Providers have licence classes in turn."""
        provider = dict(zip(votes.models, world.provider, strict=True))
        order = sorted(set(provider.values()))
        licence = {name: LICENCES[order.index(whose) % len(LICENCES)] for name, whose in provider.items()}
        days = votes.at.astype("datetime64[D]").astype(np.int64)
        sides = np.concatenate([votes.model_a, votes.model_b])
        cells, times = np.unique(np.tile(days, 2) * len(votes.models) + sides, return_counts=True)
        counts = (
            (int(cell // len(votes.models)), votes.models[cell % len(votes.models)], int(count))
            for cell, count in zip(cells, times, strict=True)
        )
        could_be = dict.fromkeys(np.unique(days).tolist(), votes.models)
        return exposure(counts, could_be, provider, licence)

    def warned(self, found: Exposure) -> bool:
        """Whether one of those in favour had more than the policy's factor times its share."""
        rule = _POLICY.sampling
        return any(
            each.ratio >= rule.factor and each.fair * found.appearances >= rule.appearances
            for each in (*found.models, *found.providers)
        )

    def says(self, found: Mapping[Case, Seen]) -> str:
        """What being shown more often is worth."""
        fair, bare, ruled = (
            found[Case(False, NO_RULES)],
            found[Case(True, NO_RULES)],
            found[Case(True, ALIKE)],
        )
        return (
            f"A provider drawn {self.times:g} times as often knows its best model to ±{bare.width / 2:.1f} "
            f"points where others are known to ±{bare.others_width / 2:.1f} (±{fair.others_width / 2:.1f} by "
            f"fair shares), at an error of {bare.error:+.1f}; the rule on shares warns in "
            f"{100 * ruled.caught:.0f} % of runs."
        )
