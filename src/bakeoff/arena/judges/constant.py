"""Entries that answer the same whatever they are asked.

One string that speaks to the judge instead of the question was first on a public board, ahead of every model
(Zheng et al. 2024, arXiv 2410.07137). Control for length does not see it; that it is one string does.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bakeoff.arena.votes.pseudonym import normal
from bakeoff.errors import BakeoffError

WORDS = 30
"""Words that count as an answer's opening."""
MOST = 0.2
"""Share of answers with one opening from which an entry is blocked. Refusals and greetings stay below."""
LEAST = 20
"""Answers below which no share says anything."""

_NO_LETTER = re.compile(r"[\W\d_]+")


@dataclass(frozen=True, slots=True)
class Constancy:
    """How much the `n` answers of an entry are one answer.

    `same` is the share of the most frequent answer, `opening` that of the most frequent first 30 words, which
    is at least as large: a template with something of the prompt at its end has one opening. Both without
    regard to case, digits, punctuation and white space. `answer` is how the most frequent opening begins.
    """

    n: int
    same: float
    opening: float
    answer: str

    def blocked(self, most: float = MOST) -> bool:
        """Whether a judge must not rank the entry: one opening in more than `most` of 20 answers or more."""
        return self.n >= LEAST and self.opening > most


def constancy(answers: Sequence[str]) -> Constancy:
    """How constant the answers of one entry to different prompts are; an empty answer is one like others.

    Raises:
        BakeoffError: no answer.
    """
    if not answers:
        raise BakeoffError("there is no answer to look at", "an entry is judged by its answers to prompts")
    words = [_NO_LETTER.sub(" ", normal(answer)).split() for answer in answers]
    whole = Counter(" ".join(each) for each in words)
    openings = Counter(" ".join(each[:WORDS]) for each in words)
    opening, count = openings.most_common(1)[0]
    return Constancy(
        n=len(answers),
        same=whole.most_common(1)[0][1] / len(answers),
        opening=count / len(answers),
        answer=opening[:80],
    )
