"""Whether answers are right as often as the model says."""

from dataclasses import dataclass

from markupsafe import Markup

from bakeoff.charts.figure import Table, drawn, figure
from bakeoff.charts.plane import HEIGHT, Plane, down, plane
from bakeoff.charts.scale import Scale, thinned
from bakeoff.charts.units import share

COUNTS = 46
"""Pixels: the height of the bars that say how many answers a bin has."""
_QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
_WHOLE = Scale(0.0, 1.0, _QUARTERS)


@dataclass(frozen=True, slots=True)
class Bin:
    """The `n` answers with a confidence from `start` to `end`, shares in [0, 1].

    `confidence` is their mean, `accuracy` the share of them that is right, `low` to `high` its interval;
    all None in a bin without answers.
    """

    start: float
    end: float
    n: int
    confidence: float | None = None
    accuracy: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Reliability:
    """The bins of a model, from the lowest confidence."""

    title: str
    bins: tuple[Bin, ...]
    says: str = ""
    x_name: str = "confidence"
    y_name: str = "right"


@dataclass(frozen=True, slots=True)
class Mark:
    """A bin in its place, in per cent across and pixels down; its bar stands on the floor of its strip."""

    at: float
    y: float
    top: float | None
    bottom: float | None
    title: str


@dataclass(frozen=True, slots=True)
class Bar:
    """How many answers a bin has: from `at` per cent, `width` per cent wide, `height` pixels high."""

    at: float
    width: float
    height: float
    count: str


@dataclass(frozen=True, slots=True)
class Layout:
    """A reliability diagram in its places."""

    plane: Plane
    marks: tuple[Mark, ...]
    bars: tuple[Bar, ...]
    line: str
    counts: int = COUNTS


def reliability(data: Reliability, key: str, table: bool | str = True) -> Markup:
    """The figure, or a sentence where no bin has an answer.

    Raises:
        ValueError: a share outside [0, 1], a bin with answers and no mean or accuracy, a count below 0, or
            a `key` that is no name for ids.
    """
    view = layout(data)
    frame = figure(key, data.title, data.says, _description(data), _table(data), table)
    return drawn("reliability.svg.j2", f=frame, view=view, data=data)


def layout(data: Reliability) -> Layout:
    """Where everything goes."""
    for each in data.bins:
        _check(each)
    filled = [each for each in data.bins if each.n]
    most = max((each.n for each in filled), default=1)
    marks = tuple(_mark(each) for each in filled)
    bars = tuple(
        Bar(
            _WHOLE.at(each.start),
            round(100 * (each.end - each.start), 2),
            round(COUNTS * each.n / most, 1),
            _compact(each.n),
        )
        for each in filled
    )
    across = thinned([_WHOLE.at(value) for value in _QUARTERS], [share.tick(value) for value in _QUARTERS])
    axes = plane(across, _WHOLE, share, share.axis(data.x_name) + " →", data.y_name, HEIGHT)
    line = "M" + "L".join(f"{mark.at:g} {mark.y:g}" for mark in marks) if len(marks) > 1 else ""
    return Layout(axes, marks, bars, line)


def _check(each: Bin) -> None:
    if each.n < 0 or not 0 <= each.start < each.end <= 1:
        raise ValueError(f"a bin lies in [0, 1] and has 0 or more answers, got {each}")
    values = (each.confidence, each.accuracy, each.low, each.high)
    if not all(value is None or 0 <= value <= 1 for value in values):
        raise ValueError(f"the shares of a bin lie in [0, 1], got {each}")
    if each.n and (each.confidence is None or each.accuracy is None):
        raise ValueError(f"a bin with answers needs their mean confidence and accuracy, got {each}")


def _mark(each: Bin) -> Mark:
    assert each.confidence is not None
    assert each.accuracy is not None
    between, top, bottom = "", None, None
    if each.low is not None and each.high is not None:
        top, bottom = down(_WHOLE, each.high), down(_WHOLE, each.low)
        between = f" [{share(each.low)}, {share(each.high)}]"
    title = f"said {share(each.confidence)}, right {share(each.accuracy)}{between}, {each.n:,} answers"
    return Mark(_WHOLE.at(each.confidence), down(_WHOLE, each.accuracy), top, bottom, title)


def _compact(n: int) -> str:
    return f"{n:,}" if n < 1000 else f"{n / 1000:.2g}k" if n < 99_500 else f"{n / 1000:.0f}k"


def _description(data: Reliability) -> str:
    filled = [each for each in data.bins if each.n]
    under = sum((each.low or 0.0) > (each.confidence or 0.0) for each in filled)
    over = sum(each.high is not None and each.high < (each.confidence or 0.0) for each in filled)
    answers = sum(each.n for each in filled)
    return (
        f"{len(filled):,} bins with {answers:,} answers. In {over:,} the whole interval of accuracy lies "
        f"below the confidence, in {under:,} above it."
    )


def _table(data: Reliability) -> Table:
    rows = tuple(
        (
            f"{share(each.start)} to {share(each.end)}",
            f"{each.n:,}",
            share.bare(each.confidence),
            share.bare(each.accuracy),
            share.between(each.low, each.high),
        )
        for each in data.bins
    )
    return Table(
        (data.x_name, "answers", share.axis(f"mean {data.x_name}"), share.axis(data.y_name), "interval"), rows
    )
