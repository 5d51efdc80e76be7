"""Expected cost of 1,000 cases under each way to decide."""

from collections.abc import Iterator
from dataclasses import dataclass

from bakeoff.classification.costs import Costs
from bakeoff.classification.decisions import Decisions
from bakeoff.classification.report import CostRow, Decision
from bakeoff.classification.threshold import cheapest, flags, nested
from bakeoff.stats.arrays import IntArray
from bakeoff.stats.classes.cost import CASES, Cost, bayes_threshold, error_cost
from bakeoff.stats.classes.prevalence import prevalence_weights, recalibrate
from bakeoff.stats.classes.rare import detection
from bakeoff.stats.interval import Interval


@dataclass(frozen=True, slots=True)
class Terms:
    """What costs are of: the prices, the share of positives, the level of intervals, and the task's name."""

    costs: Costs
    prevalence: float
    level: float
    task: str


def expected(data: Decisions, terms: Terms, tuning: Decisions | None) -> Iterator[CostRow]:
    """A row for each way to decide that there is, given positives and negatives.

    `tuning` are the cases of another run to choose the threshold on, without those of `data`.
    """
    yield _row("labels", data, data.flagged, terms)
    yield _known("flag nothing", CASES * terms.prevalence * terms.costs.false_negative, terms)
    yield _known("flag everything", CASES * (1 - terms.prevalence) * terms.costs.false_positive, terms)
    if data.scores is None or data.prevalence is None:
        return
    yield _break_even(data, terms)
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
    """The cost where each fold is flagged by the threshold chosen on the others. The interval takes the flags
    as given: it does not know that other items would have chosen other thresholds.
    """
    if data.scores is None:
        return None
    units = [case.unit for case in data.cases]
    folds = nested(data.scores, data.positive, units, terms.costs, terms.prevalence, terms.task)
    choice = cheapest(data.scores, data.positive, terms.costs, terms.prevalence)
    if folds is None or choice is None:
        return None
    return _row("nested", data, folds.flagged, terms, choice.threshold, folds.thresholds, choice.apparent)


def answers_cost(data: Decisions, terms: Terms) -> Cost | None:
    """The cost of the model's own labels; None without positives or without negatives."""
    return _cost(data.flagged, data, terms)


def _break_even(data: Decisions, terms: Terms) -> CostRow:
    """Flag where the probability, moved to the prevalence asked for, says that flagging pays."""
    assert data.scores is not None
    assert data.prevalence is not None
    pays = bayes_threshold(terms.costs.false_positive, terms.costs.false_negative)
    moved = recalibrate(data.scores, data.prevalence, terms.prevalence)
    # The same threshold on the probabilities as the model gives them.
    positive, negative = prevalence_weights(data.prevalence, terms.prevalence)
    threshold = pays * negative / (pays * negative + (1 - pays) * positive)
    return _row("break-even", data, flags(moved, pays), terms, threshold)


def _row(
    decision: Decision,
    data: Decisions,
    flagged: IntArray,
    terms: Terms,
    threshold: float | None = None,
    folds: tuple[float | None, ...] = (),
    apparent: float | None = None,
) -> CostRow:
    found = detection(flagged, data.positive, level=terms.level, draws=1)
    cost = _cost(flagged, data, terms)
    assert cost is not None  # there are positives and negatives
    return CostRow(
        decision, terms.prevalence, cost, threshold, folds, apparent, found.recall, found.specificity
    )


def _cost(flagged: IntArray, data: Decisions, terms: Terms) -> Cost | None:
    return error_cost(
        int((data.positive * (1 - flagged)).sum()),
        data.positives,
        int(((1 - data.positive) * flagged).sum()),
        data.negatives,
        false_positive=terms.costs.false_positive,
        false_negative=terms.costs.false_negative,
        prevalence=terms.prevalence,
        level=terms.level,
    )


def _known(decision: Decision, value: float, terms: Terms) -> CostRow:
    return CostRow(decision, terms.prevalence, Cost(value, Interval(value, value, terms.level, "known")))
