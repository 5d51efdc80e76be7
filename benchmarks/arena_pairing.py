"""Rules of pairing: votes that they save, whether intervals still hold, and how soon a newcomer is known.

    python benchmarks/arena_pairing.py            # three minutes
    python benchmarks/arena_pairing.py speed savings coverage newcomer     # any of them

Made-up votes between models whose strengths are known: at the quantiles of a normal distribution with a
standard deviation of 120 points. Each rule is played with the default settings and a board that is computed
anew every 50 votes. `published` are the figures of Chiang et al. 2024 (arXiv 2403.04132), for other votes.
"""

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import get_args

import numpy as np
from numpy.random import Generator
from scipy.special import expit

from bakeoff.arena.pairing.draw import draw
from bakeoff.arena.pairing.knowledge import Knowledge
from bakeoff.arena.pairing.rules import probabilities
from bakeoff.arena.pairing.settings import PairingSettings, RuleName
from bakeoff.arena.simulate.world import World, names, truth
from bakeoff.stats.arrays import FloatArray, IntArray
from bakeoff.stats.ratings import Battles, Pairs, bradley_terry, pairs_of, score_intervals, scores
from bakeoff.stats.ratings.scale import POINTS

RULES: tuple[RuleName, ...] = get_args(RuleName)
UNIFORM: RuleName = "uniform@1"


@dataclass(eq=False)
class Played:
    """The votes of a game so far, (M, M) as in `Pairs`; `inverse` ones weigh 1 / their pair's propensity."""

    models: int
    counts: FloatArray = field(init=False)
    inverse: FloatArray = field(init=False)

    def __post_init__(self) -> None:
        self.counts, self.inverse = np.zeros((2, 4, self.models, self.models))

    @property
    def pairs(self) -> Pairs:
        return Pairs(*self.counts)

    @property
    def weighted(self) -> Pairs:
        return Pairs(*self.inverse)

    @property
    def votes(self) -> int:
        return round(float(self.counts[0].sum() + self.counts[1].sum() / 2))

    def knowledge(self) -> Knowledge:
        every = np.ones(self.models, dtype=bool)
        return Knowledge(names(self.models), self.pairs, every, ~every)

    def vote(self, battles: Battles, propensity: FloatArray) -> None:
        """Count battles (n,), whose pairs were drawn with probability `propensity` (n,)."""
        inverse = replace(battles, weight=1 / propensity)
        for table, found in ((self.counts, pairs_of(battles)), (self.inverse, pairs_of(inverse))):
            table += np.stack([found.won, found.tied, found.won_squares, found.tied_squares])


