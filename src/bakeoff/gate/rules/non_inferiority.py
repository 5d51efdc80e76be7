"""Non-inferiority: passes only if the run is shown to be less than a margin worse than its baseline."""

from dataclasses import replace
from math import fsum

from bakeoff.gate.difference import bounds, more_items, not_inferior, p_beyond
from bakeoff.gate.evidence import Candidate, Evidence, one_group
from bakeoff.gate.policy import NonInferiority
from bakeoff.gate.rules.against import against
from bakeoff.gate.words import about, exactly


def non_inferiority(rule: NonInferiority, candidate: Candidate, alpha: float) -> Evidence:
    """Passes if it is shown to be worse by less than the margin; fails if the test that it is worse by more
    rejects.
    """
    paired = candidate.paired
    assert paired is not None
    n = len(paired.items)
    interval, decided = bounds(paired, alpha), not_inferior(paired, rule.margin, alpha)
    if interval is None or decided is None:
        return one_group("non_inferiority", n)
    shown, low = decided
    interval = replace(interval, low=low)
    found, margin = against(paired, interval), f"{exactly(rule.margin)} points"
    difference = fsum(paired.differences) / n
    needed = more_items(difference + rule.margin, paired.differences, paired.clusters, alpha)
    return Evidence(
        rule="non_inferiority",
        says={
            "pass": f"worse by less than {margin}, if at all: {found}",
            "fail": f"worse by more than {margin}: {found}",
            "inconclusive": f"worse by more or by less than {margin}, these items cannot tell: {found}",
        },
        alarm=p_beyond(paired, -rule.margin),
        shown=shown,
        help={
            "inconclusive": f"{about(needed)} more items would settle a difference like this"
            if needed
            else ""
        },
        n=n,
        value=difference,
        low=interval.low,
        high=interval.high,
        limit=-rule.margin,
    )
