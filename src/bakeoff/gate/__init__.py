"""Is a run good enough to release? Pass, fail or inconclusive, against a policy and a promoted baseline.

Names are imported on first use: the pytest plugin lies here, and must cost nothing when pytest starts.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bakeoff.gate.decision import decide
    from bakeoff.gate.policy import Policy, read_policy
    from bakeoff.gate.promotion import Promotion, promote
    from bakeoff.gate.report import Entry, Finding, Report, Verdict

_HOMES = {
    "Entry": "report",
    "Finding": "report",
    "Policy": "policy",
    "Promotion": "promotion",
    "Report": "report",
    "Verdict": "report",
    "decide": "decision",
    "promote": "promotion",
    "read_policy": "policy",
}

__all__ = [
    "Entry",
    "Finding",
    "Policy",
    "Promotion",
    "Report",
    "Verdict",
    "decide",
    "promote",
    "read_policy",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
