"""What answers take, as the page draws it: a chart of quality against each price, and its words."""

from dataclasses import dataclass
from math import inf, isfinite

from markupsafe import Markup

from bakeoff.comparison.chart import Scale, scale
from bakeoff.comparison.comparison import By, Choice, Comparison, Front, Spending
from bakeoff.comparison.page_numbers import count, dollars, number, size
from bakeoff.comparison.page_words import joined, name
from bakeoff.run import Estimate

_NAMED = 6


@dataclass(frozen=True, slots=True)
class Dot:
    """A candidate on a chart: its number in the table, its place and the ends of its interval, in per cent of
    the chart from the left and from the top, and whether it is on the front.
    """

    number: int
    label: str
    x: float
    y: float
    low: float | None
    high: float | None
    on: bool


@dataclass(frozen=True, slots=True)
class FrontChart:
    """Quality (upwards) against one price (to the right)."""

    front: Front
    across: Scale
    up: Scale
    dots: tuple[Dot, ...]


def front_chart(front: Front, comparison: Comparison) -> FrontChart:
    """The chart of a front; candidates are numbered in the order of their scores."""
    standings = comparison.standings
    across = scale(front.price.values(), within=(0.0, inf)) if _differ(front) else _around(front)
    ends = [end for each in standings if each.score.interval for end in _ends(each.score)]
    up = scale([*ends, *(each.score.value or 0.0 for each in standings)], within=(0.0, 1.0))
    dots = []
    for place, each in enumerate(standings, 1):
        low, high = _ends(each.score) if each.score.interval else (None, None)
        dots.append(
            Dot(
                number=place,
                label=each.label,
                x=across.at(front.price[each.label]),
                y=_from_top(up, each.score.value or 0.0),
                low=None if low is None else _from_top(up, low),
                high=None if high is None else _from_top(up, high),
                on=each.label in front.on,
            )
        )
    return FrontChart(front, across, up, tuple(dots))


def spending_known(comparison: Comparison) -> bool:
    """Whether anything is known of what the answers took."""
    spent = [each.spending for each in comparison.standings if each.spending is not None]
    return any(_anything(each) for each in spent)


def thousand(spending: Spending) -> str:
    """US dollars for 1,000 answers, or a dash."""
    return "–" if spending.per_thousand is None else dollars(spending.per_thousand)


def seconds_of(found: Estimate | None) -> str:
    """A quantile of seconds, without its interval, or a dash."""
    return "–" if found is None or found.value is None else _seconds(found.value)


def seconds_range(found: Estimate | None) -> str:
    """The ends of a quantile's interval; an end that there are too few answers for is left open."""
    if found is None or found.interval is None:
        return ""
    low, high = (_seconds(end) if isfinite(end) else "…" for end in (found.interval.low, found.interval.high))
    return f"[{low}, {high}]"


def tokens(spending: Spending) -> str:
    """Mean tokens of an answer, read and written."""
    return f"{_tokens(spending.prompt_tokens)} in, {_tokens(spending.completion_tokens)} out"


def tick(value: float, by: By) -> str:
    """A tick of a price's scale."""
    return f"${number(value)}" if by == "cost" else f"{number(value)} s"


def takes(by: By) -> str:
    """What a chart's horizontal axis shows."""
    return "US dollars for 1,000 answers" if by == "cost" else "median seconds of an answer"


def front_words(front: Front) -> Markup:
    """Who is on the front, and who is off it because of whom."""
    if not front.beaten_by:
        return Markup("All are on the front: none is shown to be worse than one that takes no more.")
    on = joined(list(map(name, front.on)), "and")
    off = [
        Markup("{} (by {})").format(name(label), joined(list(map(name, winners[:_NAMED])), "and"))
        for label, winners in front.beaten_by.items()
    ]
    return Markup("On the front: {}. Beaten by one that takes no more: {}.").format(
        on, Markup(", ").join(off)
    )


def choice_words(choice: Choice) -> Markup:
    """The cheapest that is good enough."""
    margin = f"{number(100 * choice.margin)} points"
    if choice.chosen is None:
        return Markup("None can be shown to be not worse than the best by {}.").format(margin)
    found = {each.label: each.bound for each in choice.candidates}
    word = "cheapest" if choice.by == "cost" else "quickest"
    return Markup("The {} shown to be not worse than the best by {}: {}; it may be worse by {}.").format(
        word, margin, name(choice.chosen), size(found[choice.chosen] or 0.0)
    )


def cached_words(comparison: Comparison) -> tuple[Markup, ...]:
    """How many answers came from a cache, by candidate."""
    return tuple(
        Markup("{}: {} from a cache, without a time.").format(
            name(each.label), count(each.spending.cached, "answer")
        )
        for each in comparison.standings
        if each.spending is not None and each.spending.cached
    )


def _anything(spending: Spending) -> bool:
    known = (spending.prompt_tokens, spending.per_thousand, spending.p50)
    return any(each is not None for each in known)


def _differ(front: Front) -> bool:
    prices = front.price.values()
    return max(prices) > min(prices)


def _around(front: Front) -> Scale:
    """A scale for one price that all have."""
    price = next(iter(front.price.values()))
    return scale([0.0, 2 * price or 1.0], within=(0.0, inf))


def _ends(score: Estimate) -> tuple[float, float]:
    assert score.interval is not None
    return score.interval.low, score.interval.high


def _from_top(on: Scale, value: float) -> float:
    return round(100 - on.at(value), 2)


def _seconds(value: float) -> str:
    times, unit = (1000, "ms") if value < 1 else (1, "s")
    short = f"{times * value:.3g}" if times * value < 100 else f"{times * value:,.0f}"
    return f"{short}\u00a0{unit}"


def _tokens(mean: float | None) -> str:
    return "–" if mean is None else f"{mean:,.0f}" if mean >= 10 else f"{mean:.1f}"
