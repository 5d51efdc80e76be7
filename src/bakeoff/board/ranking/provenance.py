"""How a row's score is known: from whom, and whether somebody got it again."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from bakeoff.board.scores import Scores, Value
from bakeoff.board.submissions import Submission

Provenance = Literal["measured", "reproduced", "records", "reported"]
"""Measured here; measured here again, for another organisation; supplied with every record; a number that
somebody says."""


def provenance(
    found: Submission, scores: Mapping[int, Scores], others: Iterable[Submission]
) -> tuple[Provenance, tuple[str, ...]]:
    """How the score of `found` is known, and what is to be said where a repetition came out otherwise.

    `others` are all scored submissions of the board, `scores` theirs under one version of it. A repetition is
    of the same weights under the same conditions, handed in by another organisation and measured here; it
    agrees where each score lies in the other's interval.
    """
    if found.way == "predictions":
        return "records", ()
    repeats = list(_repeats(found, others))
    agree = [each for each in repeats if _agree(scores[found.id].score, scores[each.id].score)]
    flags = tuple(
        f"measured again as submission {each.id}, with another result"
        for each in repeats
        if _known(scores[found.id].score, scores[each.id].score) and each not in agree
    )
    return ("reproduced" if agree else "measured"), flags


def _repeats(found: Submission, others: Iterable[Submission]) -> Iterator[Submission]:
    for each in others:
        same = each.model.identity == found.model.identity and each.way != "predictions"
        if same and each.id != found.id and each.organisation != found.organisation:
            yield each


def _known(one: Value, other: Value) -> bool:
    return None not in (one.value, one.low, one.high, other.value, other.low, other.high)


def _agree(one: Value, other: Value) -> bool:
    return _known(one, other) and _within(one, other) and _within(other, one)


def _within(one: Value, other: Value) -> bool:
    assert one.value is not None
    assert other.low is not None
    assert other.high is not None
    return other.low <= one.value <= other.high
