"""The verdicts on a pair in both orders as one vote.

A judge that leans to what it reads first cannot favour a model that is read first as often as second. Where
both orders name one model, it has won; where they do not, the judge has no opinion and the vote is a tie.
A pair without a readable verdict in each order is no vote: half of one would bring the lean back in.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bakeoff.arena.judges.verdict import Verdicts
from bakeoff.arena.votes.battle import Battle, Outcome
from bakeoff.arena.votes.coded import Coded
from bakeoff.arena.votes.pseudonym import pseudonym
from bakeoff.arena.votes.votes import Votes, votes_of
from bakeoff.errors import BakeoffError
from bakeoff.stats.ratings import Battles

ORDER_POLICY = "both orders, a disagreement is a tie"
"""In a judge's label, for readers."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What became of pairs: a judge, an item and two models each.

    Votes are those that both orders `decided` for one model or `tied`, those that they `contradicted` (each
    order for another model) and those `half_tied` (a tie in one order alone): the last two count as ties. No
    votes are those read in `one_order` and those with an `unread` verdict. `repeats` are the further
    verdicts of a judge that was asked the very same again, which are for its stability alone.
    """

    pairs: int
    decided: int
    tied: int
    contradicted: int
    half_tied: int
    one_order: int
    unread: int
    repeats: int

    @property
    def votes(self) -> int:
        """How many pairs are votes."""
        return self.decided + self.tied + self.contradicted + self.half_tied


@dataclass(frozen=True, slots=True, eq=False)
class BothOrders:
    """k votes; every array has one row a vote.

    `a` and `b` (int32) are places in `models`, a below b. `shown` (k, 2) is what `a` scored when it was read
    first, and second: 1, .5 or 0. `gold` (k,) is what it should have scored, NaN where nobody knows; `length`
    (k, 2) is that of a's answer and of b's, NaN where nobody measured it.
    """

    models: tuple[str, ...]
    item: Coded
    judge: Coded
    a: NDArray[np.int32]
    b: NDArray[np.int32]
    shown: NDArray[np.float64]
    gold: NDArray[np.float64]
    length: NDArray[np.float64]
    counts: Counts

    def __len__(self) -> int:
        return len(self.a)

    @property
    def items(self) -> NDArray[np.int64]:
        """The item of each vote as its code, (k,)."""
        return self.item.codes.astype(np.int64)

    @property
    def agreed(self) -> NDArray[np.bool_]:
        """Whether both orders say the same, (k,)."""
        return np.asarray(self.shown[:, 0] == self.shown[:, 1])

    @property
    def points(self) -> NDArray[np.float64]:
        """What `a` scored, (k,): 1, .5 or 0."""
        return np.where(self.agreed, self.shown[:, 0], 0.5)

    @property
    def battles(self) -> Battles:
        """The votes in the form in which they are rated, `a` first; models keep their numbers."""
        return Battles(len(self.models), self.a, self.b, self.points)


def both_orders(verdicts: Verdicts) -> BothOrders:
    """Votes from verdicts, each judge's for itself, in the order of items, models and judges.

    Raises:
        BakeoffError: a verdict that is there twice, or both orders of a pair with different gold or lengths.
    """
    once = verdicts.where(verdicts.time == 0)
    swapped = once.first > once.second
    a, b = np.minimum(once.first, once.second), np.maximum(once.first, once.second)
    pairs, pair = distinct(once.item.codes, a, b, once.judge.codes)
    order = swapped.astype(np.int64)
    seen = np.zeros((len(pairs), 2), dtype=np.int64)
    np.add.at(seen, (pair, order), 1)
    if (seen > 1).any():
        item, one, other, judge = pairs[(seen > 1).any(axis=1).argmax()]
        raise BakeoffError(
            f"{once.judge.names[judge]} has two verdicts on {once.models[one]} and {once.models[other]} for "
            f"item {once.item.names[item]!r:.80} in one order",
            "count them by `time`, 0 for the first, if the judge was asked again; else drop one",
        )
    shown, gold = np.full((len(pairs), 2), np.nan), np.full((len(pairs), 2), np.nan)
    shown[pair, order] = _points(once.winner, swapped)
    gold[pair, order] = _points(once.gold, swapped)
    length = np.full((len(pairs), 2, 2), np.nan)
    length[pair, order] = np.where(swapped[:, None], once.length[:, ::-1], once.length)
    for values, name in ((gold[:, :, None], "gold"), (length, "lengths")):
        differs = (values[:, 0] != values[:, 1]) & ~np.isnan(values).any(axis=1)
        if differs.any():
            item = pairs[differs.any(axis=1).argmax(), 0]
            raise BakeoffError(
                f"item {once.item.names[item]!r:.80}: the two orders of a pair have different {name}",
                "both orders are of the same two answers",
            )
    in_both, read = (seen == 1).all(axis=1), ~np.isnan(shown).any(axis=1)
    kept = pairs[read].astype(np.int32)
    return BothOrders(
        models=verdicts.models,
        item=Coded(verdicts.item.names, kept[:, 0]),
        judge=Coded(verdicts.judge.names, kept[:, 3]),
        a=kept[:, 1],
        b=kept[:, 2],
        shown=shown[read],
        gold=_either(gold[read]),
        length=_either(length[read]),
        counts=_counts(shown[read], in_both, read, repeats=len(verdicts) - len(once)),
    )


def as_votes(both: BothOrders) -> Votes:
    """The votes as those of people are held: the judge is the voter, the item the prompt."""
    outcomes: dict[float, Outcome] = {1.0: "a", 0.0: "b", 0.5: "tie"}
    voters = [pseudonym(name) for name in both.judge.names]
    prompts = [pseudonym(name) for name in both.item.names]
    rows = zip(
        both.item.codes.tolist(),
        both.judge.codes.tolist(),
        both.a.tolist(),
        both.b.tolist(),
        both.points.tolist(),
        both.gold.tolist(),
        strict=True,
    )
    return votes_of(
        Battle(
            id=f"{both.judge.names[judge]}/{both.item.names[item]}/{both.models[a]}/{both.models[b]}",
            model_a=both.models[a],
            model_b=both.models[b],
            outcome=outcomes[points],
            voter=voters[judge],
            prompt=prompts[item],
            blind=True,
            gold=outcomes.get(gold),
        )
        for item, judge, a, b, points, gold in rows
    )


def distinct(*columns: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The different rows (m, K) of K columns of codes (n,), sorted, and which of them each row is, (n,)."""
    sizes = [int(column.max(initial=0)) + 1 for column in columns]
    # As one number each, which sorts several times as fast as a row.
    found, row = np.unique(np.ravel_multi_index(columns, sizes), return_inverse=True)
    return np.stack(np.unravel_index(found, sizes), axis=1), row


def _points(winner: NDArray[np.int8], swapped: NDArray[np.bool_]) -> NDArray[np.float64]:
    """What the model of the lower number scored; NaN for none."""
    of_first = np.array([1.0, 0.0, 0.5, np.nan])[winner]
    return np.where(swapped, 1 - of_first, of_first)


def _either(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of both orders, which are equal where both are known, the one that is known."""
    return np.where(np.isnan(values[:, 0]), values[:, 1], values[:, 0])


def _counts(
    shown: NDArray[np.float64], in_both: NDArray[np.bool_], read: NDArray[np.bool_], repeats: int
) -> Counts:
    same, ties = shown[:, 0] == shown[:, 1], (shown == 0.5).sum(axis=1)
    return Counts(
        pairs=len(in_both),
        decided=int((same & (ties == 0)).sum()),
        tied=int((ties == 2).sum()),
        contradicted=int((~same & (ties == 0)).sum()),
        half_tied=int((ties == 1).sum()),
        one_order=int((~in_both).sum()),
        unread=int((in_both & ~read).sum()),
        repeats=repeats,
    )
