"""One interval as a drawing for a cell of a table, in as few bytes as there can be: boards have thousands."""

from collections.abc import Iterable
from math import isfinite

from markupsafe import Markup

from bakeoff.charts.scale import Scale, finite, linear
from bakeoff.charts.units import Unit, raw

_WIDTH = 200
"""Units of the drawing: half a pixel in a cell of 100."""
_OPEN = f'<svg class="ci" viewBox="0 0 {_WIDTH} 12" preserveAspectRatio="none" aria-hidden="true"><path d="'


def shared(values: Iterable[float | None], unit: Unit = raw) -> Scale:
    """The scale of a column, of all values and ends of intervals in it; what is missing has no say."""
    return linear(finite(values), within=unit.within)


def whisker(on: Scale, value: float | None, low: float | None = None, high: float | None = None) -> Markup:
    """A line from `low` to `high` with a stroke at `value`; the numbers themselves belong beside it.

    Without a value there is no drawing; without both ends there is the stroke alone. "Without" is None or
    not finite. What lies beyond the scale is drawn at its end.
    """
    at = _at(on, value)
    if at is None:
        return Markup()
    start, end = _at(on, low), _at(on, high)
    interval = "" if start is None or end is None else f"M{start} 6H{end}"
    return Markup(f'{_OPEN}{interval}M{at} 1v10"/></svg>')  # noqa: S704 (numbers alone)


def _at(on: Scale, value: float | None) -> int | None:
    if value is None or not isfinite(value):
        return None
    # Two units of air: a stroke at the end of the scale stays whole.
    at = (
        on.at(value) if on.log else 100 * (value - on.low) / (on.high - on.low)
    )  # thousands a page: no rounding
    return round(2 + (_WIDTH - 4) / 100 * min(max(at, 0.0), 100.0))
