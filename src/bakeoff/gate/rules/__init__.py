"""The rules a policy can hold: one file each, from a run to what it finds."""

from bakeoff.gate.evidence import Candidate, Evidence
from bakeoff.gate.policy import Cost, Floor, Latency, NonInferiority, NoRegression, RequiredItems, Rule
from bakeoff.gate.rules.cost import cost
from bakeoff.gate.rules.floor import floor
from bakeoff.gate.rules.latency import latency
from bakeoff.gate.rules.no_regression import no_regression
from bakeoff.gate.rules.non_inferiority import non_inferiority
from bakeoff.gate.rules.required_items import required_items


def evidence(rule: Rule, candidate: Candidate, alpha: float) -> tuple[Evidence, ...]:
    """What `rule` finds on the candidate, whose coverage is whole; latency may find two things."""
    match rule:
        case NoRegression():
            return (no_regression(candidate, alpha),)
        case NonInferiority():
            return (non_inferiority(rule, candidate, alpha),)
        case Floor():
            return (floor(rule, candidate, alpha),)
        case RequiredItems():
            return (required_items(rule, candidate),)
        case Cost():
            return (cost(rule, candidate),)
        case Latency():
            return latency(rule, candidate, alpha)
    raise TypeError(f"there is no rule {type(rule).__name__}")
