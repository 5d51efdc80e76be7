"""What one side of a battle answered."""

from dataclasses import dataclass

from bakeoff.nouns.response import FinishReason


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that is whole, refusals and those cut at the token limit among them.

    `text` is what the model wrote, `shown` what voters see in its place, with `scrubbed` names blacked out;
    None where both are the same. Times are in seconds since the request was sent, `first_token_s` None where
    the engine does not tell; `tokens` as it counted them.
    """

    text: str
    finish: FinishReason
    refused: bool
    first_token_s: float | None
    total_s: float
    tokens: int | None
    scrubbed: int
    shown: str | None = None
