"""The common order of outcomes: what every response goes through before and after its scorer."""

from dataclasses import replace

from bakeoff.errors import TaskError
from bakeoff.nouns import Failure, FailureKind, FinishReason, Item, Outcome, Response, Score
from bakeoff.score.extract.reasoning import part_reasoning
from bakeoff.score.extract.refusal import refusal_phrase
from bakeoff.score.scorer import Repairing, Scorer
from bakeoff.score.verdict import shortened, unscored, zero

ON_SECOND_TURN = "on a second attempt: "
"""Begins the reason of a score whose answer was asked for once more, because the first could not be read."""


def judge(scorer: Scorer, item: Item, response: Response, *, refused: float = 0.0) -> Score:
    """Exactly one outcome for any response. `refused`, in [0, 1], is the value of a refusal.

    In this order: a failure is never a wrong answer; an explicit refusal; no text; reasoning blocks taken
    out of the text, and a block left open is not an answer; the scorer; and where the scorer could extract
    nothing, a refusal in words. A text that ended at the token limit without an answer is `truncated`. To a
    scorer with `judges_refusals` a refusal is an answer like any other, and `refused` has no effect. For one
    that `reads_opinions` every outcome without an opinion is a `scorer_error`.

    Raises:
        TaskError: the scorer cannot read the task's own gold answer.
        ValueError: `refused` outside [0, 1].
    """
    if not 0 <= refused <= 1:
        raise ValueError(f"the value of a refusal must lie in [0, 1], got {refused}")
    score = _judged(scorer, item, response, refused)
    if not getattr(scorer, "reads_opinions", False) or score.outcome is Outcome.SCORED:
        return score
    if score.outcome.unscored:
        return score
    return unscored(scorer.id, Outcome.SCORER_ERROR, f"{score.outcome}: {score.reason}")


def repair_of(scorer: Scorer, item: Item, response: Response) -> str | None:
    """What to tell the model where `scorer` wants its answer written once more; None where not.

    Only a text is asked for again: never after a failure, a marked refusal, or reasoning without an answer.
    """
    if not isinstance(scorer, Repairing) or response.failure is not None or response.refusal:
        return None
    parted = part_reasoning(response.text)
    if parted.unclosed or not parted.answer.strip():
        return None
    return scorer.repair(item, replace(response, text=parted.answer))


def _judged(scorer: Scorer, item: Item, response: Response, refused: float) -> Score:
    if response.failure is not None:
        return _failed(scorer.id, response.failure)
    # What was retrieved is there to be judged whatever was written from it.
    reads = getattr(scorer, "reads_passages", False) and "passages" in response.stages
    if scorer.asks != "generate" or reads:
        return _scored_safely(scorer, item, response)

    cut = response.finish is FinishReason.LENGTH
    has_text = bool(response.text.strip())
    marked = response.refusal or (response.finish is FinishReason.CONTENT_FILTER and not has_text)
    judges_refusals = getattr(scorer, "judges_refusals", False)
    if marked and judges_refusals:
        return _scored_safely(scorer, item, response)
    if marked:
        reason = f"the server marked a refusal: {response.refusal or 'content filter'}"
        return Score(Outcome.REFUSED, refused, None, reason[:200], scorer.id)
    if not has_text and cut:
        thought = "while still reasoning" if response.reasoning else "before any text"
        return zero(scorer.id, Outcome.TRUNCATED, f"the token limit came {thought}")
    if not has_text:
        thought = "only reasoning came back" if response.reasoning else "no text came back"
        return zero(scorer.id, Outcome.EMPTY, thought)

    parted = part_reasoning(response.text)
    if parted.unclosed:
        outcome = Outcome.TRUNCATED if cut else Outcome.NO_ANSWER
        return zero(scorer.id, outcome, "the reasoning block was never closed")
    if not parted.answer.strip():
        outcome = Outcome.TRUNCATED if cut else Outcome.EMPTY
        return zero(scorer.id, outcome, "nothing came after the reasoning block")

    asked = replace(response, text=parted.answer) if parted.answer != response.text else response
    score = _scored_safely(scorer, item, asked)
    if judges_refusals:
        return score
    nothing_singled_out = score.extracted in (None, shortened(parted.answer.strip()))
    if score.value == 0 and nothing_singled_out and (phrase := refusal_phrase(parted.answer)):
        return Score(Outcome.REFUSED, refused, None, f"it declined in words: {phrase}", scorer.id)
    return score


def _failed(scorer: str, failure: Failure) -> Score:
    too_long = failure.kind is FailureKind.CONTEXT_LENGTH
    outcome = Outcome.TOO_LONG if too_long else Outcome.MODEL_ERROR
    return unscored(scorer, outcome, f"{failure.kind}: {failure.message}")


def _scored_safely(scorer: Scorer, item: Item, response: Response) -> Score:
    """A scorer's bug is our failure, never the model's; a task's mistake stops the run."""
    try:
        score = scorer(item, response)
    except TaskError:
        raise
    except Exception as error:  # noqa: BLE001 (recorded as scorer_error, which no headline hides)
        return unscored(scorer.id, Outcome.SCORER_ERROR, f"{type(error).__name__}: {error}"[:500])
    value = score.value
    if (value is None) != score.outcome.unscored or (value is not None and not 0 <= value <= 1):
        reason = f"the scorer returned the value {value} for the outcome {score.outcome}"
        return unscored(scorer.id, Outcome.SCORER_ERROR, reason)
    return score
