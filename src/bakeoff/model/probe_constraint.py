"""A small question to a model before anything is scored: does it hold its answers to a constraint?

Those that do not seldom say so: llama.cpp writes freely where it cannot read a grammar, and many servers
ignore a field that they do not know.
"""

import re

from bakeoff.errors import ModelError
from bakeoff.model.answer import MARKS
from bakeoff.model.protocol import Model
from bakeoff.nouns import Constraint, ConstraintKind, FinishReason, Generate, Generation, Input

# What no model would answer to a question of its own accord.
_SCHEMA = (
    '{"type":"object","properties":{"q7":{"type":"string","enum":["violet"]}},"required":["q7"],'
    '"additionalProperties":false}'
)
_PATTERN = "[0-9]{4}-violet"
_HELD = {
    "json_schema": (Constraint("json_schema", _SCHEMA), r'\s*\{\s*"q7"\s*:\s*"violet"\s*\}\s*'),
    "regex": (Constraint("regex", _PATTERN), _PATTERN),
}
# Room for a model that reasons first.
_LONGEST = 1024
_FREE = "to ask freely, use a variant that sets generation: {constrain: null}"


def require_constraint(model: Model, kind: ConstraintKind) -> None:
    """That the engine says it can.

    Raises:
        ModelError: it says it cannot.
    """
    if getattr(model.capabilities, kind):
        return
    engine, name = model.identity.engine, model.identity.name
    instead = "use gguf:…, hf:… or vllm:…"
    if engine in ("gguf", "hf"):
        instead = "it needs a package that reads constraints (pip install llguidance) and a fast tokenizer"
    elif engine == "openai" and kind == "regex":
        instead = "if the server is vLLM, set constrain=structured_outputs"
    elif engine == "recorded":
        instead = "its answers were written elsewhere"
    raise ModelError(
        f"{engine}:{name} cannot hold its answers to a {kind}, which the task asks for", f"{instead}; {_FREE}"
    )


async def probe_constraint(model: Model, kind: ConstraintKind, prompt: Input) -> str:
    """Ask `prompt` under a constraint that the model would not meet by itself.

    Raises:
        ModelError: no answer, or a free one. Nothing should be scored with it.
    """
    constraint, pattern = _HELD[kind]
    generation = Generation(max_tokens=_LONGEST, constraint=constraint)
    answer = await model.generate(Generate("probe", prompt, generation, seed=0))
    name = model.identity.name
    if answer.failure is not None:
        raise ModelError(
            f"{name} did not answer a probe under a {kind}: {answer.failure.message} ({answer.failure.kind})",
            f"nothing was scored; {_FREE}",
        )
    if re.fullmatch(pattern, answer.text):
        return "holds"
    text = answer.text.lstrip()
    if answer.finish is FinishReason.LENGTH and (not text or text.startswith(tuple(m for m, _ in MARKS))):
        return "not shown: the answer was all reasoning"
    raise ModelError(
        f"{name} does not hold its answers to a {kind}: under {constraint.text} it wrote "
        f"{answer.text!r:.200}",
        "nothing was scored; a server may want the constraint in another field (see the setting constrain); "
        f"{_FREE}",
    )
