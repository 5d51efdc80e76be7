"""Whole answers that are compared with reference texts by a measure of similarity."""

from collections.abc import Callable, Sequence

from bakeoff.nouns import FinishReason, Item, Outcome, Response, Score
from bakeoff.score.targets import accepted_texts
from bakeoff.score.verdict import scored, zero

_LONGEST = 50_000
"""Characters. The measures take time that grows with both texts' lengths; no answer they suit is longer."""


def compare_whole(
    scorer: str,
    name: str,
    item: Item,
    response: Response,
    measure: Callable[[str, Sequence[str]], tuple[float, str]],
) -> Score:
    """The score of the whole answer. `measure` maps it and the references to a value in [0, 1] and a reason.

    A text cut by the token limit is `truncated`: whatever it is, it was going on.

    Raises:
        TaskError: the item has no reference text.
    """
    references = accepted_texts(item, name)
    answer = response.text.strip()
    if response.finish is FinishReason.LENGTH:
        return zero(scorer, Outcome.TRUNCATED, "the token limit cut the answer", answer)
    if len(answer) > _LONGEST:
        return zero(
            scorer, Outcome.NO_ANSWER, f"longer than {_LONGEST:,} characters, and not compared", answer
        )
    value, reason = measure(answer, references)
    return scored(scorer, min(1.0, max(0.0, value)), answer, reason)
