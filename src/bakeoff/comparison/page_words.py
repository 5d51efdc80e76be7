"""What the page says beside its numbers.

Sentences are markup that is already escaped. Whatever a user or a model wrote enters them through `name`,
which spells out control characters and keeps the direction of its letters to itself.
"""

from collections.abc import Sequence

from markupsafe import Markup

from bakeoff.comparison.comparison import Comparison, Pair, Standing
from bakeoff.comparison.page_numbers import (
    about,
    count,
    dollars,
    number,
    percent,
    percent_range,
    seconds,
    size,
)
from bakeoff.nouns import Outcome
from bakeoff.visible import visible

_SHOWN = 8
"""So many candidates are named beside a score of an item."""
_LISTED = 6
"""More neighbours than this are written as the first and the last; more groups are counted."""


def name(text: str) -> Markup:
    """A label, a task or an item id as it stands in running text."""
    return Markup("<bdi>{}</bdi>").format(visible(text))


def joined(parts: Sequence[Markup], word: str) -> Markup:
    """`a, b and c`, with `word` before the last."""
    head = Markup(", ").join(parts[:-1])
    return Markup("{} {} {}").format(head, word, parts[-1]) if head else parts[-1]


def apart(comparison: Comparison) -> Markup:
    """Which candidates cannot be told apart; many groups are counted, and listed elsewhere."""
    groups = ties(comparison)
    if not comparison.groups:
        return Markup("Too many groups of candidates cannot be told apart for a list.")
    if not groups:
        return Markup("Every candidate can be told from every other.")
    if len(groups) > _LISTED:
        return Markup("{} groups of candidates cannot be told apart.").format(len(groups))
    if len(groups[0]) == len(comparison.standings):
        return Markup("No candidate can be told from any other.")
    return Markup("Cannot tell apart: {}.").format(
        Markup(" · ").join(listing(comparison, group) for group in groups)
    )


def ties(comparison: Comparison) -> tuple[tuple[str, ...], ...]:
    """The groups of two and more, in the order of the standings. A candidate alone is no group."""
    order = {standing.label: place for place, standing in enumerate(comparison.standings)}
    groups = [sorted(group, key=order.__getitem__) for group in comparison.groups if len(group) > 1]
    return tuple(map(tuple, sorted(groups, key=lambda group: [order[label] for label in group])))


def listing(comparison: Comparison, labels: Sequence[str]) -> Markup:
    """Candidates by name; many that are neighbours in the standings by the first and the last."""
    order = [standing.label for standing in comparison.standings]
    start = order.index(labels[0])
    if len(labels) > _LISTED and order[start : start + len(labels)] == list(labels):
        return Markup("{} to {} ({} candidates)").format(name(labels[0]), name(labels[-1]), len(labels))
    return Markup(", ").join(map(name, labels))


def best(comparison: Comparison) -> Markup:
    """Which candidates may be the best; empty where that was not asked."""
    labels = [standing.label for standing in comparison.standings if standing.best]
    if not labels or len(comparison.standings) == 1:
        return Markup()
    sure = f"At {number(100 * comparison.level)}\u00a0% confidence"
    if len(labels) == len(comparison.standings):
        return Markup("{} any of them may be the best.").format(sure)
    if len(labels) > _LISTED:
        return Markup("{} the best is one of {}.").format(sure, listing(comparison, labels))
    return Markup("{} the best is {}.").format(sure, joined(list(map(name, labels)), "or"))


def corrected(comparison: Comparison) -> Markup:
    """The leader's score without the luck of having been picked; empty where it cannot be had."""
    first = comparison.first
    if first is None:
        return Markup()
    return Markup("Corrected for having been picked as the leader, its score is {}\u00a0% {}.").format(
        percent(first.value), percent_range(first.interval)
    )


def ranks(standing: Standing) -> str:
    """`2–4`, `2` where the rank is certain, a dash where it cannot be told."""
    if standing.ranks is None:
        return "–"
    low, high = standing.ranks
    return f"{low}" if low == high else f"{low}–{high}"


def repeats(comparison: Comparison) -> str:
    """`each asked 3 times`; empty where every item was asked once, or the candidates differ."""
    asked = {standing.repeats for standing in comparison.standings}
    return _times(*asked.pop()) if len(asked) == 1 else ""


def details(standing: Standing, comparison: Comparison) -> str:
    """The samples by outcome; then repeats, cost, time and the score on all its items, where there is more.

    `500 samples: 488 scored, 12 truncated · $0.42`. What did not happen is not named; the total always is.
    """
    parts = [_outcomes(standing)]
    if not repeats(comparison) and standing.repeats[1] > 1:
        parts.append(_times(*standing.repeats))
    if standing.cost is not None:
        parts.append(dollars(standing.cost))
    if standing.latency_p50 is not None:
        parts.append(f"{seconds(standing.latency_p50)} an answer")
    if standing.own.n != standing.score.n and standing.own.value is not None:
        own = standing.own
        parts.append(
            f"{percent(own.value)}\u00a0% {percent_range(own.interval)} on all its {count(own.n, 'item')}"
        )
    return "\u00a0· ".join(parts)


def remarks(pair: Pair) -> tuple[str, ...]:
    """Items won, lost and tied; what these items can tell; how many more would settle it; the pair's note."""
    power = []
    if pair.resolves is not None:
        power.append(f"{count(pair.n, 'item')} can tell {size(pair.resolves)} points")
    if pair.needed:
        power.append(f"about {about(pair.needed)} more would settle a difference like this one")
    tally = f"{pair.won:,} won, {pair.lost:,} lost, {pair.tied:,} tied"
    return tuple(line for line in (tally, "; ".join(power), pair.note) if line)


def first_few(labels: Sequence[str]) -> Markup:
    """Candidates by name, at most eight of them; the others are counted."""
    shown = Markup(", ").join(map(name, labels[:_SHOWN]))
    rest = len(labels) - _SHOWN
    return Markup("{} and {} more").format(shown, rest) if rest > 0 else shown


def _times(least: int, most: int) -> str:
    if most < 2:
        return ""
    return f"each asked {most} times" if least == most else f"each asked {least} to {most} times"


def _outcomes(standing: Standing) -> str:
    total = count(standing.counts.get("total", 0), "sample")
    parts = [
        f"{many:,} {outcome.value.replace('_', ' ')}"
        for outcome in Outcome
        if (many := standing.counts.get(outcome.value, 0))
    ]
    return f"{total}: {', '.join(parts)}" if parts else total
