"""Ceilings for the time an answer takes."""

from bakeoff.gate.difference import more_items
from bakeoff.gate.evidence import Candidate, Evidence, fact
from bakeoff.gate.policy import Latency
from bakeoff.gate.words import about, seconds
from bakeoff.stats.mean.quantile import quantile_exceeds, quantile_interval
from bakeoff.stats.pair.equivalence import narrow_level
from bakeoff.store import query

_TIMES = "SELECT latency_s FROM samples WHERE latency_s IS NOT NULL AND NOT cached ORDER BY latency_s"


def latency(rule: Latency, candidate: Candidate, alpha: float) -> tuple[Evidence, ...]:
    """One finding for each quantile that has a ceiling, on the answers that were timed.

    Passes if the upper bound of the quantile is within the ceiling, fails if the test that it is above
    rejects. Answers from the cache have no latency.
    """
    times = [time for (time,) in query(candidate.folder, _TIMES)]
    asked = (("p50", 0.5, rule.p50), ("p95", 0.95, rule.p95))
    return tuple(
        _quantile(name, q, ceiling, times, candidate, alpha)
        for name, q, ceiling in asked
        if ceiling is not None
    )


def _quantile(
    name: str, q: float, ceiling: float, times: list[float], candidate: Candidate, alpha: float
) -> Evidence:
    rule, n, total = f"latency {name}", len(times), candidate.side.counts.get("total", 0)
    if not times:
        return fact(rule, "inconclusive", "no answer was timed: all came from the cache or a file", _NO_CACHE)
    found = quantile_interval(times, q, narrow_level(1 - alpha))
    seen = times[min(n - 1, int(q * n))]
    measured = f"{seconds(seen)} [{seconds(max(0.0, found.low))}, {seconds(found.high)}]"
    if n < total:
        measured += f", n = {n:,}: the other {total - n:,} answers were not timed"
    within = [float(time <= ceiling) for time in times]
    needed = more_items(sum(within) / n - q, within, None, alpha, lowest=0.0)
    return Evidence(
        rule=rule,
        says={
            "pass": f"within {seconds(ceiling)}: {measured}",
            "fail": f"above {seconds(ceiling)}: {measured}",
            "inconclusive": f"within or above {seconds(ceiling)}, these answers cannot tell: {measured}",
        },
        alarm=quantile_exceeds(times, q, ceiling),
        shown=found.high <= ceiling,
        help={"inconclusive": f"{about(needed)} more timed answers would settle it" if needed else ""},
        n=n,
        value=seen,
        low=found.low,
        high=found.high,
        limit=ceiling,
    )


_NO_CACHE = "run the task again with --no-cache"
