"""What memory a model takes, so that no worker is given one that it cannot hold."""

import re

from bakeoff.board.submissions import Model

_LOADED_HERE = frozenset({"hf", "gguf", "vllm"})
_BITS = {"float64": 64, "float32": 32, "bfloat16": 16, "float16": 16, "half": 16}
_UNKNOWN = 16
_BESIDES = 1.2
"""Weights, and a fifth for the answers in flight: a rule of thumb that long contexts exceed."""


def needed_gb(model: Model) -> float:
    """GB that a worker must have for it; 0 for what is not loaded there, or is of no known size.

    The bits of a weight are those in the name of the precision (`Q4_K_M`, `int8`, `nf4`), 16 where it says
    none.
    """
    if model.engine not in _LOADED_HERE or not model.parameters:
        return 0.0
    name = model.precision.lower()
    said = re.search(r"\d+", name)
    bits = _BITS.get(name) or (int(said.group()) if said else _UNKNOWN)
    return model.parameters * bits / 8 * _BESIDES
