"""Answering, or saying that one cannot: both can be right, and both can be wrong."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from bakeoff.rag.answers import Answer, Ended
from bakeoff.run.estimate import Estimate
from bakeoff.run.metrics import item_mean

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How the answers to one kind of question ended.

    `abstained` and `answered` are shares of those that did not fail: of answerable questions, abstained
    wrongly; of others, abstained correctly, and should have abstained. `examples` are ids of those that went
    wrong, with the words that decided, if any.
    """

    answerable: bool | None
    counts: dict[Ended, int]
    answered: Estimate
    abstained: Estimate
    examples: tuple[tuple[str, str], ...]


def behaviours(answers: Sequence[Answer], level: float = 0.95) -> tuple[Behaviour, ...]:
    """Of the answerable questions, of the others, and of those whose items do not say; what there is none of
    is left out. Every answer is in one of them."""
    kinds = ((kind, [each for each in answers if each.answerable is kind]) for kind in (True, False, None))
    return tuple(_behaviour(kind, each, level) for kind, each in kinds if each)


def _behaviour(answerable: bool | None, answers: Sequence[Answer], level: float) -> Behaviour:
    counted = Counter(each.ended for each in answers)
    wrong = {True: "abstained", False: "answered", None: None}[answerable]
    examples = [(each.item, each.words) for each in answers if each.ended == wrong]
    return Behaviour(
        answerable,
        {ended: counted[ended] for ended in get_args(Ended)},
        _share(answers, "answered", level),
        _share(answers, "abstained", level),
        tuple(examples[:_SHOWN]),
    )


def _share(answers: Sequence[Answer], ended: Ended, level: float) -> Estimate:
    there = [(float(each.ended == ended), each.group) for each in answers if each.ended != "failed"]
    return item_mean(there, "auto", level)
