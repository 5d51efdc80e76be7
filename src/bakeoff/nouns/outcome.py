"""How a sample ended. Every sample ends in exactly one outcome."""

from enum import StrEnum


class Outcome(StrEnum):
    """The honest denominator: a wrong answer, a broken contract and a broken server are different things."""

    SCORED = "scored"
    """An answer was extracted and judged; its value lies in [0, 1]."""
    NO_ANSWER = "no_answer"
    """The output contract was broken: nothing could be extracted, or it was ambiguous. Counts 0."""
    TRUNCATED = "truncated"
    """Stopped by the token limit before an answer. Counts 0."""
    REFUSED = "refused"
    """The model declined. Counts 0 unless the task says otherwise."""
    EMPTY = "empty"
    """No text came back, without an error. Counts 0."""
    TOO_LONG = "too_long"
    """The prompt does not fit the context, even without shots. Unscored."""
    MODEL_ERROR = "model_error"
    """Rate limit, timeout, server error or malformed stream, after retries. Unscored."""
    SCORER_ERROR = "scorer_error"
    """Our judge, sandbox or parser failed. Unscored."""

    @property
    def unscored(self) -> bool:
        """Whether the sample stays out of the headline and opens its bounds instead."""
        return self in _UNSCORED


_UNSCORED = frozenset({Outcome.TOO_LONG, Outcome.MODEL_ERROR, Outcome.SCORER_ERROR})
