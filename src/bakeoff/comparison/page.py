"""A comparison as one HTML file: it asks nothing of any server, runs no script, and prints."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import isfinite
from typing import TYPE_CHECKING

from markupsafe import Markup

from bakeoff.comparison.chart import (
    Label,
    Scale,
    Segment,
    Strip,
    Whisker,
    difference_scale,
    label,
    score_scale,
    segments,
    sides,
    strips,
    whisker,
)
from bakeoff.comparison.comparison import Comparison, Disagreement, Pair, Standing, VarianceSplit
from bakeoff.comparison.page_finding import finding
from bakeoff.comparison.page_method import method
from bakeoff.comparison.page_numbers import (
    count,
    letters,
    number,
    percent,
    percent_range,
    points,
    points_range,
    probability,
    signed,
    size,
)
from bakeoff.comparison.page_spending import (
    FrontChart,
    cached_words,
    choice_words,
    front_chart,
    front_words,
    seconds_of,
    seconds_range,
    spending_known,
    takes,
    thousand,
    tick,
    tokens,
)
from bakeoff.comparison.page_words import (
    apart,
    best,
    corrected,
    details,
    first_few,
    listing,
    name,
    ranks,
    remarks,
    repeats,
    ties,
)
from bakeoff.errors import BakeoffError
from bakeoff.stats import Interval
from bakeoff.visible import visible

if TYPE_CHECKING:
    from jinja2 import Template

_FILTERS = (
    *(
        apart,
        best,
        corrected,
        count,
        details,
        finding,
        first_few,
        listing,
        method,
        name,
        number,
        percent,
        percent_range,
    ),
    *(points, points_range, probability, ranks, remarks, repeats, signed, size),
    *(cached_words, choice_words, front_words, seconds_of, seconds_range, spending_known),
    *(takes, thousand, tick, tokens),
)
_DRAWN = 60
"""Bars of more groups than this would be too thin to follow."""


def page(comparisons: Sequence[Comparison]) -> str:
    """One self-contained HTML document about comparisons, one section for each task.

    It holds names, ids, counts and scores only: no text of an item, of a prompt or of an answer.

    Raises:
        BakeoffError: there is no comparison to show.
    """
    if not comparisons:
        raise BakeoffError("there is no comparison to show", "compare at least two runs of one task")
    views = [_view(index, comparison) for index, comparison in enumerate(comparisons, 1)]
    return _template().render(views=views, title=_title(comparisons))


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A candidate, its whisker, and its piece of the bar of each group."""

    standing: Standing
    whisker: Whisker | None
    strips: tuple[tuple[str, Strip], ...]


@dataclass(frozen=True, slots=True)
class PairRow:
    """A difference and its whisker."""

    pair: Pair
    whisker: Whisker | None


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An item and its scores, the highest first, each with the candidates that have it."""

    item: Disagreement
    scores: tuple[tuple[float, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class SplitRow:
    """The parts of a candidate's uncertainty and their bar."""

    split: VarianceSplit
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class View:
    """A comparison with all that its section draws; `groups` by the letter that stands for each."""

    id: str
    comparison: Comparison
    standings: tuple[StandingRow, ...]
    score_scale: Scale
    chance: Label | None
    groups: tuple[tuple[str, tuple[str, ...]], ...]
    pairs: tuple[PairRow, ...]
    difference_scale: Scale
    sides: tuple[bool, bool]
    items: tuple[ItemRow, ...]
    splits: tuple[SplitRow, ...]
    fronts: tuple[FrontChart, ...]


def _view(index: int, comparison: Comparison) -> View:
    standings, pairs = comparison.standings, comparison.pairs
    chance = comparison.chance or None  # who cannot guess has no level to beat
    scores = score_scale(_covered((each.score.value, each.score.interval) for each in standings), chance)
    differences = difference_scale(
        _covered((each.difference, each.interval) for each in pairs), comparison.margin
    )
    tied = ties(comparison)
    groups = tuple((letters(i), group) for i, group in enumerate(tied)) if len(tied) <= _DRAWN else ()
    return View(
        id=f"task-{index}",
        comparison=comparison,
        standings=_standing_rows(standings, scores, groups),
        score_scale=scores,
        chance=None if chance is None else label(scores, chance),
        groups=groups,
        pairs=tuple(PairRow(pair, _whisker(differences, pair.difference, pair.interval)) for pair in pairs),
        difference_scale=differences,
        sides=sides(differences, 0.0),
        items=tuple(map(_item_row, comparison.items)),
        splits=tuple(map(_split_row, comparison.splits)),
        fronts=tuple(front_chart(each, comparison) for each in comparison.fronts),
    )


def _covered(estimates: Iterable[tuple[float | None, Interval | None]]) -> list[float]:
    """The values and interval ends that a scale has to hold."""
    found = []
    for value, interval in estimates:
        ends = (interval.low, interval.high) if interval else ()
        found += [each for each in (value, *ends) if each is not None and isfinite(each)]
    return found


def _standing_rows(
    standings: Sequence[Standing], on: Scale, groups: Sequence[tuple[str, tuple[str, ...]]]
) -> tuple[StandingRow, ...]:
    labels = [standing.label for standing in standings]
    bars = [(letter, strips(labels, members)) for letter, members in groups]
    return tuple(
        StandingRow(
            standing=standing,
            whisker=_whisker(on, standing.score.value, standing.score.interval),
            strips=tuple((letter, bar[place]) for letter, bar in bars),
        )
        for place, standing in enumerate(standings)
    )


def _whisker(on: Scale, value: float | None, interval: Interval | None) -> Whisker | None:
    return None if value is None or not isfinite(value) else whisker(on, value, interval)


def _item_row(item: Disagreement) -> ItemRow:
    labels: dict[float, list[str]] = {}
    for candidate, value in item.values.items():
        labels.setdefault(value, []).append(candidate)
    return ItemRow(item, tuple((value, tuple(labels[value])) for value in sorted(labels, reverse=True)))


def _split_row(split: VarianceSplit) -> SplitRow:
    parts = ("items", "interaction", "variants", "repeats")
    return SplitRow(split, segments([(part, getattr(split, part)) for part in parts]))


def _title(comparisons: Sequence[Comparison]) -> str:
    """What tells this tab from others: the task first, then how many were compared."""
    first, rest = comparisons[0], len(comparisons) - 1
    if rest:
        return f"{first.task} and {count(rest, 'more task')}, compared"
    return f"{first.task}: {count(len(first.standings), 'candidate')} compared"


@cache
def _template() -> "Template":
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    folder = files(__package__)
    environment.filters |= {each.__name__: each for each in _FILTERS}
    environment.globals["css"] = Markup(folder.joinpath("page.css").read_text("utf-8"))  # noqa: S704 (our own file)
    return environment.from_string(folder.joinpath("page.html").read_text("utf-8"))


def _shown(value: object) -> object:
    """What the template writes: text of unknown origin made safe wherever it turns up, and never a None."""
    if value is None:
        raise TypeError("the page would show None")
    return value if isinstance(value, Markup) else visible(str(value))
