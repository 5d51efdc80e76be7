"""Quality against what it takes: the front, and the cheapest that is not worse by more than a margin."""

from collections.abc import Mapping, Sequence

import numpy as np

from bakeoff.comparison.comparison import By, Choice, Front, NotWorse, Spending
from bakeoff.comparison.pairs import Pairs
from bakeoff.stats.board.pareto import front_with_uncertainty
from bakeoff.stats.pair.equivalence import narrow_level, non_inferiority


def fronts(pairs: Pairs, spent: Mapping[str, Spending]) -> tuple[Front, ...]:
    """A front for each of cost and latency that is known of every candidate; none without a covariance."""
    if pairs.covariance is None or len(pairs.labels) < 2:
        return ()
    found = []
    for by in _known(pairs.labels, spent):
        price = _prices(by, pairs.labels, spent)
        front = front_with_uncertainty(
            pairs.means.mean(axis=1), pairs.covariance, price, level=pairs.level, seed=pairs.seed
        )
        labels = pairs.labels
        beaten_by: dict[str, tuple[str, ...]] = {}
        for label, winners in zip(labels, front.beaten_by, strict=True):
            sure = [labels[i] for i in winners if _takes_less(by, spent[labels[i]], spent[label])]
            if sure:
                beaten_by[label] = tuple(sure)
        found.append(
            Front(
                by=by,
                price=dict(zip(labels, price, strict=True)),
                on=tuple(label for label in labels if label not in beaten_by),
                beaten_by=beaten_by,
                probability=dict(zip(labels, front.probability, strict=True)),
            )
        )
    return tuple(found)


def choice(pairs: Pairs, spent: Mapping[str, Spending], margin: float) -> Choice | None:
    """The cheapest that is not worse by more than `margin`, in (0, 1); by latency where costs are not known.

    None where neither is known of every candidate.
    """
    known = _known(pairs.labels, spent)
    if not known or len(pairs.labels) < 2:
        return None
    by = known[0]
    price = _prices(by, pairs.labels, spent)
    level = 1 - (1 - pairs.level) / (len(pairs.labels) - 1)
    means = pairs.means.mean(axis=1)
    order = sorted(range(len(price)), key=lambda i: (price[i], -round(float(means[i]), 12), pairs.labels[i]))
    found = []
    for i in order:
        bound = _bound(pairs, i, margin, level)
        shown = bound is not None and bound > -margin
        at_most = None if bound is None else max(0.0, -bound)
        found.append(NotWorse(pairs.labels[i], price[i], at_most, shown))
    return Choice(by, margin, tuple(found), next((each.label for each in found if each.shown), None))


def _bound(pairs: Pairs, candidate: int, margin: float, level: float) -> float | None:
    """The one-sided lower bound of a candidate's score minus the best of the others'."""
    lowest: float | None = None
    exact: list[tuple[int, int]] = []
    for other in range(len(pairs.labels)):
        if other == candidate:
            continue
        interval = pairs.interval(other, candidate, narrow_level(level))
        if interval is None:
            return None
        lowest = interval.low if lowest is None else min(lowest, interval.low)
        difference = pairs.differences(other, candidate)
        if pairs.clusters is None and np.isin(difference, (-1.0, 0.0, 1.0)).all():
            exact.append((int((difference > 0).sum()), int((difference < 0).sum())))
    # What Tango's bound shows on right or wrong, the exact test has to show too.
    if lowest is not None and lowest > -margin:
        n = pairs.means.shape[1]
        lowest = min(lowest, *(non_inferiority(b, c, n, margin, level).bound for b, c in set(exact)), 1.0)
    return lowest


def _takes_less(by: By, rival: Spending, other: Spending) -> bool:
    """Whether a rival surely takes no more: costs are exact, medians are if their intervals lie apart."""
    if by == "cost":
        return True
    first, second = (each.p50.interval if each.p50 else None for each in (rival, other))
    return first is not None and second is not None and first.high <= second.low


def _known(labels: Sequence[str], spent: Mapping[str, Spending]) -> list[By]:
    every: tuple[By, ...] = ("cost", "latency")
    return [by for by in every if all(_price(by, spent.get(label)) is not None for label in labels)]


def _prices(by: By, labels: Sequence[str], spent: Mapping[str, Spending]) -> list[float]:
    prices = [_price(by, spent[label]) for label in labels]
    return [price for price in prices if price is not None]


def _price(by: By, spending: Spending | None) -> float | None:
    if spending is None:
        return None
    return spending.per_thousand if by == "cost" else spending.p50.value if spending.p50 else None
