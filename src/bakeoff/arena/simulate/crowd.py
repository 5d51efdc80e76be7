"""The people of a simulated arena, and their votes."""

from collections.abc import Iterator
from dataclasses import dataclass, fields

import numpy as np
from numpy.random import Generator

from bakeoff.arena.simulate.world import World, chances, names
from bakeoff.arena.votes.coded import Coded
from bakeoff.arena.votes.votes import STYLES, Texts, Votes
from bakeoff.seed import item_seed
from bakeoff.stats.arrays import FloatArray, IntArray
from bakeoff.stats.ratings.scale import POINTS

_START = np.datetime64("2026-01-01T00:00:00", "us")
_DAY_US = 86_400_000_000
_LENGTH = 300.0
"""The typical length of an answer."""


@dataclass(frozen=True, slots=True, eq=False)
class Crowd:
    """V voters. `share` (V,) is the share of votes that is each one's, `taste` (V, K) what each adds to the
    strengths of K models, in log-odds. Their pseudonyms are the numbers from `start` on.
    """

    share: FloatArray
    taste: FloatArray
    start: int = 1


def generator(seed: int, scenario: str, replication: int, purpose: str) -> Generator:
    """Random numbers for one purpose, the same whatever else is drawn before or after."""
    return np.random.default_rng(item_seed(seed, scenario, str(replication), purpose))


def crowd(world: World, rng: Generator, models: int, start: int = 1) -> Crowd:
    """The voters of a world, with tastes for so many models."""
    activity = np.arange(1, world.voters + 1) ** -world.zipf
    taste = rng.normal(0, world.taste / POINTS, (world.voters, models))
    return Crowd(activity / activity.sum(), taste, start)


def shown(rng: Generator, votes: int, weight: FloatArray) -> tuple[IntArray, IntArray]:
    """So many pairs of different models, (votes,) each: with probability in proportion to the product of
    their weights (K,), on sides drawn at random.
    """
    first, second = np.triu_indices(len(weight), 1)
    product = weight[first] * weight[second]
    drawn = rng.choice(len(first), votes, p=product / product.sum())
    swapped = rng.random(votes) < 0.5
    return np.where(swapped, second[drawn], first[drawn]), np.where(swapped, first[drawn], second[drawn])


def opposed(rng: Generator, model: IntArray, opponents: IntArray) -> tuple[IntArray, IntArray]:
    """Pairs of each of `model` (n,) with one of the opponents, on sides drawn at random."""
    other = rng.choice(opponents, len(model))
    swapped = rng.random(len(model)) < 0.5
    return np.where(swapped, other, model), np.where(swapped, model, other)


def cast(
    world: World,
    people: Crowd,
    rng: Generator,
    strength: FloatArray,
    first: IntArray,
    second: IntArray,
    *,
    longer: FloatArray | None = None,
) -> Votes:
    """The crowd's votes on pairs (n,) of models of these strengths (K,) in log-odds. `longer` (K,) is added
    to the logarithm of the lengths of a model's answers.
    """
    n = len(first)
    voter = rng.choice(len(people.share), n, p=people.share)
    taste = people.taste[voter, first] - people.taste[voter, second]
    z = strength[first] - strength[second] + taste
    length = None
    if world.style:
        length = _lengths(world, rng, strength, longer, first, second)
        z = z + world.style * (length[:, 0] - length[:, 1]) / length.sum(axis=1)
    win, loss = chances(world, z)
    luck = rng.random(n)
    outcome = np.where(luck < win, 0, np.where(luck < win + loss, 1, 2))
    gold = np.where(rng.random(n) < world.gold, rng.integers(0, 2, n), -1)
    right = rng.random(n) < world.care
    outcome = np.where(gold >= 0, np.where(right, gold, 1 - gold), outcome)
    at = rng.integers(0, world.days * _DAY_US, n)
    return columns(len(strength), first, second, outcome, people.start + voter, at, gold, length)


def columns(
    models: int,
    first: IntArray,
    second: IntArray,
    outcome: IntArray,
    voter: IntArray,
    at: IntArray,
    gold: IntArray,
    length: FloatArray | None = None,
) -> Votes:
    """Votes from one row (n,) for each of their columns; `at` in microseconds of the simulated time, `length`
    (n, 2). They have no texts.
    """
    n = len(first)
    nothing = Coded((), np.full(n, -1, dtype=np.int32))
    style = np.full((n, 2, len(STYLES)), np.nan, dtype=np.float32)
    if length is not None:
        style[..., 0] = length
        style[..., 1:] = 0
    return Votes(
        models=names(models),
        model_a=first.astype(np.int32),
        model_b=second.astype(np.int32),
        outcome=outcome.astype(np.int8),
        key=np.arange(1, n + 1, dtype=np.uint64),
        voter=voter.astype(np.uint64),
        prompt=np.zeros(n, dtype=np.uint64),
        at=_START + at.astype("timedelta64[us]"),
        language=nothing,
        tags=nothing,
        blind=np.ones(n, dtype=np.int8),
        gold=gold.astype(np.int8),
        share=np.full(n, np.nan),
        style=style,
        texts=_Untold(n),
    )


def joined(one: Votes, other: Votes) -> Votes:
    """The votes of one, then those of the other, on the same models."""
    arrays = {
        each.name: np.concatenate([getattr(one, each.name), getattr(other, each.name)])
        for each in fields(Votes)
        if each.name not in ("models", "language", "tags", "texts", "key")
    }
    n = len(one) + len(other)
    nothing = Coded((), np.full(n, -1, dtype=np.int32))
    key = np.arange(1, n + 1, dtype=np.uint64)
    return Votes(models=one.models, key=key, language=nothing, tags=nothing, texts=_Untold(n), **arrays)


@dataclass(frozen=True, slots=True)
class _Untold:
    """The texts of n battles of which no word is known."""

    n: int

    def __iter__(self) -> Iterator[Texts]:
        return (Texts(f"simulated {1 + row}", None, None, None) for row in range(self.n))


def _lengths(
    world: World,
    rng: Generator,
    strength: FloatArray,
    longer: FloatArray | None,
    first: IntArray,
    second: IntArray,
) -> FloatArray:
    """(n, 2) The lengths of both answers."""
    mean = np.log(_LENGTH) + world.confounding * strength * POINTS / world.spread
    if longer is not None:
        mean = mean + longer
    noise = rng.normal(0, world.lengths, (len(first), 2))
    length = np.exp(np.stack([mean[first], mean[second]], axis=1) + noise)
    return np.asarray(np.maximum(1.0, np.rint(length)))
