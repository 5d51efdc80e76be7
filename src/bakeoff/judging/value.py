"""What a verdict is worth as a score."""

from bakeoff.judging.prompt import Order, winner
from bakeoff.judging.reading import Verdict
from bakeoff.judging.rubric import NOT_APPLICABLE, Rubric
from bakeoff.stats.retrieval.measures import average_precision


def value_of(verdict: Verdict, rubric: Rubric, order: Order = (0,)) -> float | None:
    """The mean over the criteria, in [0, 1]; None where no unit can be judged, which is not scorable.

    Grades: 0 for the worst level, 1 for the best, the others evenly between. Pairs: 1 where answer 0 won,
    whichever place the `order` gave it, 0 where answer 1 did, 1/2 for a tie. Units: the share of those at the
    best level among those that are applicable, or the average precision of their ranking.
    """
    if rubric.kind == "units":
        return _of_units(verdict, rubric)
    if rubric.kind == "grades":
        levels = zip(rubric.criteria, verdict.findings, strict=True)
        values = [criterion.value(int(finding.choice)) for criterion, finding in levels]
    else:
        won = {0: 1.0, 1: 0.0, None: 0.5}
        values = [won[winner(finding.choice, order)] for finding in verdict.findings]
    return sum(values) / len(values)


def _of_units(verdict: Verdict, rubric: Rubric) -> float | None:
    judged = [each for each in verdict.findings if each.choice != NOT_APPLICABLE]
    if not judged:
        return None
    best = [str(each.unit) for each in judged if each.choice == len(rubric.criteria[0].levels)]
    if rubric.summary == "share":
        return len(best) / len(judged)
    ranking = [str(each.unit) for each in verdict.findings]
    # Where none of them is any good, the ranking could not be worse.
    return average_precision(ranking, dict.fromkeys(best, 1.0)) or 0.0