def play(
    strength: FloatArray,
    settings: PairingSettings,
    votes: int,
    rng: Generator,
    *,
    ties: float = 0.0,
    game: Played | None = None,
) -> Iterator[Played]:
    """A game by a rule, after each `settings.every` votes. `ties` is their share between equal models."""
    game = game or Played(len(strength))
    eta = 2 * np.arctanh(ties)
    for _ in range(votes // settings.every):
        found = probabilities(game.knowledge(), settings)
        at = rng.choice(len(found.first), settings.every, p=found.probability)
        first, second = (side[at].astype(np.int32) for side in (found.first, found.second))
        z, luck = strength[first] - strength[second], rng.random(len(at))
        won, lost = expit(z - eta), expit(-z - eta)
        score = np.where(luck < won, 1.0, np.where(luck < won + lost, 0.0, 0.5))
        game.vote(Battles(len(strength), first, second, score), found.probability[at])
        yield game


def speed() -> None:
    """Of 200 models with about 10 votes a pair, one of which is new."""
    rng, models = np.random.default_rng(0), 200
    strength = World(models=models).strength
    known = started(strength, rng.poisson(10, (models, models)), new=models // 2, rng=rng).knowledge()
    print("200 models, milliseconds of processor time")
    for rule in RULES:
        settings, times = PairingSettings(rule=rule), []
        for _ in range(20):
            begun = time.process_time()
            found = probabilities(known, settings)
            times.append(time.process_time() - begun)
        begun = time.process_time()
        for battle in range(2_000):
            draw(found, seed=0, arena="x", battle=str(battle))
        each = (time.process_time() - begun) / 2_000
        print(f"{rule:<24}{1e3 * float(np.median(times)):>8.1f} a recomputation {1e3 * each:>8.3f} a draw")


def started(strength: FloatArray, together: IntArray, new: int, rng: Generator) -> Played:
    """A game of old: so many votes (M, M) of each two models, the upper triangle alone, without one model."""
    game = Played(len(strength))
    met = np.triu(together, 1)
    met[new], met[:, new] = 0, 0
    won = rng.binomial(met, expit(np.subtract.outer(strength, strength)))
    game.counts[0] += won + (met - won).T
    game.counts[2] += game.counts[0]
    return game


def savings(models: int = 20, repeats: int = 10) -> None:
    """Votes until intervals are so wide on average, all models starting at once."""
    targets = {"scores, mean width 60": 60.0, "pairs, mean width .3": 0.3, "pairs, widest .4": 0.4}
    for spread in (120.0, 250.0):
        strength = World(models=models, spread=spread).strength
        needs = {
            rule: np.array([until(rule, strength, targets, seed) for seed in range(repeats)])
            for rule in RULES
        }
        print(
            f"\nvotes needed, {models} models, spread {spread:g} points, mean of {repeats}; more by uniform"
        )
        for place, target in enumerate(targets):
            base = needs[UNIFORM][:, place]
            print(f"  {target}")
            for rule, found in needs.items():
                votes, more = found[:, place].mean(), base / found[:, place] - 1
                error = 1.96 * more.std(ddof=1) / repeats**0.5
                print(f"    {rule:<24}{votes:>8,.0f} {more.mean():>+8.1%} ±{error:.1%}")
    print("  published: +54 % on the win matrix at .2, +5 % on scores at .3")


def until(rule: RuleName, strength: FloatArray, targets: dict[str, float], seed: int) -> list[float]:
    """Votes until each target is met."""
    found, rng = [np.nan] * 3, np.random.default_rng(seed)
    for game in play(strength, PairingSettings(rule=rule), 60_000, rng):
        if game.votes >= 1_000:
            for place, (width, target) in enumerate(
                zip(widths(game, strength), targets.values(), strict=True)
            ):
                if width <= target and np.isnan(found[place]):
                    found[place] = game.votes
        if not np.isnan(found).any():
            break
    return found


def widths(game: Played, strength: FloatArray) -> tuple[float, float, float]:
    """Of the 95 % intervals: of scores, the mean in points; of the win rates of pairs, mean and widest."""
    pairs = np.triu_indices(game.models, 1)
    p = expit(np.subtract.outer(strength, strength))[pairs]
    each = 2 * 1.96 * np.sqrt(p * (1 - p) / np.maximum(game.pairs.battles[pairs], 1))
    intervals = score_intervals(bradley_terry(game.pairs))
    scores = float(np.mean([found.high - found.low if found else np.inf for found in intervals]))
    return scores, float(each.mean()), float(each.max())


def coverage(models: int = 10, votes: int = 2_000, repeats: int = 300) -> None:
    """Of the 95 % intervals of scores, with every vote alike and by the inverse of its propensity."""
    print(
        f"\ncoverage and mean width of 95 % intervals, and bias of the best model's score: {models} models, "
    )
    print(f"{votes:,} votes, {repeats} repeats; each vote alike, and by the inverse of its propensity")
    for ties in (0.0, 0.27):
        world = World(models=models, ties=max(ties, 0.01), taste=0.0, spread=250.0)
        true = 1000 + POINTS * world.strength if not ties else truth(world, world.strength)
        print(f"  ties {ties:.0%}" + (", so that Bradley-Terry is not the whole truth" if ties else ""))
        for rule in RULES:
            found = covered(rule, world.strength, true, votes, repeats, ties)
            for name, (inside, width, bias) in zip(("plain", "inverse"), found.tolist(), strict=True):
                label = rule if name == "plain" else ""
                print(f"    {label:<24}{name:<8}{inside:>8.3f}{width:>8.0f} points{bias:>+8.1f}")
    print(f"  standard error of a coverage about {(0.05 * 0.95 / repeats / models * 1.2) ** 0.5:.4f}")


def covered(
    rule: RuleName, strength: FloatArray, true: FloatArray, votes: int, repeats: int, ties: float
) -> FloatArray:
    """(2, 3) Coverage, mean width and the bias of the best model: of plain votes, and of inverse weights."""
    settings = PairingSettings(rule=rule, newcomer_votes=50)
    found = np.zeros((2, 3))
    for seed in range(repeats):
        *_, game = play(strength, settings, votes, np.random.default_rng(seed), ties=ties)
        for row, pairs in enumerate((game.pairs, game.weighted)):
            fit = bradley_terry(pairs)
            at = scores(fit)
            intervals = score_intervals(fit)
            inside = [
                each.low <= value <= each.high for each, value in zip(intervals, true, strict=True) if each
            ]
            width = np.mean([each.high - each.low for each in intervals if each])
            found[row] += (np.mean(inside), width, at[0] - true[0])
    return found / repeats


def newcomer(models: int = 50, repeats: int = 5) -> None:
    """How soon a newcomer among well-known models is known, and what it costs the others."""
    strength = World(models=models).strength
    plans = {
        "uniform, owed nothing": PairingSettings(rule=UNIFORM, newcomer_votes=0),
        "uniform, owed 1.5": PairingSettings(rule=UNIFORM),
        "uniform, owed 2.4": PairingSettings(rule=UNIFORM, newcomer_share=2.4),
        "variance-reduction": PairingSettings(),
        "the same, owed nothing": PairingSettings(newcomer_votes=0),
        "the same, unbounded": PairingSettings(newcomer_votes=0, most=1e9, least=0, floor=0.01),
        "win-matrix": PairingSettings(rule="win-matrix@1"),
    }
    print(f"\na newcomer among {models - 1} models of about 980 votes: votes in all until its interval has")
    print(f"{'':<28}{'100':>8}{'60':>8} points   {'of appearances, in fair shares':>10}")
    for name, settings in plans.items():
        rows = [known_after(strength, settings, seed) for seed in range(repeats)]
        first, second, share = np.mean(rows, axis=0)
        print(f"  {name:<26}{first:>8,.0f}{second:>8,.0f}          {share:>10.2f}")


def known_after(strength: FloatArray, settings: PairingSettings, seed: int) -> tuple[float, float, float]:
    """Votes until the newcomer's interval is 100 and 60 points wide, and its share of them by fair shares."""
    models, rng = len(strength), np.random.default_rng(seed)
    new = models // 3
    game = started(strength, rng.poisson(20, (models, models)), new, rng)
    before, first = game.votes, 0
    for _ in play(strength, settings, 100_000, rng, game=game):
        found = score_intervals(bradley_terry(game.pairs))[new]
        width = found.high - found.low if found else np.inf
        passed = game.votes - before
        first = first or (passed if width <= 100 else 0)
        if width <= 60:
            break
    share = game.pairs.battles[new].sum() / (2 * passed)
    return first, passed, share * models


def main() -> None:
    parts = {"speed": speed, "savings": savings, "coverage": coverage, "newcomer": newcomer}
    for part in sys.argv[1:] or parts:
        parts[part]()


if __name__ == "__main__":
    main()
