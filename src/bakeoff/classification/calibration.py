"""Whether the probabilities of being positive can be taken at their word, and what a line through their
logits makes of them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from bakeoff.stats.arrays import FloatArray, IntArray
from bakeoff.stats.confidence.brier import brier
from bakeoff.stats.confidence.logistic import LEAST, Line, fit_line
from bakeoff.stats.confidence.reliability import Bin, NullEce, bins, ece, null_ece
from bakeoff.stats.interval import Interval
from bakeoff.stats.mean.bounded import bounded_mean
from bakeoff.stats.mean.clustered import clustered

Kind = Literal["as given", "temperature", "platt"]
"""The probabilities themselves, or moved by a slope, or by a slope and an intercept."""
STATED = 0.005
"""How far a confidence in whole per cents is kept from 0 and 1: 100 % may mean anything from 99.5 %."""
_BINS = 10
_DRAWS = 500


@dataclass(frozen=True, slots=True)
class Fit:
    """Probabilities of one `kind`: their mean, Brier score and expected calibration error (15 bins of equal
    width), all in [0, 1], and intervals.

    Moved ones are each by a line fitted on the other folds; `line` is the one of all items, for new cases.
    `chance` is the error of perfectly calibrated probabilities on as many items: above its `upper`, these are
    not. `bins` are of about equally many items. The interval of the error is the basic bootstrap's, which
    turns its bias upwards around; it still is a guide more than a promise.
    """

    kind: Kind
    mean: float
    brier: float
    brier_interval: Interval
    ece: float
    ece_interval: Interval
    chance: NullEce
    bins: tuple[Bin, ...]
    line: Line | None = None

    @property
    def believable(self) -> bool:
        """Whether the error is no more than chance alone would give."""
        return self.ece <= self.chance.upper


@dataclass(frozen=True, slots=True)
class Calibration:
    """`fits` begin with the probabilities as given; the others are there where they could be fitted on other
    folds. Of `items` answers with a probability the share `share` is positive. `least` is how far
    probabilities are kept from 0 and 1.
    """

    items: int
    share: float
    least: float
    fits: tuple[Fit, ...]

    @property
    def believable(self) -> bool:
        """Whether the probabilities as given err no more than chance alone would."""
        return self.fits[0].believable


def calibration(
    scores: FloatArray,
    positive: IntArray,
    fold_of: IntArray,
    clusters: IntArray | None = None,
    *,
    least: float = LEAST,
    level: float = 0.95,
) -> Calibration:
    """Of probabilities in [0, 1], as given and moved; `fold_of` and `clusters` as in `Decisions`."""

    def fit(kind: Kind, moved: FloatArray, line: Line | None = None) -> Fit:
        return _fit(kind, moved, positive, clusters, level, line)

    found = [fit("as given", scores)]
    kinds: tuple[tuple[Kind, bool], ...] = (("temperature", False), ("platt", True))
    for kind, intercept in kinds:
        moved = moved_by_others(scores, positive, fold_of, intercept=intercept, least=least)
        if moved is not None:
            line = fit_line(scores, positive, intercept=intercept, least=least)
            found.append(fit(kind, moved, line))
    return Calibration(len(scores), float(positive.mean()), least, tuple(found))


def moved_by_others(
    scores: FloatArray, positive: IntArray, fold_of: IntArray, *, intercept: bool = True, least: float = LEAST
) -> FloatArray | None:
    """Each probability moved by the line that was fitted without its fold; None where one cannot be."""
    moved = np.zeros(len(scores))
    for fold in np.unique(fold_of):
        inside = fold_of == fold
        if inside.all():
            return None
        line = fit_line(scores[~inside], positive[~inside], intercept=intercept, least=least)
        if line is None:
            return None
        moved[inside] = line(scores[inside], least)
    return moved


def _fit(
    kind: Kind,
    scores: FloatArray,
    positive: IntArray,
    clusters: IntArray | None,
    level: float,
    line: Line | None,
) -> Fit:
    squares = (scores - positive) ** 2
    error = ece(scores, positive)
    drawn = _redrawn(lambda at: ece(scores[at], positive[at]), len(scores), clusters)
    low, high = (float(np.quantile(drawn, tail)) for tail in ((1 - level) / 2, (1 + level) / 2))
    reflected = Interval(
        max(0.0, min(error, 2 * error - high)), max(error, 2 * error - low), level, "basic bootstrap"
    )
    grouped = None if clusters is None else clustered(squares, clusters, level)
    return Fit(
        kind=kind,
        mean=float(scores.mean()),
        brier=brier(scores, positive),
        brier_interval=grouped or bounded_mean(squares, level),
        ece=error,
        ece_interval=reflected,
        chance=null_ece(scores, level=level),
        bins=bins(scores, positive, n_bins=_BINS, rule="mass", level=level),
        line=line,
    )


def _redrawn(statistic: Callable[[IntArray], float], n: int, clusters: IntArray | None) -> FloatArray:
    """The statistic on redrawn items, or redrawn clusters of them."""
    random = np.random.default_rng(0)
    if clusters is None:
        return np.array([statistic(random.integers(0, n, n)) for _ in range(_DRAWS)])
    members = np.split(np.argsort(clusters, kind="stable"), np.cumsum(np.bincount(clusters))[:-1])
    return np.array(
        [
            statistic(np.concatenate([members[g] for g in random.integers(0, len(members), len(members))]))
            for _ in range(_DRAWS)
        ]
    )
