"""Self-consistency: does a judge say the same of the same case again?"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import isnan, nan

from bakeoff.judging.agreement import Choice, numbered
from bakeoff.stats.agreement.agreement import Agreement, gwet
from bakeoff.stats.agreement.krippendorff import Alpha, krippendorff
from bakeoff.stats.agreement.ratings import rating_counts


@dataclass(frozen=True, slots=True)
class Consistency:
    """How far a judge repeats itself on the same case.

    `share` is the probability that two of its verdicts on one case are equal; `alpha` the same beyond chance.
    `items` counts cases with two verdicts or more; `unreadable` counts verdicts.
    """

    share: float
    ac1: Agreement
    alpha: Alpha | None
    items: int
    unreadable: int


def consistency(
    repeats: Sequence[Sequence[Choice]],
    categories: Sequence[Hashable],
    *,
    ordered: bool = False,
    level: float = 0.95,
    seed: int = 0,
) -> Consistency | None:
    """Self-consistency of a judge: `repeats` holds its choices on each case, as often as it was asked.

    A judge that always says the same is consistent and knows nothing: read it beside `with_people`. None if
    no case has two readable verdicts.

    Raises:
        ValueError: fewer than two categories or one twice, or a choice that is none of them.
    """
    rows = [numbered(each, categories) for each in repeats]
    most = max(map(len, rows), default=0)
    table = [row + [nan] * (most - len(row)) for row in rows]
    if not any(sum(not isnan(each) for each in row) > 1 for row in table):
        return None
    ac1 = gwet(rating_counts(table, list(range(len(categories)))), level=level)
    assert ac1 is not None
    return Consistency(
        share=ac1.observed,
        ac1=ac1,
        alpha=krippendorff(table, "ordinal" if ordered else "nominal", level=level, seed=seed),
        items=ac1.items,
        unreadable=sum(isnan(each) for row in rows for each in row),
    )
