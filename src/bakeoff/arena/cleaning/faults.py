"""Answers that are none: errors of a server, streams that broke off, nothing at all."""

import re
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from bakeoff.arena.cleaning.filter import Flags, flags_of
from bakeoff.arena.votes.votes import Texts, Votes

# What serving software shows in place of an answer. At its beginning only: a text may speak of errors.
_ERRORS = (
    r"\A\W*(?:api|api request|network|server|internal server|connection|rate limit|timeout) error\b",
    r"\A\W*error (?:code)?\W*\d{3}\b",
    r"\$moderation\$",
    r"\*\*(?:api request|network) error\*\*",
    r"\bnetwork error due to high traffic\b",
    r"\Atraceback \(most recent call last\)",
)
_CURSORS = ("▌", '<span class="cursor">')


@dataclass(frozen=True, slots=True)
class Faults:
    """Battles in which an answer is empty, an error message, or was cut off while it was written.

    Without texts a battle stays, unjudged.
    """

    name: ClassVar[str] = "faults"
    version: ClassVar[int] = 1

    def __call__(self, votes: Votes) -> Flags:
        """Flag battles with the first fault of either answer."""
        reasons, unjudged = [], 0
        for said in votes.texts:
            reasons.append(_fault(said))
            unjudged += said.answer_a is None and said.answer_b is None
        return flags_of(reasons, unjudged)


def _fault(said: Texts) -> str | None:
    for answer in (said.answer_a, said.answer_b):
        if answer is None:
            continue
        if not answer.strip():
            return "an answer is empty"
        if _error().search(answer):
            return "an answer is an error message"
        if answer.rstrip().endswith(_CURSORS):
            return "an answer is unfinished"
    return None


@cache
def _error() -> re.Pattern[str]:
    return re.compile("|".join(_ERRORS), re.IGNORECASE)
