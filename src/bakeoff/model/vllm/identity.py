"""Who answered, in the words that go into a manifest."""

import os
from importlib.metadata import version
from typing import Any

from bakeoff.model.hf.chat import takes_system
from bakeoff.model.hf.identity import template_digest, tokenizer_digest
from bakeoff.model.hf.source import Source
from bakeoff.model.protocol import Identity
from bakeoff.model.vllm.settings import VllmSettings


def describe(source: Source, settings: VllmSettings, config: Any, tokenizer: Any) -> Identity:
    """The identity of a started engine; see `Identity` for what each part means.

    `config` is vLLM's `ModelConfig`. How many GPUs share a matrix, whether there are CUDA graphs and what
    comes from the prefix cache all change the order of sums, and so the last bits.
    """
    import torch

    moving = {
        "context_length": str(config.max_model_len),
        "eager": str(settings.eager).lower(),
        "encoding": settings.encoding,
        "prefix_caching": str(settings.prefix_caching).lower(),
        "tensor_parallel": str(settings.tensor_parallel),
    }
    if source.note:
        moving["weights"] = source.note
    if config.quantization:
        moving["quantization"] = str(config.quantization)
    if invariant := os.environ.get("VLLM_BATCH_INVARIANT"):
        moving["batch_invariant"] = invariant
    if tokenizer.chat_template and not takes_system(tokenizer, settings.template):
        moving["system_message"] = "in front of the first user message: the chat template takes none"
    moving |= {f"template.{name}": str(value) for name, value in settings.template.items()}
    return Identity(
        engine="vllm",
        name=source.name,
        engine_version=f"vllm {version('vllm')}, torch {torch.__version__}",
        revision=source.revision,
        precision=str(config.dtype).removeprefix("torch."),
        chat_template=template_digest(tokenizer),
        tokenizer=tokenizer_digest(tokenizer),
        settings=moving,
        details={
            **source.found.details(),
            "data_parallel": str(settings.data_parallel),
            "device_name": torch.cuda.get_device_name() if torch.cuda.is_available() else "",
            "window": str(settings.window),
        },
    )
