"""How the numbers of the page were made, and what they speak of."""

from markupsafe import Markup

from bakeoff.comparison.comparison import Comparison
from bakeoff.comparison.page_numbers import count, number, size
from bakeoff.visible import visible

_TESTS = {
    "mcnemar-midp": "McNemar’s test with its mid-p",
    "sign-flip": "a permutation test that flips the signs of items’ differences",
    "sign-flip of groups": "a permutation test that flips the signs of whole groups of items",
}


def method(comparison: Comparison) -> tuple[Markup, ...]:
    """Sentences on scores, intervals, tests and their family, and on the population meant."""
    return (
        _what_is_scored(comparison),
        *_what_is_estimated(comparison),
        *_what_is_tested(comparison),
        _what_is_meant(comparison),
    )


def _what_is_scored(comparison: Comparison) -> Markup:
    parts = [
        f"A score is the mean over the {count(comparison.n, 'item')} that every candidate has a value for"
    ]
    if len(comparison.variants) > 1:
        parts.append(f", each averaged over the same {len(comparison.variants)} prompt variants")
    if any(standing.repeats[1] > 1 for standing in comparison.standings):
        parts.append(", repeats averaged within their item first")
    return Markup("{}.").format("".join(parts))


def _what_is_estimated(comparison: Comparison) -> list[Markup]:
    level = f"{number(100 * comparison.level)}\u00a0%"
    scores = {each.score.interval.method for each in comparison.standings if each.score.interval}
    pairs = {each.interval.method for each in comparison.pairs if each.interval}
    found = []
    if scores:
        found.append(Markup("Intervals of scores, {}: {}.").format(level, _codes(scores)))
    if pairs:
        found.append(Markup("Intervals of differences, {}, paired by item: {}.").format(level, _codes(pairs)))
    if any(each.ranks for each in comparison.standings):
        found.append(Markup("Rank ranges hold together: at {} all true ranks lie inside.").format(level))
    return found


def _codes(names: set[str]) -> Markup:
    return Markup(", ").join(Markup("<code>{}</code>").format(visible(each)) for each in sorted(names))


def _what_is_tested(comparison: Comparison) -> list[Markup]:
    tests = sorted({pair.test for pair in comparison.pairs})
    if not tests:
        return []
    used = Markup(", ").join(
        Markup("<code>{}</code>{}").format(visible(test), f" ({_TESTS[test]})" if test in _TESTS else "")
        for test in tests
    )
    why = "" if comparison.baseline else ", all pairs, because the leader was chosen by looking"
    family = f"Holm’s correction over a family of {count(comparison.family, 'comparison')}{why}"
    found = [
        Markup("Test of each pair, two-sided: {}. Adjusted p: {}.").format(used, family),
        Markup(
            "Better and worse are said where adjusted p is at most {} and the interval leaves out 0."
        ).format(number(1 - comparison.level)),
        Markup(
            "Groups are the largest sets in which no pair is told apart, by the same correction over all "
            "pairs; a candidate can be in several."
        ),
        Markup("Random draws (flipped signs, rank ranges) start from seed {}.").format(comparison.seed),
    ]
    if comparison.margin is not None:
        found.append(
            Markup("Equivalent is said where the {}\u00a0% interval lies within {} points of 0.").format(
                number(100 * (2 * comparison.level - 1)), size(comparison.margin)
            )
        )
    return found


def _what_is_meant(comparison: Comparison) -> Markup:
    unit = "items" if comparison.clusters is None else "whole groups of items"
    prompts = "this prompt" if len(comparison.variants) < 2 else f"these {len(comparison.variants)} prompts"
    return Markup(
        "What is taken as drawn at random: {}. The numbers speak of further {} of the same kind, put with {} "
        "to the same models in the same settings; not of other prompts, other tasks or later versions."
    ).format(unit, unit, prompts)
