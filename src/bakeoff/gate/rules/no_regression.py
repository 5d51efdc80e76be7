"""No regression: fails only if the run is significantly worse than its baseline."""

from bakeoff.gate.difference import bounds, p_worse
from bakeoff.gate.evidence import Candidate, Evidence, one_group
from bakeoff.gate.rules.against import against


def no_regression(candidate: Candidate, alpha: float) -> Evidence:
    """The test that the run is worse. A pass claims nothing: there may be a drop too small to be seen."""
    paired = candidate.paired
    assert paired is not None
    interval = bounds(paired, alpha)
    if interval is None:
        return one_group("no_regression", len(paired.items))
    found = against(paired, interval)
    return Evidence(
        rule="no_regression",
        says={
            "pass": f"not significantly worse: {found}",
            "fail": f"significantly worse: {found}",
        },
        alarm=p_worse(paired),
        shown=True,
        help={"fail": f"see the items lost: bakeoff show {candidate.folder} --item ID"},
        n=len(paired.items),
        value=sum(paired.differences) / len(paired.items),
        low=interval.low,
        high=interval.high,
        limit=0.0,
    )
