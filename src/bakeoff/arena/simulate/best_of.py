"""Many private variants of one model, of which the best is shown."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from bakeoff.arena.policy.best_of import haircut
from bakeoff.arena.policy.rules import Policy
from bakeoff.arena.simulate.board import Seen, rating, seen
from bakeoff.arena.simulate.crowd import cast, crowd, joined, opposed, shown
from bakeoff.arena.simulate.scenario import NO_RULES, Case, Draw
from bakeoff.arena.simulate.world import World, truth
from bakeoff.arena.votes.votes import Mask, Votes
from bakeoff.stats.arrays import FloatArray
from bakeoff.stats.ratings.scale import scores, standard_errors

_POLICY = Policy(name="simulated")
CAP = f"at most {_POLICY.private_variants}"
HAIRCUT = "haircut"
FRESH = "fresh votes"


@dataclass(frozen=True, slots=True)
class BestOf:
    """A provider tests `variants` of average strength, none better than another, in `each` votes each against
    the public models, and releases the one with the highest score; nobody sees the others. An honest one
    tests one. Voters' tastes for the variants differ, as they do for models.

    `fresh` votes on the one that was released come from people who had not voted before, or, where they are
    `returning`, from those whose votes chose it.

    Raises:
        ValueError: no variant, or fewer than 100 votes on one.
    """

    variants: int = 20
    each: int = 1_000
    fresh: int = _POLICY.preliminary.fresh_votes
    returning: bool = False
    name: str = "best-of"

    def __post_init__(self) -> None:
        for name, least in (("variants", 1), ("each", 100), ("fresh", 100)):
            if getattr(self, name) < least:
                raise ValueError(f"{name} must be {least} or more, got {getattr(self, name)}")

    def boards(self, world: World, draw: Draw) -> Iterator[tuple[Case, Seen]]:
        """Each board holds the public models and the one that was released."""
        votes = self.votes(world, draw)
        public = votes.where(np.maximum(votes.model_a, votes.model_b) < world.models)
        for tested, cases in (
            (1, (Case(False, NO_RULES), Case(False, HAIRCUT), Case(False, FRESH))),
            (self.variants, (Case(True, NO_RULES), Case(True, HAIRCUT), Case(True, FRESH))),
        ):
            best, se = _best(votes, world.models, tested)
            listed, true = self.listed(world, best)
            fit = rating(votes, listed)
            yield cases[0], seen(fit, true, best)
            yield cases[1], seen(fit, true, best, cut=haircut(se, tested))
            yield cases[2], seen(rating(joined(public, self.later(world, draw, best))), true, best)
        best, _ = _best(votes, world.models, min(self.variants, _POLICY.private_variants))
        listed, true = self.listed(world, best)
        yield Case(True, CAP), seen(rating(votes, listed), true, best)

    def votes(self, world: World, draw: Draw) -> Votes:
        """Votes on pairs of public models, then of each variant against one of them. No pair is known."""
        world, strength, rng = replace(world, gold=0.0), self.strength(world), draw("people")
        people = crowd(world, rng, len(strength))
        pairs = shown(rng, world.votes, np.ones(world.models))
        variants = np.repeat(np.arange(world.models, len(strength)), self.each)
        tests = opposed(rng, variants, np.arange(world.models))
        return joined(cast(world, people, rng, strength, *pairs), cast(world, people, rng, strength, *tests))

    def later(self, world: World, draw: Draw, released: int) -> Votes:
        """Votes after the release."""
        world, strength, rng = replace(world, gold=0.0), self.strength(world), draw("people of later")
        others = crowd(world, rng, len(strength), start=1 + world.voters)
        people = crowd(world, draw("people"), len(strength)) if self.returning else others
        pairs = opposed(rng, np.full(self.fresh, released), np.arange(world.models))
        return cast(world, people, rng, strength, *pairs)

    def strength(self, world: World) -> FloatArray:
        """Strengths of the public models, then of the variants, in log-odds."""
        return np.append(world.strength, np.zeros(self.variants))

    def listed(self, world: World, released: int) -> tuple[Mask, FloatArray]:
        """Which models are on the board, and the true scores of these."""
        listed = np.arange(world.models + self.variants) < world.models
        listed[released] = True
        true = np.full(len(listed), np.nan)
        true[listed] = truth(world, self.strength(world)[listed])
        return listed, true

    def says(self, found: Mapping[Case, Seen]) -> str:
        """What the choice is worth, and what is left of it."""
        bare, cut, fresh, cap = (found[Case(True, rules)] for rules in (NO_RULES, HAIRCUT, FRESH, CAP))
        return (
            f"The best of {self.variants:,} equal variants looks {bare.error:+.1f} points better than it is "
            f"after {self.each:,} votes each; the best of {_POLICY.private_variants} {cap.error:+.1f}, with "
            f"the haircut {cut.error:+.1f}, by {self.fresh:,} fresh votes alone {fresh.error:+.1f}."
        )


def _best(votes: Votes, public: int, tested: int) -> tuple[int, float]:
    """The one of the first so many variants with the highest score, and its standard error in points."""
    there = np.arange(len(votes.models)) < public + tested
    fit = rating(votes, there)
    best = public + int(np.nanargmax(scores(fit)[public : public + tested]))
    return best, float(standard_errors(fit)[best])
