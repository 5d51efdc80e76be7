"""Two runs on the same items: is the difference more than noise?"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from bakeoff.errors import BakeoffError
from bakeoff.stats import Interval, clustered_difference, tango
from bakeoff.store import query

Verdict = Literal["better", "worse", "cannot tell"]


@dataclass(frozen=True, slots=True)
class Contrast:
    """The second run against the first, paired by item.

    `difference` is the mean of second minus first over the `n` items that both runs scored; `left_out` items
    were scored in one of them only. `won` and `lost` count the items on which the second run did better or
    worse. `interval` is None where it cannot be estimated (all items in one group).
    """

    difference: float
    interval: Interval | None
    verdict: Verdict
    n: int
    won: int
    lost: int
    left_out: int


def contrast(first: Path, second: Path, *, level: float = 0.95) -> Contrast:
    """Compare two runs item by item. Repeats are averaged within their item first.

    The interval is Tango's score interval, or the clustered one where items have groups. The verdict is
    `better` or `worse` only if the interval leaves out 0.

    Raises:
        BakeoffError: the runs share no scored item.
    """
    one, other = _values(first), _values(second)
    shared = [item for item in one if item in other]
    if not shared:
        raise BakeoffError(f"{first} and {second} share no scored item", "compare runs over the same items")
    differences = [other[item][0] - one[item][0] for item in shared]
    mean = sum(differences) / len(shared)
    groups = [one[item][1] for item in shared]
    if any(group is not None for group in groups):
        clusters = [group if group is not None else ("item", i) for i, group in enumerate(groups)]
        interval = clustered_difference(differences, clusters, level)
    else:
        gained = sum(each for each in differences if each > 0)
        given_up = -sum(each for each in differences if each < 0)
        interval = tango(gained, given_up, len(shared), level)
    return Contrast(
        difference=mean,
        interval=interval,
        verdict=_verdict(interval),
        n=len(shared),
        won=sum(each > 0 for each in differences),
        lost=sum(each < 0 for each in differences),
        left_out=len(one.keys() ^ other.keys()),
    )


def _values(folder: Path) -> dict[str, tuple[float, str | None]]:
    rows = query(
        folder,
        'SELECT item_id, avg(value), any_value("group") FROM samples WHERE value IS NOT NULL '
        "GROUP BY item_id ORDER BY item_id",
    )
    return {item: (value, group) for item, value, group in rows}


def _verdict(interval: Interval | None) -> Verdict:
    if interval is not None and interval.low > 0:
        return "better"
    if interval is not None and interval.high < 0:
        return "worse"
    return "cannot tell"
