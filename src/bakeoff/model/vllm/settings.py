"""The settings of the `vllm` engine."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast, get_args

from bakeoff.errors import ModelError
from bakeoff.model.hf.encoding import Mode
from bakeoff.model.settings import (
    TEMPLATE,
    check_names,
    number_or_none,
    one_of,
    template_arguments,
    whole_number,
    yes_or_no,
)

_DTYPES = ("auto", "float32", "bfloat16", "float16")
_NAMES = (
    "context_length",
    "data_parallel",
    "dtype",
    "eager",
    "encoding",
    "gpu_memory",
    "prefix_caching",
    "quantization",
    "tensor_parallel",
    "verbose",
    "window",
)


@dataclass(frozen=True, slots=True)
class VllmSettings:
    """What a user can set, checked. None leaves a choice to vLLM.

    `dtype`: `auto` is what the checkpoint says, but 16 bits where it says 32. `context_length` is tokens of
    prompt and answer together. `quantization` is vLLM's name of a method, for checkpoints that do not say.
    A model is cut over `tensor_parallel` GPUs, and there are `data_parallel` copies of it. `gpu_memory` is
    the share of each GPU's memory to take, above 0 and at most 1. `eager` does without CUDA graphs: slower,
    and starts sooner. `prefix_caching` computes once what prompts begin with in common. `encoding` is
    described by `HfSettings`. `window` is how many requests the engine wants in flight. `verbose` lets vLLM
    write its log to standard error. `template` holds the arguments for the chat template
    (`template.enable_thinking=false`).
    """

    dtype: str
    context_length: int | None
    quantization: str | None
    tensor_parallel: int
    data_parallel: int
    gpu_memory: float | None
    eager: bool
    prefix_caching: bool
    encoding: Mode
    window: int
    verbose: bool
    template: Mapping[str, Any]


def read_settings(settings: Mapping[str, str]) -> VllmSettings:
    """`settings` as a user wrote them, checked.

    Raises:
        ModelError: an unknown name, or a value the setting cannot have.
    """
    plain, template = template_arguments(settings)
    check_names("vllm", plain, (*_NAMES, f"{TEMPLATE}NAME"))
    return VllmSettings(
        dtype=one_of("vllm", plain, "dtype", _DTYPES),
        context_length=number_or_none("vllm", plain, "context_length", least=2),
        quantization=plain.get("quantization"),
        tensor_parallel=whole_number("vllm", plain, "tensor_parallel", 1),
        data_parallel=whole_number("vllm", plain, "data_parallel", 1),
        gpu_memory=_share(plain, "gpu_memory"),
        eager=yes_or_no("vllm", plain, "eager", default=False),
        prefix_caching=yes_or_no("vllm", plain, "prefix_caching", default=True),
        encoding=cast("Mode", one_of("vllm", plain, "encoding", get_args(Mode))),
        window=whole_number("vllm", plain, "window", 256),
        verbose=yes_or_no("vllm", plain, "verbose", default=False),
        template=template,
    )


def _share(settings: Mapping[str, str], name: str) -> float | None:
    """A number above 0 and at most 1."""
    if name not in settings:
        return None
    try:
        value = float(settings[name])
    except ValueError:
        value = 0.0
    if not 0 < value <= 1:
        raise ModelError(f"the vllm setting {name} must be above 0 and at most 1, got {settings[name]!r}")
    return value
