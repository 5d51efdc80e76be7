"""What a task needs a model to do, and the probe that shows it."""

from typing import Literal, NamedTuple

from bakeoff.errors import ModelError
from bakeoff.model import Model, ProbeReport, probe
from bakeoff.nouns import ConstraintKind
from bakeoff.task import Prepared


class Needs(NamedTuple):
    """What the model must be able to do; `plain` says that constrained answers follow a text, no messages."""

    ask: Literal["generate", "loglikelihood"]
    constraint: ConstraintKind | None = None
    plain: bool = False


def needs(prepared: Prepared) -> Needs:
    """What a task needs of a model: a document's perplexity is asked for as a log-likelihood."""
    task, constrain = prepared.task, prepared.task.generation.constrain
    if task.ask != "generate":
        return Needs("loglikelihood")
    if constrain is None:
        return Needs("generate")
    return Needs("generate", constrain.kind, task.prompt.kind == "plain")


async def probed(model: Model, prepared: Prepared, *, images: bool) -> ProbeReport:
    """What the probe saw.

    Raises:
        ModelError: the model cannot do what the task needs; the message names both.
    """
    ask, constraint, plain = needs(prepared)
    try:
        return await probe(model, ask=ask, images=images, constraint=constraint, plain=plain)
    except ModelError as error:
        raise ModelError(f"{prepared.task.name}: {error.message}", error.hint) from error
