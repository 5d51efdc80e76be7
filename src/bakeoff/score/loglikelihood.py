"""The choice whose continuation the model finds most likely."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from bakeoff.errors import TaskError
from bakeoff.nouns import Item, OptionScore, Outcome, Response, Score
from bakeoff.score.options import identifier
from bakeoff.score.scorer import Ask
from bakeoff.score.verdict import scored, unscored

Norm = Literal["raw", "chars", "bytes", "tokens", "pmi"]
"""What a log-likelihood is divided by: nothing, or the choice's length in Python characters or in UTF-8
bytes, without the delimiter that the continuation carries (lm-eval's `acc_norm` and `acc_bytes`), or the
continuation's tokens. `pmi` subtracts the log-likelihood without the context (lm-eval's
`acc_mutual_info`)."""
NORMS: tuple[Norm, ...] = get_args(Norm)


@dataclass(frozen=True, slots=True)
class Loglikelihood:
    """The choice with the highest log-likelihood, normalised by `norm`, is the answer.

    The lengths are those of `item.choices`: with letters as continuations only `raw` and `pmi` make sense.
    Of equal choices the first is taken, as numpy's argmax does, and the reason says so. An engine that
    returns a number of options other than the item's, a NaN, or nothing but −∞, has failed: `model_error`.
    A single −∞ is the least likely option.
    """

    name: ClassVar[str] = "loglikelihood"
    version: ClassVar[int] = 1
    asks: ClassVar[Ask] = "loglikelihood"

    norm: Norm = "raw"

    @property
    def id(self) -> str:
        """`loglikelihood@1`, with the norm unless raw."""
        return identifier(self)

    @property
    def unconditional(self) -> bool:
        """Whether requests must also ask for log-likelihoods without the context."""
        return self.norm == "pmi"

    def __call__(self, item: Item, response: Response) -> Score:
        """Value 1 where the most likely choice is the right one, else 0."""
        target = _target(item)
        if (why := fault(item, response)) is not None:
            return unscored(self.id, Outcome.MODEL_ERROR, why)
        values = _normalised(item, response.options, self.norm)
        if values is None:
            return unscored(self.id, Outcome.MODEL_ERROR, _MISSING[self.norm])
        best = max(values)
        winner = values.index(best)
        ties = [str(i + 1) for i, value in enumerate(values) if value == best]
        reason = f"choice {winner + 1} has the highest log-likelihood ({self.norm} {best:.4g})"
        if len(ties) > 1:
            reason += f"; a tie of choices {', '.join(ties)}, the first is taken"
        return scored(self.id, winner == target, item.choices[winner], reason)


def all_norms(item: Item, response: Response) -> Mapping[Norm, bool | None]:
    """Whether the answer is right under each norm; None where a norm cannot be computed.

    Raises:
        TaskError: the item has no right choice.
    """
    target = _target(item)
    winners = {norm: winner(item, response, norm) for norm in NORMS}
    return {norm: None if index is None else index == target for norm, index in winners.items()}


def winner(item: Item, response: Response, norm: Norm) -> int | None:
    """The index of the choice that wins under `norm`, the first of equal ones; None where there is none."""
    faulty = response.failure is not None or fault(item, response) is not None
    empty = norm in ("chars", "bytes") and "" in item.choices
    values = None if faulty or empty else _normalised(item, response.options, norm)
    return None if values is None else values.index(max(values))


def norm_of(scorer: str) -> Norm:
    """The norm in the id of a loglikelihood scorer."""
    found = re.search(r"\bnorm=(\w+)", scorer)
    return next((norm for norm in NORMS if found and norm == found[1]), "raw")


_MISSING: Mapping[Norm, str] = {
    "tokens": "an option came back with no tokens",
    "pmi": "an option came back without a usable log-likelihood without the context",
}


def _target(item: Item) -> int:
    if not isinstance(item.target, int) or not 0 <= item.target < len(item.choices):
        raise TaskError(
            f"item {item.id}: the loglikelihood scorer needs the index of the right choice, "
            f"got target {item.target!r:.80} and {len(item.choices)} choices",
            "Set `fields.choices` and `fields.target`.",
        )
    return item.target


def fault(item: Item, response: Response) -> str | None:
    """What makes the engine's answer unusable, or None."""
    options = response.options
    if len(options) != len(item.choices):
        return f"{len(options)} log-likelihoods came back for {len(item.choices)} choices"
    for number, option in enumerate(options, 1):
        if math.isnan(option.logprob) or option.logprob == math.inf:
            return f"the log-likelihood of choice {number} is {option.logprob}"
    if all(option.logprob == -math.inf for option in options):
        return "every choice has log-likelihood -inf"
    return None


def _normalised(item: Item, options: tuple[OptionScore, ...], norm: Norm) -> list[float] | None:
    """One value per choice, the highest wins; None where the engine did not give what the norm needs."""
    if norm == "raw":
        return [option.logprob for option in options]
    if norm == "tokens":
        if any(option.tokens < 1 for option in options):
            return None
        return [option.logprob / option.tokens for option in options]
    if norm == "pmi":
        pairs = [(o.logprob, o.unconditional) for o in options]
        values = [given - alone for given, alone in pairs if alone is not None and math.isfinite(alone)]
        return values if len(values) == len(pairs) else None
    lengths = [
        len(text) if norm == "chars" else len(text.encode("utf-8", "surrogatepass")) for text in item.choices
    ]
    if 0 in lengths:
        raise TaskError(
            f"item {item.id}: choice {lengths.index(0) + 1} is empty, so norm={norm} is undefined",
            "Mend the choice, or use norm: raw.",
        )
    return [option.logprob / length for option, length in zip(options, lengths, strict=True)]
