"""Lint rules about the data."""

from collections import Counter
from collections.abc import Callable
from itertools import islice

from bakeoff.task.content import content_key
from bakeoff.task.images import unusable
from bakeoff.task.render import Rendered
from bakeoff.task.rows.generator import generator_function, generator_rows
from bakeoff.task.survey import Remark, Remarks, Survey

_SKEW_P = 0.001
_SKEW_RATIO = 1.25


def duplicate_choices(survey: Survey) -> Remarks:
    """Two choices that are the same text: one of them is right and the other wrong."""
    for item in survey.items:
        twice = [choice for choice, count in Counter(item.choices).items() if count > 1]
        if twice:
            yield Remark(
                "error", item.id, f"the choice {twice[0]!r:.80} is there {item.choices.count(twice[0])} times"
            )


def equal_choices(survey: Survey) -> Remarks:
    """Choices that differ in case or white space only."""
    for item in survey.items:
        distinct = set(item.choices)
        if len({" ".join(choice.split()).casefold() for choice in distinct}) < len(distinct):
            yield Remark("warning", item.id, "two choices differ in case or white space only")


def empty_choice(survey: Survey) -> Remarks:
    """A choice without text."""
    for item in survey.items:
        for number, choice in enumerate(item.choices, 1):
            if not choice.strip():
                yield Remark("error", item.id, f"choice {number} is empty")


def missing_gold(survey: Survey) -> Remarks:
    """An item with choices of which none is marked right."""
    for item in survey.items:
        if item.choices and not isinstance(item.target, int):
            yield Remark("error", item.id, "no choice is marked as the right one")


def empty_target(survey: Survey) -> Remarks:
    """A free answer without an accepted text, where other items have one."""
    free = [item for item in survey.items if not item.choices and isinstance(item.target, tuple)]
    empty = [item for item in free if not any(text.strip() for text in item.target)]  # type: ignore[union-attr]
    if len(empty) < len(free):
        for item in empty:
            yield Remark("error", item.id, "there is no accepted answer")


def gold_skew(survey: Survey) -> Remarks:
    """A position that holds the right choice far more often than its share: a model that prefers it gains.

    A quarter above its share, and so far out that an exact one-sided binomial test gives p < 0.001 over all
    positions. Where items differ in their number of choices the mean share is used, which overstates the
    tail (Hoeffding 1956), so that the test errs to silence. Shuffled choices have no positions.
    """
    from scipy.special import bdtrc

    golds = [(item.target, len(item.choices)) for item in survey.items if isinstance(item.target, int)]
    if not golds or survey.task.shuffle_choices:
        return
    positions = max(size for _, size in golds)
    for position in range(positions):
        count = sum(target == position for target, _ in golds)
        share = sum(1 / size for _, size in golds if position < size) / len(golds)
        p_value = float(bdtrc(count - 1, len(golds), share)) if count else 1.0
        if p_value * positions < _SKEW_P and count > _SKEW_RATIO * share * len(golds):
            yield Remark(
                "warning",
                None,
                f"choice {position + 1} is the right one in {count} of {len(golds)} items "
                f"({count / len(golds):.0%}, by chance {share:.0%}): set shuffle_choices: true",
            )


def duplicate_items(survey: Survey) -> Remarks:
    """Items whose prompts are the same: they count twice."""
    first: dict[tuple[object, ...], str] = {}
    for each in survey.rendered:
        if not isinstance(each, Rendered):
            continue
        asked = (*each.turns, *sorted(each.item.choices))
        # Of a sentence with a gap, or of a document, the continuations are what is asked.
        gap = each.leads or survey.task.ask == "perplexity"
        key = (*asked, *sorted(each.leads), *sorted(each.continuations)) if gap else asked
        if key in first:
            yield Remark("warning", each.item.id, f"asks the same as item {first[key]}")
        else:
            first[key] = each.item.id


def broken_image(survey: Survey) -> Remarks:
    """An image that engines will not take: broken, cut off, or too large.

    Images of files and data URIs are checked as they are read; this is for those of items built in Python.
    """
    for item in survey.items:
        for message in () if isinstance(item.input, str) else item.input:
            for part in message.parts:
                if part.kind == "image" and (why := unusable(part)):
                    yield Remark("error", item.id, why)


def leaked_shots(survey: Survey) -> Remarks:
    """Examples that ask the same as an item. They are never shown to it, but they show it to the others."""
    if survey.task.shots.data is None:
        return
    asked = {content_key(item): item.id for item in survey.items}
    for group in survey.prepared.pool.groups.values():
        for candidate in group:
            if candidate.key in asked:
                yield Remark(
                    "warning", asked[candidate.key], f"the example {candidate.item.id} asks the same"
                )


def repeated_shots(survey: Survey) -> Remarks:
    """Examples that ask the same as one another: fewer different ones are shown than it seems."""
    for group in survey.prepared.pool.groups.values():
        first: dict[bytes, str] = {}
        for key, item in group:
            if key in first:
                yield Remark("warning", None, f"the examples {first[key]} and {item.id} ask the same")
            first.setdefault(key, item.id)


def unpinned_hub(survey: Survey) -> Remarks:
    """Hub data without a commit: it may be other data tomorrow."""
    task = survey.task
    for place, data in (("data", task.data), ("shots.data", task.shots.data)):
        if data is not None and data.hub is not None and len(data.revision or "") != 40:
            commit = survey.prepared.source.get("revision", "") if place == "data" else ""
            pin = f"; today's is {commit}" if commit else ""
            yield Remark("warning", None, f"{place} has no commit as revision{pin}")


def unstable_generator(survey: Survey) -> Remarks:
    """A generator whose first rows change with the number of rows, or from one reading to the next."""
    task = survey.task
    if task.data.generator is None or task.data.n is None:
        return
    function, _ = generator_function(task, task.data, ("data",))
    few = min(task.data.n, 50)
    shorter = task.data.model_copy(update={"n": few})
    one = [row.columns for row in islice(generator_rows(task, task.data, ("data",), function), few)]
    two = [row.columns for row in generator_rows(task, shorter, ("data",), function)]
    changed = [number for number, (a, b) in enumerate(zip(one, two, strict=True), 1) if a != b]
    if changed:
        yield Remark(
            "error",
            None,
            f"row {changed[0]} of the generator changes with n: it may depend on (seed, i) only",
        )


DATA_RULES: tuple[Callable[[Survey], Remarks], ...] = (
    duplicate_choices,
    equal_choices,
    empty_choice,
    missing_gold,
    empty_target,
    gold_skew,
    duplicate_items,
    broken_image,
    leaked_shots,
    repeated_shots,
    unpinned_hub,
    unstable_generator,
)
