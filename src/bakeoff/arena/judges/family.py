"""Whether a judge prefers answers of the family of models that it is of itself.

That a judge gives its family more than half of the votes says nothing: the family may be good. So it is held
against the other judges on the same pairs (first difference), and what it departs from them there against
what it departs on pairs in which it has no family (second difference):

    bias = mean(z) - scale · mean(o)

over the pairs with one answer of the judge's family, with z what the judge gave that answer less 1/2 and o
the mean of the same over the other judges. A judge that errs more than they do is nearer to 1/2 on every
pair, which looks like modesty where its family is strong and like pride where it is weak. `scale` takes that
out: how far its votes follow quality where theirs do, from the pairs of other families,

    scale = Σ z · d / Σ o · d,

where d is how far one model is above the other by the other judges' votes on all other items: an instrument,
which no error on the pair itself has a part in. The other judges are of neither answer's family, nor of the
judge's own.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bakeoff.arena.judges.both_orders import BothOrders, distinct
from bakeoff.arena.judges.figure import Figure, by_item, figure
from bakeoff.errors import BakeoffError
from bakeoff.stats.arrays import FloatArray

_SURE = 0.99
"""How sure it must be that Σ o · d is above 0: by less it would be no divisor."""


@dataclass(frozen=True, slots=True)
class FamilyBias:
    """Preference of a judge for its own `family`, in shares of votes: .05 is 5 points of win rate.

    `own` is the share that the judge gave to its family's answers, and `others` what the other judges gave
    them on the same pairs. `scale` is None where the pairs of other families do not tell it, as where the
    models are of one strength, and then counts as 1. `pairs` counts those in which one answer is of the
    family and other judges voted, `controls` those of other families; `alone` counts pairs on which no other
    judge voted, `unknown` those with a model whose family nobody named.
    """

    family: str
    own: float | None
    others: float | None
    scale: float | None
    bias: Figure
    pairs: int
    controls: int
    alone: int
    unknown: int


def family_bias(both: BothOrders, judge: str, families: Mapping[str, str], level: float = 0.95) -> FamilyBias:
    """Bias of one judge among the votes of several. `families` names those of models and of judges.

    Raises:
        BakeoffError: a judge whose family is not named, or one without a vote.
    """
    if missing := [name for name in both.judge.counts() if name not in families]:
        raise BakeoffError(
            f"the family of judge {missing[0]!r:.80} is not named",
            "name one for each judge; a family of its own says that it is of none of the models'",
        )
    if judge not in both.judge.counts():
        raise BakeoffError(f"judge {judge!r:.80} has no vote", "judge pairs in both orders first")
    votes = _votes(both, judge, families)
    mine = votes.mine
    with_family, neutral = mine & votes.one_is_own, mine & votes.none_is_own
    voted = votes.others > 0
    compared, controls = with_family & voted, neutral & voted
    above = _above(both, votes.others_gave, mine & voted)
    items, n_items = both.items, len(both.item.names)
    columns = [
        compared,
        np.where(compared, votes.own * votes.points, 0),
        np.where(compared, votes.own * votes.others_gave, 0),
        controls,
        np.where(controls, votes.points * above, 0),
        np.where(controls, votes.others_gave * above, 0),
    ]
    sums = by_item([np.asarray(column, dtype=np.float64) for column in columns], items, n_items)
    seen = figure(sums[:, 3:], lambda each: each[..., 2] / each[..., 0], sums[:, 3], _SURE)
    told = seen.interval is not None and seen.interval.low > 0
    value_of = _departure if told else _plain_departure
    counted = sums[:, 0] + (sums[:, 3] if told else 0)
    n, own, others, _, together, apart = sums.sum(axis=0).tolist()
    bias = figure(sums, value_of, counted, level)
    return FamilyBias(
        family=families[judge],
        own=own / n + 0.5 if n else None,
        others=others / n + 0.5 if n else None,
        scale=together / apart if told else None,
        bias=bias,
        pairs=int(compared.sum()),
        controls=int(controls.sum()),
        alone=int((with_family & ~compared).sum()),
        unknown=int((mine & votes.unknown).sum()),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Votes:
    """Of each vote whose it is and which answers are of the judge's family; `own` is 1 where a alone is, -1
    where b alone is. `points` are those of `a` less 1/2; `others` is how many other judges voted on the
    same pair, and `others_gave` the mean of what they gave `a` less 1/2.
    """

    mine: NDArray[np.bool_]
    unknown: NDArray[np.bool_]
    one_is_own: NDArray[np.bool_]
    none_is_own: NDArray[np.bool_]
    own: FloatArray
    points: FloatArray
    others: FloatArray
    others_gave: FloatArray


def _votes(both: BothOrders, judge: str, families: Mapping[str, str]) -> _Votes:
    number = {name: code for code, name in enumerate(sorted(set(families.values())))}
    of_model = np.array([number[families[name]] if name in families else -1 for name in both.models])
    of_judge = np.array([number[families[name]] if name in families else -1 for name in both.judge.names])
    home = number[families[judge]]
    a, b, j = of_model[both.a], of_model[both.b], of_judge[both.judge.codes]
    mine = both.judge.codes == both.judge.names.index(judge)
    points = both.points - 0.5
    neutral = ~mine & (j != home) & (j != a) & (j != b)
    pair = distinct(both.item.codes, both.a, both.b)[1]
    others, total = (
        np.asarray(np.bincount(pair, np.where(neutral, values, 0.0))[pair], dtype=np.float64)
        for values in (np.ones(len(pair)), points)
    )
    others_gave = total / np.maximum(others, 1)
    unknown = (a < 0) | (b < 0)
    one_is_own = ~unknown & ((a == home) ^ (b == home))
    none_is_own = ~unknown & (a != home) & (b != home)
    own = (a == home).astype(np.float64) - (b == home)
    return _Votes(mine, unknown, one_is_own, none_is_own, own, points, others, others_gave)


def _above(both: BothOrders, gave: FloatArray, rows: NDArray[np.bool_]) -> FloatArray:
    """How far `a` is above `b` by the mean of what models got in `rows` on all items but the vote's own."""
    m, items = len(both.models), both.items
    if not rows.any():
        return np.zeros(len(both))
    models, where = np.concatenate([both.a[rows], both.b[rows]]), np.tile(items[rows], 2)
    got, times = np.concatenate([gave[rows], -gave[rows]]), np.ones(2 * int(rows.sum()))
    cells, cell = np.unique(where * m + models, return_inverse=True)

    def elsewhere(model: NDArray[np.int32], values: FloatArray) -> FloatArray:
        wanted = items * m + model
        place = np.minimum(np.searchsorted(cells, wanted), len(cells) - 1)
        here = np.where(cells[place] == wanted, np.bincount(cell, values)[place], 0.0)
        return np.asarray(np.bincount(models, values, m)[model] - here)

    of_a, of_b = (elsewhere(side, got) / np.maximum(elsewhere(side, times), 1) for side in (both.a, both.b))
    return np.asarray(of_a - of_b)


def _departure(sums: FloatArray) -> FloatArray:
    n, own, others, _, together, apart = np.moveaxis(sums, -1, 0)
    return np.asarray((own - together / apart * others) / n)


def _plain_departure(sums: FloatArray) -> FloatArray:
    return np.asarray((sums[..., 1] - sums[..., 2]) / sums[..., 0])
