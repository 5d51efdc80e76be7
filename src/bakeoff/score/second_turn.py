"""What a model is told of JSON that cannot be used, before it writes it once more."""

from bakeoff.nouns import FinishReason, Response
from bakeoff.score.extract.refusal import refusal_phrase


def written_again(response: Response, why: str) -> str | None:
    """What to say, where `why` says what is wrong; None where nothing is.

    Also None for an answer that the token limit cut, since it would be cut again, and for one that declines.
    """
    if not why or response.finish is FinishReason.LENGTH or refusal_phrase(response.text):
        return None
    return f"Your answer cannot be used: {why}. Write it again as JSON, with nothing before or after it."
