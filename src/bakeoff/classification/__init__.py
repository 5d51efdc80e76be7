"""Yes-or-no decisions where positives are rare: what is found, what is flagged wrongly, what it costs."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bakeoff.classification.costs import Costs, Matrix, read_costs
    from bakeoff.classification.of_run import classify
    from bakeoff.classification.report import Report

_HOMES = {
    "Costs": "costs",
    "Matrix": "costs",
    "Report": "report",
    "classify": "of_run",
    "read_costs": "costs",
}

__all__ = ["Costs", "Matrix", "Report", "classify", "read_costs"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
