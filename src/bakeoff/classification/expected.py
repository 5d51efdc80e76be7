"""Expected cost of 1,000 cases under each way to decide."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from bakeoff.classification.calibration import moved_by_others
from bakeoff.classification.costs import Costs
from bakeoff.classification.decisions import Decisions
from bakeoff.classification.folds import folds
from bakeoff.classification.report import CostRow, Decision
from bakeoff.classification.threshold import cheapest, flags, nested, nested_draws
from bakeoff.stats.arrays import FloatArray, IntArray
from bakeoff.stats.classes.cost import CASES, Cost, bayes_threshold, error_cost
from bakeoff.stats.classes.prevalence import prevalence_weights
from bakeoff.stats.classes.rare import bias_corrected, detection
from bakeoff.stats.confidence.logistic import LEAST, fit_line
from bakeoff.stats.interval import Interval


@dataclass(frozen=True, slots=True)
class Terms:
    """What costs are of: the prices, the share of positives, the level of intervals, the task's name, and how
    far probabilities are kept from 0 and 1 where their logits are needed.
    """

    costs: Costs
    prevalence: float
    level: float
    task: str
    least: float = LEAST


def expected(data: Decisions, terms: Terms, tuning: Decisions | None) -> Iterator[CostRow]:
    """A row for each way to decide that there is, given positives and negatives.

    `tuning` are the cases of another run to choose the threshold on, without those of `data`.
    """
    yield _row("labels", data, data.flagged, terms)
    yield _known("flag nothing", CASES * terms.prevalence * terms.costs.false_negative, terms)
    yield _known("flag everything", CASES * (1 - terms.prevalence) * terms.costs.false_positive, terms)
    if data.scores is None or data.prevalence is None:
        return
    yield from _break_even(data, terms)
    if tuning is not None and tuning.scores is not None:
        choice = cheapest(tuning.scores, tuning.positive, terms.costs, terms.prevalence)
        if choice is not None:
            flagged = flags(data.scores, choice.threshold)
            yield _row("other run", data, flagged, terms, choice.threshold, apparent=choice.apparent)
        return
    row = nested_cost(data, terms)
    if row is not None:
        yield row


def nested_cost(data: Decisions, terms: Terms) -> CostRow | None:
    """The cost where each fold is flagged by the threshold chosen on the others.

    Other items would have chosen other thresholds: the interval is the widest of the one of the flags as they
    are and of one over redrawn items, on which the thresholds are chosen anew.
    """
    if data.scores is None:
        return None
    fold_of = folds(data.positive, [case.unit for case in data.cases], terms.task)
    found = nested(data.scores, data.positive, fold_of, terms.costs, terms.prevalence)
    choice = cheapest(data.scores, data.positive, terms.costs, terms.prevalence)
    if found is None or choice is None:
        return None
    row = _row("nested", data, found.flagged, terms, choice.threshold, found.thresholds, choice.apparent)
    clusters = np.arange(len(data.cases)) if data.clusters is None else data.clusters
    drawn = nested_draws(data.scores, data.positive, fold_of, clusters, terms.costs, terms.prevalence)
    if not len(drawn):
        return row
    low, high = bias_corrected(drawn, row.cost.value, terms.level)
    given = row.cost.interval
    wide = Interval(
        min(given.low, low), max(given.high, high), terms.level, f"{given.method}, thresholds redrawn"
    )
    return replace(row, cost=Cost(row.cost.value, wide))


def answers_cost(data: Decisions, terms: Terms) -> Cost | None:
    """The cost of the model's own labels; None without positives or without negatives."""
    return _cost(data.flagged, data, terms)


def _break_even(data: Decisions, terms: Terms) -> Iterator[CostRow]:
    """Flag where the probability, moved to the prevalence asked for, says that flagging pays: as given, and
    moved by a line fitted on the other folds.
    """
    assert data.scores is not None
    assert data.prevalence is not None
    pays = bayes_threshold(terms.costs.false_positive, terms.costs.false_negative)
    # The same threshold on the probabilities as they are at the share of positives of the items.
    positive, negative = prevalence_weights(data.prevalence, terms.prevalence)
    threshold = pays * negative / (pays * negative + (1 - pays) * positive)
    yield _row("break-even", data, _flags(data, data.scores[data.known], threshold), terms, threshold)
    scores, labels = data.scores[data.known], data.positive[data.known]
    fold_of = folds(data.positive, [case.unit for case in data.cases], terms.task)[data.known]
    moved = moved_by_others(scores, labels, fold_of, least=terms.least)
    line = fit_line(scores, labels, least=terms.least)
    if moved is not None and line is not None:
        before = line.before(threshold) if 0 < threshold < 1 else threshold
        yield _row("calibrated", data, _flags(data, moved, threshold), terms, before)


def _flags(data: Decisions, known: FloatArray, threshold: float) -> IntArray:
    """Flags of the cases with a probability by the threshold; of the others as they are."""
    flagged = data.flagged.copy()
    flagged[data.known] = flags(known, threshold)
    return flagged


def _row(
    decision: Decision,
    data: Decisions,
    flagged: IntArray,
    terms: Terms,
    threshold: float | None = None,
    folds: tuple[float | None, ...] = (),
    apparent: float | None = None,
) -> CostRow:
    found = detection(flagged, data.positive, level=terms.level, clusters=data.clusters, draws=1)
    cost = _cost(flagged, data, terms)
    assert cost is not None  # there are positives and negatives
    return CostRow(
        decision, terms.prevalence, cost, threshold, folds, apparent, found.recall, found.specificity
    )


def _cost(flagged: IntArray, data: Decisions, terms: Terms) -> Cost | None:
    intervals = None
    if data.clusters is not None:
        found = detection(flagged, data.positive, level=terms.level, clusters=data.clusters, draws=1)
        if found.recall is not None and found.specificity is not None:
            missed, alarms = (_turned(each.interval) for each in (found.recall, found.specificity))
            intervals = (missed, alarms)
    return error_cost(
        int((data.positive * (1 - flagged)).sum()),
        data.positives,
        int(((1 - data.positive) * flagged).sum()),
        data.negatives,
        false_positive=terms.costs.false_positive,
        false_negative=terms.costs.false_negative,
        prevalence=terms.prevalence,
        level=terms.level,
        rates=intervals,
    )


def _turned(interval: Interval) -> Interval:
    """The interval of the share that a rate leaves."""
    return replace(interval, low=1 - interval.high, high=1 - interval.low)


def _known(decision: Decision, value: float, terms: Terms) -> CostRow:
    return CostRow(decision, terms.prevalence, Cost(value, Interval(value, value, terms.level, "known")))
