"""The judgement of one answer."""

from dataclasses import dataclass

from bakeoff.nouns.outcome import Outcome


@dataclass(frozen=True, slots=True)
class Score:
    """`value` in [0, 1], or None where the outcome is unscored.

    `extracted` is what the scorer took for the answer, `reason` how it found it or why it did not, in words
    a person can check; `scorer` is `name@version`.
    """

    outcome: Outcome
    value: float | None
    extracted: str | None
    reason: str
    scorer: str
