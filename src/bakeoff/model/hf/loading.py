"""Weights and tokenizer into memory, without ever running code that came with them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bakeoff.errors import ModelError
from bakeoff.model.errors import MachineError
from bakeoff.model.hf.memory import out_of_memory
from bakeoff.model.hf.quiet import no_progress_bars
from bakeoff.model.hf.settings import HfSettings
from bakeoff.model.hf.vision import find_processor

_FALLBACK_CONTEXT = 2048
# A tokenizer that knows no limit says 1e30.
_NO_LIMIT = 10**12


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model ready to compute, and the facts about it that were settled while loading."""

    model: Any
    tokenizer: Any
    device: str
    dtype: str
    attention: str
    context_length: int
    ends: frozenset[int]
    """Tokens that end an answer."""
    processor: Any = None
    """What turns texts and images into a vision model's inputs; None for a model of text alone."""
    blind: str = ""
    """Why there is no processor."""


def load(folder: Path, settings: HfSettings) -> Loaded:
    """The model and tokenizer of `folder`.

    Raises:
        ModelError: the files are damaged or incomplete, of an architecture transformers does not have, or
            larger than the memory. A checkpoint that lacks weights is refused: they would be random.
        MachineError: the device, or a library that the checkpoint needs, is not there.
    """
    import torch
    from huggingface_hub.errors import StrictDataclassError
    from safetensors import SafetensorError
    from transformers import AutoModelForCausalLM, AutoModelForImageTextToText, AutoTokenizer

    device = _device(settings.device)
    if settings.threads is not None:
        torch.set_num_threads(settings.threads)
    dtype = settings.dtype
    if dtype == "auto" and device == "cpu":
        dtype = "float32"
    try:
        with no_progress_bars():
            processor, blind = find_processor(folder)
            if processor is None:
                tokenizer = AutoTokenizer.from_pretrained(
                    folder, local_files_only=True, trust_remote_code=False
                )
            else:
                tokenizer = processor.tokenizer
            architecture = AutoModelForCausalLM if processor is None else AutoModelForImageTextToText
            model, report = architecture.from_pretrained(
                folder,
                dtype=dtype if dtype == "auto" else getattr(torch, dtype),
                attn_implementation=settings.attention or None,
                use_safetensors=not settings.pickled_weights or None,
                local_files_only=True,
                trust_remote_code=False,
                output_loading_info=True,
            )
        model = model.eval().to(device)
    except (
        OSError,
        ValueError,
        KeyError,
        TypeError,
        ImportError,
        RuntimeError,
        MemoryError,
        SafetensorError,
        StrictDataclassError,
    ) as error:
        raise _not_loaded(folder, device, error) from error
    if report["missing_keys"]:
        names = sorted(report["missing_keys"])
        raise ModelError(
            f"the checkpoint {folder.name} lacks {len(names)} weights, such as {names[0]}",
            "They would be random. Use a complete checkpoint; merge an adapter into its base model first.",
        )
    if device.startswith("cuda"):
        # cuDNN builds an attention kernel for each new length; ours change all the time.
        torch.backends.cuda.enable_cudnn_sdp(False)
    return Loaded(
        model=model,
        tokenizer=tokenizer,
        device=device,
        dtype=str(model.dtype).removeprefix("torch."),
        attention=str(getattr(model.config, "_attn_implementation", "")),
        context_length=settings.context_length or context_length(model.config, tokenizer),
        ends=end_tokens(model, tokenizer),
        processor=processor,
        blind=blind,
    )


def context_length(config: Any, tokenizer: Any) -> int:
    """The model's context length, resolved as lm-eval 0.4 does.

    The first of n_positions, max_position_embeddings and n_ctx in the (text) configuration; else the
    tokenizer's own limit; else 2048.
    """
    text_config = config.get_text_config()
    for name in ("n_positions", "max_position_embeddings", "n_ctx"):
        if value := getattr(text_config, name, None):
            return int(value)
    limit = getattr(tokenizer, "model_max_length", None)
    return int(limit) if limit and limit < _NO_LIMIT else _FALLBACK_CONTEXT


def end_tokens(model: Any, tokenizer: Any) -> frozenset[int]:
    """All that ends an answer: what the generation configuration lists, and the tokenizer's own end."""
    listed = getattr(model.generation_config, "eos_token_id", None)
    found = listed if isinstance(listed, list) else [listed]
    return frozenset(int(token) for token in (*found, tokenizer.eos_token_id) if token is not None)


def _device(wanted: str) -> str:
    import torch

    if wanted == "auto":
        if torch.cuda.is_available():
            return "cuda"
        return "mps" if torch.backends.mps.is_available() else "cpu"
    try:
        torch.empty(0, device=wanted)
    except (RuntimeError, AssertionError) as error:
        raise MachineError(
            f"the device {wanted!r} cannot be used: {str(error).splitlines()[0]}",
            "Set device=auto or device=cpu.",
        ) from error
    return wanted


def _not_loaded(folder: Path, device: str, error: Exception) -> ModelError:
    reason = str(error).strip()
    if out_of_memory(error):
        return ModelError(
            f"the model {folder.name} does not fit the memory of {device}",
            "Set dtype=bfloat16, or use a machine with more.",
        )
    if isinstance(error, ImportError) or "CUDA error" in reason:
        return MachineError(f"the model {folder.name} cannot be loaded on this machine: {reason}")
    if "ignore_mismatched_sizes" in reason:
        return ModelError(
            f"the checkpoint {folder.name} holds weights of other shapes than its config.json gives",
            "One of the two belongs to another model: fetch both again.",
        )
    if "trust_remote_code" in reason:
        return ModelError(
            f"the model {folder.name} needs code of its own, which is never run here",
            "Use a version of it that transformers supports, or serve it and give its address: http://HOST/v1#MODEL.",
        )
    return ModelError(f"the model {folder.name} cannot be loaded: {reason}")
