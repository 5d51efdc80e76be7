"""Agreement of a judge with people."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import isnan, nan

from bakeoff.stats.agreement.agreement import Agreement, gwet
from bakeoff.stats.agreement.kappa import cohen
from bakeoff.stats.agreement.krippendorff import Alpha, krippendorff
from bakeoff.stats.agreement.ratings import cross_table, rating_counts
from bakeoff.stats.interval import Interval
from bakeoff.stats.mean.proportion import wilson

Choice = Hashable | None
"""A grade, a winner, a label; None where there is none."""


@dataclass(frozen=True, slots=True)
class WithPeople:
    """How far a judge's choices are those of a person, on `items` that both gave one.

    `share` is that of equal choices. `kappa` (Cohen's), `ac1` (Gwet's) and `alpha` (Krippendorff's) take off
    what chance would do, each by its own idea of chance: where nearly all items are alike kappa and alpha
    fall towards 0 however well both agree, so show all of them. `unreadable` counts items that a person
    decided and the judge did not; `share_of_all` counts those as disagreement.
    """

    share: float
    interval: Interval
    share_of_all: float
    kappa: Agreement
    ac1: Agreement | None
    alpha: Alpha | None
    items: int
    unreadable: int


def with_people(
    judge: Sequence[Choice],
    person: Sequence[Choice],
    categories: Sequence[Hashable],
    *,
    ordered: bool = False,
    level: float = 0.95,
    seed: int = 0,
) -> WithPeople | None:
    """Agreement of a judge with one person, or with the label that several agreed on.

    `categories` are all choices there are, in their order. `ordered` counts near misses as partly right in
    alpha (ordinal); kappa and AC1 are unweighted. None if no item has both. Two people are compared with
    each other by the same function: the ceiling for any judge.

    Raises:
        ValueError: lengths differ, a choice that is no category, fewer than two categories or one twice.
    """
    if len(judge) != len(person):
        raise ValueError(f"each item needs both choices, got {len(judge)} and {len(person)}")
    pairs = list(zip(numbered(judge, categories), numbered(person, categories), strict=True))
    both = [(one, other) for one, other in pairs if not isnan(one) and not isnan(other)]
    if not both:
        return None
    decided = sum(not isnan(other) for _, other in pairs)
    equal, n = sum(one == other for one, other in both), len(both)
    numbers = list(range(len(categories)))
    return WithPeople(
        share=equal / n,
        interval=wilson(equal, n, level),
        share_of_all=equal / decided,
        kappa=cohen(cross_table(both, numbers), level=level),
        ac1=gwet(rating_counts(both, numbers), level=level),
        alpha=krippendorff(both, "ordinal" if ordered else "nominal", level=level, seed=seed),
        items=n,
        unreadable=decided - n,
    )


def numbered(choices: Sequence[Choice], categories: Sequence[Hashable]) -> list[float]:
    """The place of each choice among the categories, NaN for None.

    Raises:
        ValueError: fewer than two categories or one twice, or a choice that is none of them.
    """
    number = {category: place for place, category in enumerate(categories)}
    if len(number) < max(2, len(categories)):
        raise ValueError(f"categories must be two or more, all different, got {list(categories)}")
    if unknown := [each for each in choices if each is not None and each not in number]:
        raise ValueError(f"each choice must be one of {list(categories)}, got {unknown[0]!r}")
    return [nan if each is None else number[each] for each in choices]
