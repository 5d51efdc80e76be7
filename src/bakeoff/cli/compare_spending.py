"""What answers take, beside how good they are: for people at a terminal."""

from collections.abc import Callable, Iterator, Sequence
from math import isfinite

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bakeoff.cli.output import percent
from bakeoff.comparison.comparison import By, Choice, Comparison, Front, Spending
from bakeoff.comparison.page_numbers import dollars
from bakeoff.run import Estimate

Say = Callable[[str], str]

_TAKES: dict[By, str] = {"cost": "cost", "latency": "median latency"}
_SOURCES = {
    "prices": "the prices given",
    "settings": "the prices the run was made with",
    "run": "what the engine recorded",
}
_NAMES = 6


def print_spending(console: Console, found: Comparison, say: Say) -> None:
    """Tokens, dollars and seconds of an answer; the fronts; the cheapest that is good enough. Nothing where
    nothing of it is known and nothing was asked.
    """
    if not any(_known(each.spending) for each in found.standings):
        return
    console.print()
    console.print(_table(found, say))
    for line in _sentences(found):
        console.print(say(line))


def _known(spending: Spending | None) -> bool:
    return spending is not None and not (
        spending.prompt_tokens is None and spending.per_thousand is None and spending.p50 is None
    )


def _table(found: Comparison, say: Say) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("candidate", overflow="fold", min_width=12)
    for name in ("score %", "$ per 1,000", "p50", "p95", "tokens in", "out"):
        table.add_column(name, justify="left" if name.startswith("p") else "right", overflow="fold")
    for standing in found.standings:
        spent = standing.spending
        if spent is None:
            continue
        table.add_row(
            Text(say(standing.label)),
            say(percent(standing.score.value)),
            say("–" if spent.per_thousand is None else dollars(spent.per_thousand).removeprefix("$")),
            say(seconds_text(spent.p50)),
            say(seconds_text(spent.p95)),
            say(_mean(spent.prompt_tokens)),
            say(_mean(spent.completion_tokens)),
        )
    return table


def seconds_text(found: Estimate | None) -> str:
    """`1.31 [1.29, 1.35] s`, or `310 [290, 350] ms`; an end that the sample is too small for is left open."""
    if found is None or found.value is None or found.interval is None:
        return "–"
    times, unit = (1000, "ms") if found.value < 1 else (1, "s")
    ends = found.interval.low, found.interval.high
    low, high = (_number(times * end) if isfinite(end) else "…" for end in ends)
    return f"{_number(times * found.value)} [{low}, {high}] {unit}"


def _number(value: float) -> str:
    return f"{value:.3g}" if value < 100 else f"{value:,.0f}"


def _mean(tokens: float | None) -> str:
    return "–" if tokens is None else f"{tokens:,.0f}" if tokens >= 10 else f"{tokens:.1f}"


def _sentences(found: Comparison) -> Iterator[str]:
    spent = {each.label: each.spending for each in found.standings if each.spending is not None}
    sources = {by for each in spent.values() for by in each.priced_by}
    priced = f" Dollars: by {' and '.join(_SOURCES[by] for by in sorted(sources))}." if sources else ""
    yield f"Of an answer: mean tokens, and seconds with {100 * found.level:g} % intervals.{priced}"
    cached = {label: each for label, each in spent.items() if each.cached}
    for label, each in cached.items():
        yield f"{label}: {each.cached:,} of {each.samples:,} answers came from a cache and have no time."
    yield from map(front_sentence, found.fronts)
    if found.choice is not None:
        yield choice_sentence(found.choice, found.n)


def front_sentence(front: Front) -> str:
    """Who is on the front, and who is not because of whom."""
    off = [
        f"{label} (by {winners[0]}{f' and {len(winners) - 1} more' if len(winners) > 1 else ''})"
        for label, winners in front.beaten_by.items()
    ]
    more = off[:_NAMES] + ([f"and {len(off) - _NAMES} more"] if len(off) > _NAMES else [])
    if not off:
        return f"Score against {_TAKES[front.by]}: all are on the front."
    on = f"Score against {_TAKES[front.by]}: on the front {_enumerated(front.on)}"
    return f"{on}; beaten by one that takes no more: {', '.join(more)}."


def choice_sentence(choice: Choice, n: int) -> str:
    """The cheapest that is good enough, and how much worse than the best it may be."""
    margin = f"{100 * choice.margin:g} points"
    cheapest = "cheapest" if choice.by == "cost" else "quickest"
    if choice.chosen is None:
        bounds = [each.bound for each in choice.candidates if each.bound is not None]
        if not bounds:
            return f"None can be shown to be not worse than the best by {margin}: not estimable in one group."
        return (
            f"None can be shown to be not worse than the best by {margin}: with {n:,} items each may be "
            f"worse by {100 * min(bounds):.1f} points or more."
        )
    chosen = next(each for each in choice.candidates if each.label == choice.chosen)
    cheaper = choice.candidates[: choice.candidates.index(chosen)]
    said = (
        f"The {cheapest} shown to be not worse than the best by {margin}: {chosen.label}, at "
        f"{price_text(choice.by, chosen.price)}; it may be worse by {100 * (chosen.bound or 0):.1f}."
    )
    if not cheaper:
        return said
    not_shown = _enumerated([f"{each.label} ({_bound(each.bound)})" for each in cheaper])
    return f"{said} Not shown of what takes less: {not_shown}."


def price_text(by: By, price: float) -> str:
    """`$0.42 per 1,000 answers`, or `0.31 s`."""
    return f"{dollars(price)} per 1,000 answers" if by == "cost" else f"{_number(price)} s"


def _bound(bound: float | None) -> str:
    return "not estimable" if bound is None else f"by up to {100 * bound:.1f}"


def _enumerated(labels: Sequence[str]) -> str:
    shown = ", ".join(labels[:_NAMES])
    return f"{shown} and {len(labels) - _NAMES} more" if len(labels) > _NAMES else shown
