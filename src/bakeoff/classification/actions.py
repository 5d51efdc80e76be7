"""What is done with each case, priced by a matrix: any number of labels, and actions that are no label."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from bakeoff.classification.cases import Case
from bakeoff.classification.costs import NO_ANSWER, Matrix
from bakeoff.classification.folds import folds
from bakeoff.errors import BakeoffError
from bakeoff.stats.arrays import FloatArray, IntArray
from bakeoff.stats.classes.cost import CASES, Cost, best_action
from bakeoff.stats.confidence.temperature import fit_temperature
from bakeoff.stats.groups import codes
from bakeoff.stats.interval import Interval
from bakeoff.stats.mean.bounded import bounded_mean
from bakeoff.stats.mean.clustered import clustered

_LEAST = 1e-6


@dataclass(frozen=True, slots=True)
class ActionRow:
    """Expected cost of 1,000 cases under one way to decide, at `shares` of the labels.

    `decision` is "labels" (what the model says is done), "always", "probabilities" (the action of least
    expected cost) or "calibrated" (the same, with a temperature fitted on the other folds); `action` is what
    is always done. `taken` counts the cases by action.
    """

    decision: str
    action: str | None
    shares: Mapping[str, float]
    cost: Cost
    taken: Mapping[str, int]


def actions(
    cases: Sequence[Case],
    labels: Sequence[str],
    matrix: Matrix,
    shares: Mapping[str, float] | None,
    task: str,
    *,
    level: float = 0.95,
) -> tuple[ActionRow, ...]:
    """A row for each way to decide that there is; `shares` of the labels, by default those of the cases.

    A case without a label has the price of `no_answer`, by default the highest of its label. The interval
    adds up those of the labels' mean prices by squares (MOVER): of bounded means, clustered where answers
    belong together.

    Raises:
        BakeoffError: the matrix lacks a label or a price, or a label that occurs has no case.
    """
    prices = matrix.table(labels)
    counted = [case for case in cases if case.counted]
    here = {label: sum(case.gold == label for case in counted) / len(counted) for label in labels}
    wanted = here if shares is None else shares
    if missing := [label for label, share in wanted.items() if share and not here.get(label)]:
        raise BakeoffError(f"no case has the label {missing[0]!r}, so its errors cannot be priced")
    names = [*matrix.actions, NO_ANSWER]
    gold = np.array([labels.index(case.gold) for case in counted])
    weights = np.array([wanted.get(label, 0.0) for label in labels])
    groups = codes([case.cluster for case in counted], len(counted), "clusters")
    clusters = groups if len(set(groups.tolist())) < len(counted) else None

    def row(decision: str, taken: IntArray) -> ActionRow:
        paid = prices[gold, taken]
        cost = _cost(paid, gold, weights, prices, clusters, level)
        done = {name: int((taken == place).sum()) for place, name in enumerate(names)}
        return ActionRow(decision, None, wanted, cost, {name: n for name, n in done.items() if n})

    said = [NO_ANSWER if case.said is None else case.said for case in counted]
    found = [row("labels", np.array([names.index(each) for each in said]))]
    for place, action in enumerate(matrix.actions):
        value = CASES * float(weights @ prices[:, place])
        known = Cost(value, Interval(value, value, level, "known"))
        found.append(ActionRow("always", action, wanted, known, {action: len(counted)}))
    for decision, beliefs in _beliefs(counted, labels, gold, task):
        # From the shares of these cases to those asked for.
        ratio = np.array([wanted.get(label, 0.0) / here[label] if here[label] else 0.0 for label in labels])
        moved = beliefs * ratio
        moved /= moved.sum(axis=1, keepdims=True)
        taken = best_action(moved, prices[:, :-1])
        known_cases = np.array([case.probabilities is not None for case in counted])
        taken[~known_cases] = len(names) - 1
        found.append(row(decision, taken))
    return tuple(found)


def _beliefs(
    cases: Sequence[Case], labels: Sequence[str], gold: IntArray, task: str
) -> Iterator[tuple[str, FloatArray]]:
    """Probabilities of the labels, (cases, labels), as given and by a temperature of the other folds; even
    ones stand for those that there are none of.
    """
    known = np.array([case.probabilities is not None for case in cases])
    if not known.any():
        return
    even = dict.fromkeys(labels, 1 / len(labels))
    table = np.array([[(case.probabilities or even).get(label, 0.0) for label in labels] for case in cases])
    table = np.clip(table, _LEAST, 1)
    table /= table.sum(axis=1, keepdims=True)
    yield "probabilities", table
    fold_of = folds(gold, [case.unit for case in cases], task)
    scaled = table.copy()
    for fold in np.unique(fold_of):
        others = (fold_of != fold) & known
        temperature = (
            fit_temperature(list(np.log(table[others])), gold[others].tolist()) if others.any() else None
        )
        if temperature is None:
            return
        weights = table[fold_of == fold] ** (1 / temperature)
        scaled[fold_of == fold] = weights / weights.sum(axis=1, keepdims=True)
    yield "calibrated", scaled


def _cost(
    paid: FloatArray,
    gold: IntArray,
    weights: FloatArray,
    prices: FloatArray,
    clusters: IntArray | None,
    level: float,
) -> Cost:
    value = below = above = 0.0
    for label, weight in enumerate(weights):
        of = gold == label
        low, high = float(prices[label].min()), float(prices[label].max())
        if not weight:
            continue
        mean = float(paid[of].mean())
        value += weight * mean
        if high > low:
            # As shares of the way from the lowest price to the highest.
            scaled = np.clip((paid[of] - low) / (high - low), 0, 1)
            grouped = None if clusters is None else clustered(scaled, clusters[of], level)
            interval = grouped or bounded_mean(scaled, level)
            below += (weight * (mean - low - interval.low * (high - low))) ** 2
            above += (weight * (low + interval.high * (high - low) - mean)) ** 2
    limits = Interval(
        CASES * (value - sqrt(below)), CASES * (value + sqrt(above)), level, "mover-bounded mean"
    )
    return Cost(CASES * value, limits)
