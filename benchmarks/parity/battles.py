"""Made-up battles that other packages rate, too: the same on every machine and numpy."""

from math import exp
from typing import NamedTuple

from bakeoff.seed import item_random

MODELS = 8
BATTLES = 3_000
COVARIATES = ("length", "lists")
_WORTH = (0.3, -0.15)
_ETA = 0.6


class Made(NamedTuple):
    """A battle: the numbers of both models, what the first scored, and the covariates of `COVARIATES`."""

    first: int
    second: int
    outcome: float
    covariates: tuple[float, ...]


def made_battles() -> list[Made]:
    """Rao and Kupper's ties, later models stronger and met less often, longer answers of stronger models."""
    random = item_random(0, "arena", "battles", "golden ratings")
    strength = [0.25 * model for model in range(MODELS)]
    found = []
    while len(found) < BATTLES:
        first, second = (int(MODELS * random.random() ** 1.5) for _ in range(2))
        if first == second:
            continue
        lead = strength[first] - strength[second]
        covariates = (round(0.5 * lead + 2 * random.random() - 1, 6), round(2 * random.random() - 1, 6))
        z = lead + sum(worth * x for worth, x in zip(_WORTH, covariates, strict=True))
        luck = random.random()
        win, loss = 1 / (1 + exp(_ETA - z)), 1 / (1 + exp(_ETA + z))
        outcome = 1.0 if luck < win else 0.0 if luck < win + loss else 0.5
        found.append(Made(first, second, outcome, covariates))
    return found
