"""The probability that lies on the true choices, where several are true."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from bakeoff.errors import TaskError
from bakeoff.nouns import Item, Outcome, Response, Score
from bakeoff.score.loglikelihood import fault
from bakeoff.score.options import identifier
from bakeoff.score.scorer import Ask
from bakeoff.score.verdict import scored, unscored


@dataclass(frozen=True, slots=True)
class LoglikelihoodMass:
    """The share of the choices' probability that lies on the true ones, in [0, 1].

    Σ p(true) / Σ p(all) with p = exp(log-likelihood), not normalised by length: TruthfulQA's MC2 (Lin et al.
    2022). `labels` names a list in the item's metadata that says of each choice, in the order of the data,
    whether it is true (1) or not (0). The item's target must be one of the true choices: where it is not, the
    choices were put into another order.
    """

    name: ClassVar[str] = "loglikelihood_mass"
    version: ClassVar[int] = 1
    asks: ClassVar[Ask] = "loglikelihood"

    labels: str = "labels"

    @property
    def id(self) -> str:
        """`loglikelihood_mass@1`, with the column unless it is `labels`."""
        return identifier(self)

    def __call__(self, item: Item, response: Response) -> Score:
        """The share; the reason says how many choices are true and which is the most likely."""
        true = _true(item, self.labels)
        if (why := fault(item, response)) is not None:
            return unscored(self.id, Outcome.MODEL_ERROR, why)
        logprobs = [option.logprob for option in response.options]
        best = max(logprobs)
        weights = [math.exp(logprob - best) for logprob in logprobs]
        share = math.fsum(w for w, label in zip(weights, true, strict=True) if label) / math.fsum(weights)
        first = logprobs.index(best)
        kind = "true" if true[first] else "false"
        reason = (
            f"{sum(true)} of {len(true)} choices are true; the most likely, choice {first + 1}, is {kind}"
        )
        return scored(self.id, min(1.0, share), item.choices[first], reason)


def _true(item: Item, column: str) -> list[bool]:
    labels: Any = item.metadata.get(column)
    if (
        not isinstance(labels, list | tuple)
        or len(labels) != len(item.choices)
        or not all(label in (0, 1) for label in labels)
        or not 0 < sum(labels) < len(labels)
    ):
        raise TaskError(
            f"item {item.id}: the loglikelihood_mass scorer needs a list with 0 or 1 for each of the "
            f"{len(item.choices)} choices, and both there, in metadata {column!r}, got {labels!r:.80}",
            "Name the column with `labels: …` and the choices with `fields.choices`.",
        )
    if not isinstance(item.target, int) or not labels[item.target]:
        raise TaskError(
            f"item {item.id}: the target {item.target!r:.40} is not a choice that {column!r} marks as true",
            "Leave `shuffle_choices` out: the labels are in the order of the data.",
        )
    return [bool(label) for label in labels]
