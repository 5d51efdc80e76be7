"""From what was found in an answer to its Score; what the token limit cut off is not an answer."""

from bakeoff.nouns import FinishReason, Outcome, Response, Score
from bakeoff.score.extract.extraction import Extraction, Nothing


def scored(scorer: str, value: float, extracted: str | None, reason: str) -> Score:
    """An answer that was judged. `extracted` is cut to a readable length; the raw text is in the sample."""
    return Score(Outcome.SCORED, float(value), shortened(extracted), reason, scorer)


def zero(scorer: str, outcome: Outcome, reason: str, extracted: str | None = None) -> Score:
    """No answer, and that counts 0: `no_answer`, `truncated` or `empty`."""
    return Score(outcome, 0.0, shortened(extracted), reason, scorer)


def unscored(scorer: str, outcome: Outcome, reason: str) -> Score:
    """No answer, and that is not the model's fault: no value."""
    return Score(outcome, None, None, reason, scorer)


def settle(scorer: str, response: Response, found: Extraction | Nothing, value: float) -> Score:
    """The score of what was found in a response; `value` counts only where that is an answer.

    Of a text cut by the token limit, only an explicit answer that ends before the cut is one: "the answer is
    1" may have been about to say 18, and the last number of half a derivation is a step, not an answer.
    """
    cut = response.finish is FinishReason.LENGTH
    if isinstance(found, Nothing):
        return zero(scorer, Outcome.TRUNCATED if cut else Outcome.NO_ANSWER, found.why)
    what = f"{found.how}: {found.text:.60}"
    if cut and found.strength == "fallback":
        return zero(scorer, Outcome.TRUNCATED, f"cut before an explicit answer; {what}", found.text)
    if cut and found.end >= len(response.text):
        return zero(scorer, Outcome.TRUNCATED, f"cut at its answer, allow more tokens; {what}", found.text)
    return scored(scorer, value, found.text, what)


def shortened(text: str | None) -> str | None:
    """`text` in at most 200 characters."""
    return text if text is None or len(text) <= 200 else text[:199] + "…"
