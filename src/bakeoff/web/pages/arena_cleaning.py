"""What filters set aside of the votes of an arena, and what moved by it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bakeoff.arena.cleaning.steps import Step
from bakeoff.arena.ranking.cleaned import Moved, Stage

MOST_MOVED = 3
MOST_REASONS = 20

_WORDS: Mapping[str, str] = {
    "tag": "Prompts that ask which model answers",
    "identity leaks": "Answers that say who gave them",
    "machine pace": "Voters faster than anybody reads",
    "anomalous voters": "Voters like a program, and not like the others",
    "newcomer crowd": "Many newcomers for one model, or against it",
}


@dataclass(frozen=True, slots=True)
class Filtered:
    """A filter in words, what it did, and the models that it moved most; None where a stage rates nobody.
    `reasons` are those with most votes, of `kinds`.
    """

    words: str
    step: Step
    moved: tuple[Moved, ...] | None
    reasons: tuple[tuple[str, int], ...]
    kinds: int


def filtered(steps: Sequence[Step], stages: Sequence[Stage]) -> tuple[Filtered, ...]:
    """A filter after the other, in their order."""
    return tuple(_filtered(steps, stages))


def _filtered(steps: Sequence[Step], stages: Sequence[Stage]) -> Iterator[Filtered]:
    for place, step in enumerate(steps):
        moved = stages[place].moved[:MOST_MOVED] if stages else None
        yield Filtered(
            _WORDS.get(step.name, step.name),
            step,
            moved,
            tuple(list(step.reasons.items())[:MOST_REASONS]),
            len(step.reasons),
        )
