"""Whether a voter votes like a bot rather than like the crowd: a likelihood ratio that is an e-value.

Suppose that a voter is one of the crowd: on each pair of models its votes, the voter's included, come in an
order that means nothing. Given how many of a pair's N decisive votes are for the first model (n₁) and
for the second (n₂), the voter's m₁ and m₂ have in their order the exact probability

    P = [n₁! / (n₁ − m₁)!] · [n₂! / (n₂ − m₂)!] · (N − m)! / N!,

whatever the models are worth. A bot would have given its votes with a probability B that is known: it clicks
at random, always chooses one side, always chooses for or against one model, or contradicts the crowd. The
mean of B / P over bots, weights fixed before, has expectation 1 at most for one of the crowd: it is an
e-value, without any approximation, for few votes and for many.

That holds at any one look. For looks at a voter's growing votes against a crowd that stays as it is: P is
Laplace's rule of succession times (N + 1) / (N − m + 1), so the ratio stays below B / Laplace, which is a
test martingale where the true shares of pairs are spread evenly over [0, 1].

A somewhat biased or careless person is nearer to the crowd than to any of these bots, and the more such a
person votes, the smaller the ratio.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bakeoff.arena.cleaning.crowd import Cells, Ints

Floats = NDArray[np.float64]
KINDS = (
    "at random",
    "for the first answer",
    "for the second answer",
    "against the crowd",
    "for one model",
    "against one model",
)
# A quarter each for chance, sides, contradiction and models; sides and models are split in two.
_WEIGHTS = np.array([1 / 4, 1 / 8, 1 / 8, 1 / 4, 1 / 8, 1 / 8])


@dataclass(frozen=True, slots=True, eq=False)
class Likeness:
    """For each of V voters: `log_e` (V,), the natural logarithm of the e-value, and `kind` (V,), the place in
    `KINDS` of the bot that the voter is most like. `model` (V,) is the model meant by the last two kinds, -1
    for the others.
    """

    log_e: Floats
    kind: Ints
    model: Ints


def likeness(seen: Cells, models: int, keen: float = 0.95) -> Likeness:
    """How much more like a bot than like the crowd each voter votes. `keen` is how surely a bot acts.

    Raises:
        ValueError: `keen` outside (0.5, 1).
    """
    if not 0.5 < keen < 1:
        raise ValueError(f"keen is a probability between 0.5 and 1, got {keen}")
    yes, no = np.log(keen), np.log1p(-keen)
    voters, votes = len(seen.voters), seen.decided
    crowd = _log_crowd(seen)
    total = np.bincount(seen.voter, crowd, voters)
    logs = np.empty((len(KINDS), voters))
    logs[0] = votes * np.log(0.5) - total
    logs[1] = seen.for_a * yes + (votes - seen.for_a) * no - total
    logs[2] = seen.for_a * no + (votes - seen.for_a) * yes - total
    logs[3] = np.bincount(seen.voter, _log_contrary(seen, keen), voters) - total
    met = _met(seen, models)
    logs[4], for_model = _one_model(seen, met, crowd, win=yes, lose=no)
    logs[5], against = _one_model(seen, met, crowd, win=no, lose=yes)
    weighted = logs + np.log(_WEIGHTS)[:, None]
    kind = weighted.argmax(axis=0) if voters else np.zeros(0, dtype=np.int64)
    model = np.where(kind == 4, for_model, np.where(kind == 5, against, -1))
    return Likeness(np.logaddexp.reduce(weighted, axis=0), kind, model)


def _log_crowd(seen: Cells) -> Floats:
    """ln P of each cell."""
    n, m = seen.all_won + seen.all_lost, seen.won + seen.lost
    return _log_falling(seen.all_won, seen.won) + _log_falling(seen.all_lost, seen.lost) - _log_falling(n, m)


def _log_falling(n: Ints, m: Ints) -> Floats:
    """ln n! / (n − m)!"""
    from scipy.special import gammaln

    found: Floats = gammaln(n + 1.0) - gammaln(n - m + 1.0)
    return found


def _log_contrary(seen: Cells, keen: float) -> Floats:
    """Votes that go the other way than the shares of a pair, and their own way in 1 − keen of all cases."""
    share = seen.all_won / (seen.all_won + seen.all_lost)
    won = keen * (1 - share) + (1 - keen) * share
    lost = keen * share + (1 - keen) * (1 - share)
    return np.asarray(seen.won * np.log(won) + seen.lost * np.log(lost))


class _Met(NamedTuple):
    """The models that each voter met: `model` (R,), rows by voter from `starts` (V,) on, `share` (R,) of what
    the voter decided had it, times a half. `place` (2C,) is the row of each cell's first model, then second.
    """

    model: Ints
    starts: Ints
    share: Floats
    place: Ints


def _met(seen: Cells, models: int) -> _Met:
    keys = np.concatenate([seen.voter * models + seen.first, seen.voter * models + seen.second])
    found, place = np.unique(keys, return_inverse=True)
    voter = found // max(1, models)
    votes = np.bincount(place, np.tile(seen.won + seen.lost, 2))
    starts = np.searchsorted(voter, np.arange(len(seen.voters)))
    return _Met(found % max(1, models), starts, votes / (2 * seen.decided[voter]), place)


def _one_model(seen: Cells, met: _Met, crowd: Floats, *, win: float, lose: float) -> tuple[Floats, Ints]:
    """The mean over models that a voter met, by how often, of the ratio for a bot that cares about it alone.

    Where its model does not play it votes as the crowd does, so that those pairs count for 1. Also the model
    that stands out most.
    """
    if not len(seen.voters):
        return np.zeros(0), np.zeros(0, dtype=np.int64)
    as_first = seen.won * win + seen.lost * lose - crowd
    as_second = seen.lost * win + seen.won * lose - crowd
    terms = np.bincount(met.place, np.concatenate([as_first, as_second])) + np.log(met.share)
    most = np.repeat(np.maximum.reduceat(terms, met.starts), np.diff(np.append(met.starts, len(terms))))
    rows = np.where(terms == most, np.arange(len(terms)), len(terms))
    return np.logaddexp.reduceat(terms, met.starts), met.model[np.minimum.reduceat(rows, met.starts)]
