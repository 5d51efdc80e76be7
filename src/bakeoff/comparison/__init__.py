"""Two or more runs on the same items: differences, ranks, groups, and what would settle the rest."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bakeoff.comparison.comparison import Comparison, Disagreement, Pair, Standing, VarianceSplit
    from bakeoff.comparison.runs import compare, comparisons

_HOMES = {
    "Comparison": "comparison",
    "Disagreement": "comparison",
    "Pair": "comparison",
    "Standing": "comparison",
    "VarianceSplit": "comparison",
    "compare": "runs",
    "comparisons": "runs",
}

__all__ = [
    "Comparison",
    "Disagreement",
    "Pair",
    "Standing",
    "VarianceSplit",
    "compare",
    "comparisons",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
