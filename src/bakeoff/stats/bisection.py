"""Where a falling function crosses a level."""

from collections.abc import Callable


def falls_to(function: Callable[[float], float], level: float, low: float, high: float) -> float:
    """Where a falling `function` crosses `level` between `low` and `high`, to machine precision."""
    while low < (middle := (low + high) / 2) < high:
        if function(middle) > level:
            low = middle
        else:
            high = middle
    return (low + high) / 2
