"""Items that must be right."""

from collections.abc import Sequence
from functools import partial

from bakeoff.gate.evidence import Candidate, Evidence, fact
from bakeoff.gate.policy import RequiredItems

_NAMED = 5


def required_items(rule: RequiredItems, candidate: Candidate) -> Evidence:
    """A fact, without a test: an item is right if its score is 1, on every repeat.

    Inconclusive where items without a score could still decide it.
    """
    found = {item.id: item.value for item in candidate.side.items}
    wrong = [each for each in rule.ids if (value := found.get(each)) is not None and value < 1]
    unscored = [each for each in rule.ids if found.get(each) is None]
    right = len(rule.ids) - len(wrong) - len(unscored)
    wanted = rule.at_least if rule.at_least is not None else len(rule.ids)
    sentence = f"{right:,} of {len(rule.ids):,} required items are right, {wanted:,} must be"
    if wrong:
        sentence += f"; wrong: {_named(wrong)}"
    if unscored:
        sentence += f"; without a score: {_named(unscored)}"
    measured = partial(fact, "required_items", n=len(rule.ids), value=right, limit=wanted)
    if right >= wanted:
        return measured("pass", sentence)
    if right + len(unscored) < wanted:
        return measured("fail", sentence, f"bakeoff show {candidate.folder} --item {wrong[0]}")
    return measured("inconclusive", sentence, _missing(unscored, found))


def _named(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _NAMED:,} more" if len(ids) > _NAMED else ""
    return ", ".join(ids[:_NAMED]) + more


def _missing(unscored: Sequence[str], found: dict[str, float | None]) -> str:
    strange = [each for each in unscored if each not in found]
    if strange:
        return f"not among the run's items: {_named(strange)}; check the ids, or name the rule's `tasks`"
    return "resume the run, so that they are asked again"
