"""An absolute floor for the score."""

from math import fsum

from bakeoff.gate.difference import more_items
from bakeoff.gate.evidence import Candidate, Evidence, fact, one_group
from bakeoff.gate.pairing import clusters_of
from bakeoff.gate.policy import Floor
from bakeoff.gate.words import about, exactly, percent
from bakeoff.stats import Interval, clopper_pearson, clustered
from bakeoff.stats.mean.bounded import bounded_mean
from bakeoff.stats.pair.equivalence import narrow_level
from bakeoff.stats.pair.onesided import p_below


def floor(rule: Floor, candidate: Candidate, alpha: float) -> Evidence:
    """Passes if the lower bound of the score reaches the floor, fails if the test that it is lower rejects.

    Bounds are Clopper–Pearson's for scores of 0 and 1, which hold whatever the true score; Student's or
    Wilson's for partial scores (`bounded_mean`); clustered ones where items have groups. The score is over
    all items the run has scored.
    """
    items = list(candidate.side.scored())
    values = [item.value for item in items if item.value is not None]
    clusters, n = clusters_of(items), len(values)
    score, limit = fsum(values) / n, f"{exactly(rule.score)} %"
    if rule.point:
        reached = score >= rule.score
        return fact(
            "floor",
            "pass" if reached else "fail",
            f"the score is {percent(score)}, {'at or above' if reached else 'below'} {limit} as it "
            "stands: the policy asks for the number itself, not for what it can bear",
            n=n,
            value=score,
            limit=rule.score,
        )

    def interval(level: float) -> Interval | None:
        if clusters is not None:
            return clustered(values, clusters, level)
        if all(value in (0.0, 1.0) for value in values):
            return clopper_pearson(int(fsum(values)), n, level)
        return bounded_mean(values, level)

    def estimable(level: float) -> Interval:
        found = interval(level)
        assert found is not None
        return found

    found = interval(narrow_level(1 - alpha))
    if found is None:
        return one_group("floor", n)
    measured = f"{percent(score)} [{100 * found.low:.1f}, {100 * found.high:.1f}]"
    needed = more_items(score - rule.score, values, clusters, alpha, lowest=0.0)
    return Evidence(
        rule="floor",
        says={
            "pass": f"the score is {limit} or above: {measured}",
            "fail": f"the score is below {limit}: {measured}",
            "inconclusive": f"above or below {limit}, these items cannot tell: {measured}",
        },
        alarm=p_below(estimable, rule.score),
        shown=found.low >= rule.score,
        help={"inconclusive": f"{about(needed)} more items would settle a score like this" if needed else ""},
        n=n,
        value=score,
        low=found.low,
        high=found.high,
        limit=rule.score,
    )
