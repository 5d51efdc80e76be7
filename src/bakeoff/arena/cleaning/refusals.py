"""Battles that are about declining."""

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from bakeoff.arena.cleaning.filter import Flags, flags_of
from bakeoff.arena.votes.votes import Votes
from bakeoff.score.extract.refusal import refusal_phrase

TAG = "refusal"
Answers = Literal["either", "both"]


@dataclass(frozen=True, slots=True)
class Refusals:
    """Battles in which an answer declines: `either` of them, or only where `both` do.

    Where there are no texts, what the source tagged as a refusal counts for either; the rest stays, unjudged.

    Raises:
        ValueError: `answers` is something else.
    """

    answers: Answers = "either"
    name: ClassVar[str] = "refusals"
    version: ClassVar[int] = 1

    def __post_init__(self) -> None:
        if self.answers not in get_args(Answers):
            raise ValueError(f"answers is either or both, got {self.answers!r}")

    def __call__(self, votes: Votes) -> Flags:
        """Flag battles by who declines in them."""
        reasons: list[str | None] = []
        unjudged = 0
        for said, tagged in zip(votes.texts, votes.tagged(TAG).tolist(), strict=True):
            answers = [answer for answer in (said.answer_a, said.answer_b) if answer is not None]
            if not answers:
                unjudged += not tagged or self.answers == "both"
                reasons.append("tagged as a refusal" if tagged and self.answers == "either" else None)
                continue
            declining = sum(refusal_phrase(answer) is not None for answer in answers)
            if declining == 2:
                reasons.append("both answers decline")
            else:
                reasons.append("one answer declines" if declining and self.answers == "either" else None)
        return flags_of(reasons, unjudged)
