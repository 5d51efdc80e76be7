"""How well a model predicts a document."""

import math
import re
from dataclasses import dataclass
from typing import ClassVar

from bakeoff.errors import TaskError
from bakeoff.nouns import Item, Outcome, Response, Score
from bakeoff.score.options import identifier
from bakeoff.score.scorer import Ask
from bakeoff.score.verdict import scored, unscored


@dataclass(frozen=True, slots=True)
class Perplexity:
    """The document's mean probability per byte, 1 / byte perplexity, in [0, 1]; higher is better.

    The item's input is the document as it was scored. A run's headline is the perplexity of all its
    documents together (`run.perplexity`), not the mean of these values. A log-likelihood that is not finite,
    or above 0, is the engine's failure: `model_error`.
    """

    name: ClassVar[str] = "perplexity"
    version: ClassVar[int] = 1
    asks: ClassVar[Ask] = "perplexity"

    @property
    def id(self) -> str:
        """`perplexity@1`."""
        return identifier(self)

    def __call__(self, item: Item, response: Response) -> Score:
        """exp(log-likelihood / bytes); the reason says the bits per byte."""
        if not isinstance(item.input, str) or not item.input:
            raise TaskError(
                f"item {item.id}: there is no document to score", "the input and prompt.template make a text"
            )
        if len(response.options) != 1:
            fault = f"{len(response.options)} log-likelihoods came back for one document"
            return unscored(self.id, Outcome.MODEL_ERROR, fault)
        logprob = response.options[0].logprob
        # Summing rounded numbers may end a hair above 0.
        if not math.isfinite(logprob) or logprob > 1e-6:
            return unscored(self.id, Outcome.MODEL_ERROR, f"the log-likelihood is {logprob}")
        size = bytes_in(item.input)
        bits = -logprob / (size * math.log(2))
        reason = f"{bits:.4f} bits per byte ({logprob:.6g} nats over {size:,} bytes)"
        return scored(self.id, math.exp(min(0.0, logprob) / size), None, reason)


def bytes_in(text: str) -> int:
    """UTF-8 bytes."""
    return len(text.encode("utf-8", "surrogatepass"))


def words_in(text: str) -> int:
    """The pieces between runs of white space, as lm-eval counts words: empty ones at the ends count too."""
    return len(re.split(r"\s+", text))
