"""A judge against people on the same pairs, beside what two people reach.

Choices are "a", "b" or "tie" by model, whichever answer was shown where. All intervals are over items.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from bakeoff.arena.judges.figure import Figure, figure
from bakeoff.errors import BakeoffError
from bakeoff.stats.arrays import FloatArray, IntArray
from bakeoff.stats.groups import codes

Choice = Literal["a", "b", "tie"]
CHOICES: tuple[Choice, ...] = get_args(Choice)


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two sides agree: `raw` and, of choices that both made for a model, `without_ties` are shares;
    `kappa` is Cohen's, with chance by each side's own shares, `alpha` Krippendorff's for named categories,
    with chance by the shares of both. `n` counts pairs of choices, of alpha choices.
    """

    raw: Figure
    without_ties: Figure
    kappa: Figure
    alpha: Figure


@dataclass(frozen=True, slots=True)
class WithPeople:
    """A judge's agreement with people.

    `majority` holds it against the choice that most people made of a pair, where one choice is ahead. Several
    people are right more often than one, so its ceiling is not that of two people: `ceiling` holds each two
    people of a pair against each other, `one_person` the judge in the place of one of them, both over the
    very same pairs and with the same weights. `gap` is `one_person` minus `ceiling` in raw agreement, 0 for
    a judge as good as one more person.

    Of `pairs` with anybody's choice, `unread` have none of the judge's; among the others `undecided` have no
    choice that is ahead and `single` one person's alone.
    """

    majority: Agreement
    one_person: Agreement
    ceiling: Agreement
    gap: Figure
    pairs: int
    unread: int
    undecided: int
    single: int


def with_people(
    judge: Sequence[Choice | None],
    people: Sequence[Sequence[Choice]],
    items: Sequence[str],
    *,
    level: float = 0.95,
) -> WithPeople:
    """Agreement on pairs: the judge's choice, people's choices and the item of each.

    Raises:
        BakeoffError: arguments of different lengths, a choice that is none, or no pair that both judged.
        ValueError: level outside (0, 1).
    """
    if not len(judge) == len(people) == len(items):
        raise BakeoffError(
            f"each pair needs a judge's choice, people's and its item, got {len(judge)}, {len(people)} and "
            f"{len(items)}"
        )
    ballots = np.zeros((len(people), 3))
    for pair, said in enumerate(people):
        for choice in said:
            ballots[pair, _place(choice)] += 1
    said_by_judge = np.array([-1 if choice is None else _place(choice) for choice in judge], dtype=np.int64)
    asked = ballots.sum(axis=1) > 0
    both = asked & (said_by_judge >= 0)
    if not both.any():
        raise BakeoffError("the judge and people have no pair in common", "are they of the same items?")
    item = codes(items, len(items), "items")[both]
    votes, choice = ballots[both], np.eye(3)[said_by_judge[both]]
    of_two = votes.sum(axis=1) > 1
    ahead = (votes == votes.max(axis=1, keepdims=True)).sum(axis=1) == 1
    majority = np.eye(3)[votes.argmax(axis=1)]
    n = int(item.max()) + 1
    two, judge_of_two, item_of_two = votes[of_two], choice[of_two], item[of_two]
    others = two.sum(axis=1) - 1
    # Half: of two people each is held against the other, which is one comparison.
    between = (two[:, :, None] * two[:, None, :] - two[:, :, None] * np.eye(3)) / 2
    in_place = judge_of_two[:, :, None] * (two * others[:, None])[:, None, :] / 2
    to_majority = _added((choice[:, :, None] * majority[:, None, :])[ahead], item[ahead], n)
    # Krippendorff counts each pair as often as it has ratings, not pairs of ratings.
    once = 2 / others[:, None, None]
    exchanged, people_only = (_added(tables, item_of_two, n) for tables in (in_place, between))
    return WithPeople(
        majority=_agreement(to_majority, 2 * to_majority, level),
        one_person=_agreement(exchanged, _added(in_place * once, item_of_two, n), level),
        ceiling=_agreement(people_only, _added(between * once, item_of_two, n), level),
        gap=_gap(exchanged, people_only, level),
        pairs=int(asked.sum()),
        unread=int((asked & ~both).sum()),
        undecided=int((~ahead).sum()),
        single=int((~of_two).sum()),
    )


def _place(choice: str) -> int:
    if choice not in CHOICES:
        raise BakeoffError(f"a choice is one of {', '.join(CHOICES)}, got {choice!r:.40}")
    return CHOICES.index(choice)


def _added(tables: FloatArray, item: IntArray, items: int) -> FloatArray:
    """Cross tables (items, 3, 3) from those of pairs (n, 3, 3)."""
    sums = np.zeros((items, 3, 3))
    np.add.at(sums, item, tables)
    return sums


def _agreement(tables: FloatArray, once: FloatArray, level: float) -> Agreement:
    """From cross tables (items, 3, 3) and, for alpha, those in which each rating counts once."""
    n, decided = tables.sum(axis=(1, 2)), tables[:, :2, :2].sum(axis=(1, 2))
    return Agreement(
        raw=figure(tables, _raw, n, level, lowest=0),
        without_ties=figure(tables[:, :2, :2], _raw, decided, level, lowest=0),
        kappa=figure(tables, _kappa, n, level),
        alpha=figure(once, _alpha, once.sum(axis=(1, 2)), level),
    )


def _raw(tables: FloatArray) -> FloatArray:
    return np.asarray(np.trace(tables, axis1=-2, axis2=-1) / tables.sum(axis=(-2, -1)))


def _kappa(tables: FloatArray) -> FloatArray:
    n = tables.sum(axis=(-2, -1))
    chance = (tables.sum(axis=-1) * tables.sum(axis=-2)).sum(axis=-1) / n**2
    return np.asarray((_raw(tables) - chance) / (1 - chance))


def _alpha(tables: FloatArray) -> FloatArray:
    coincidences = (tables + np.swapaxes(tables, -2, -1)) / 2
    ratings = coincidences.sum(axis=-1)
    n = ratings.sum(axis=-1)
    chance = (ratings * (ratings - 1)).sum(axis=-1) / (n * (n - 1))
    return np.asarray((_raw(tables) - chance) / (1 - chance))


def _gap(one: FloatArray, other: FloatArray, level: float) -> Figure:
    both = np.stack([one, other], axis=1)
    return figure(
        both, lambda each: _raw(each[..., 0, :, :]) - _raw(each[..., 1, :, :]), one.sum(axis=(1, 2)), level
    )
