"""What was found, in one sentence."""

from collections.abc import Sequence

from markupsafe import Markup

from bakeoff.comparison.comparison import Comparison, Pair
from bakeoff.comparison.page_numbers import points, points_range, size
from bakeoff.comparison.page_words import joined, name
from bakeoff.stats import Interval

_NAMED = 3
"""So many candidates are named in a clause; more are counted."""


def finding(comparison: Comparison) -> Markup:
    """Who is better than whom and by how much, and who cannot be told apart; all against one candidate."""
    pairs = comparison.pairs
    if comparison.n == 0:
        return Markup("No item was scored in every candidate, so nothing can be compared.")
    if not pairs:
        return Markup("There is only one candidate, so nothing can be compared.")
    better, worse, equivalent, unsettled = (
        [pair for pair in pairs if pair.verdict == verdict]
        for verdict in ("better", "worse", "equivalent", "cannot tell")
    )
    of = len(pairs)
    first = name(pairs[0].first)
    if comparison.baseline is not None:
        clauses = [*_beside(better, of), *_beside(worse, of)]
        clauses += [*_equivalent(equivalent, "", comparison.margin), *_open(unsettled, "it", of)]
        return Markup("Against the baseline {}: {}.").format(first, Markup("; ").join(clauses))
    to = Markup(" to {}").format(first)
    clauses = [*_leading(first, worse, of), *_equivalent(equivalent, to, comparison.margin)]
    return Markup("{}.").format(Markup("; ").join([*clauses, *_open(unsettled, first, of)]))


def _leading(leader: Markup, worse: Sequence[Pair], of: int) -> list[Markup]:
    """The leader before those that are worse."""
    if not worse:
        return []
    if len(worse) > _NAMED:
        return [Markup("{} is better than {} by {} points").format(leader, _share(worse, of), _span(worse))]
    than = [Markup("than {} by {}").format(name(pair.second), _by(pair)) for pair in worse]
    return [Markup("{} is better {}").format(leader, joined(than, "and"))]


def _beside(pairs: Sequence[Pair], of: int) -> list[Markup]:
    """Candidates that are better, or worse, than the baseline."""
    if len(pairs) > _NAMED:
        verdict = pairs[0].verdict
        return [Markup("{} are {} by {} points").format(_share(pairs, of), verdict, _span(pairs))]
    return [Markup("{} is {} by {}").format(name(pair.second), pair.verdict, _by(pair)) for pair in pairs]


def _equivalent(pairs: Sequence[Pair], to: str, margin: float | None) -> list[Markup]:
    if not pairs:
        return []
    verb = "is" if len(pairs) == 1 else "are"
    within = "" if margin is None else f" within {size(margin)} points"
    return [Markup("{} {} equivalent{}{}").format(_who(pairs), verb, to, within)]


def _open(pairs: Sequence[Pair], told: str, of: int) -> list[Markup]:
    if not pairs:
        return []
    clause = Markup("{} cannot be told from {}").format(_who(pairs), told)
    if of > 1:
        return [clause]
    seen = f"{points(pairs[0].difference)} points {points_range(pairs[0].interval)}"
    return [Markup("{} ({})").format(clause, seen)]


def _by(pair: Pair) -> str:
    """The size of a difference, its interval on the same side of 0."""
    interval = pair.interval
    if interval and pair.difference < 0:
        interval = Interval(-interval.high, -interval.low, interval.level, interval.method)
    return f"{size(pair.difference)} points {points_range(interval).replace('+', '')}"


def _span(pairs: Sequence[Pair]) -> str:
    sizes = [abs(pair.difference) for pair in pairs]
    low, high = size(min(sizes)), size(max(sizes))
    return low if low == high else f"{low} to {high}"


def _share(pairs: Sequence[Pair], of: int) -> str:
    return f"all {of} others" if len(pairs) == of else f"{len(pairs)} of {of} others"


def _who(pairs: Sequence[Pair]) -> Markup:
    if len(pairs) > _NAMED:
        return Markup("{} others").format(len(pairs))
    return joined([name(pair.second) for pair in pairs], "and")
