"""Who answered, in the words that go into a manifest."""

from dataclasses import replace
from importlib.metadata import version
from typing import Any

from bakeoff.digest import digest, digest_bytes
from bakeoff.model.hf.chat import takes_system
from bakeoff.model.hf.loading import Loaded
from bakeoff.model.hf.memory import Budget
from bakeoff.model.hf.settings import HfSettings
from bakeoff.model.hf.sharing import Sharing
from bakeoff.model.hf.source import Source
from bakeoff.model.protocol import Identity


def describe(
    source: Source,
    loaded: Loaded,
    settings: HfSettings,
    batch: Budget,
    cache: Budget,
    sharing: Sharing,
    *,
    parts: bool = False,
    blind: str = "",
) -> Identity:
    """The identity of a loaded model; see `Identity` for what each part means.

    `parts` says that its chat template wants lists of parts, `blind` why a vision model is shown no images.
    """
    import torch

    moving = {
        "attention": loaded.attention,
        "encoding": settings.encoding,
        "context_length": str(loaded.context_length),
    }
    if source.note:
        moving["weights"] = source.note
    if loaded.tokenizer.chat_template and not takes_system(loaded.tokenizer, settings.template, parts=parts):
        moving["system_message"] = "in front of the first user message: the chat template takes none"
    if loaded.processor is not None:
        # Resizing differs from one implementation to the next.
        moving["images"] = f"none: {blind}" if blind else type(loaded.processor.image_processor).__name__
    moving |= {f"template.{name}": str(value) for name, value in settings.template.items()}
    found = source.found
    if found.parameters is None and settings.pickled_weights:  # they have no header to read
        found = replace(found, parameters=loaded.model.num_parameters())
    return Identity(
        engine="hf",
        name=source.name,
        engine_version=f"transformers {version('transformers')}, torch {torch.__version__}",
        revision=source.revision,
        precision=loaded.dtype,
        chat_template=template_digest(loaded.tokenizer),
        tokenizer=tokenizer_digest(loaded.tokenizer),
        settings=moving,
        details={
            **found.details(),
            "device": loaded.device,
            "device_name": torch.cuda.get_device_name() if loaded.device.startswith("cuda") else "",
            "threads": str(torch.get_num_threads()),
            "batch_tokens": str(batch.tokens),
            "cache_tokens": str(cache.tokens),
            "batch_rows": str(settings.batch_rows),
            "prefix_sharing": str(sharing),
        },
    )


def template_digest(tokenizer: Any) -> str:
    """The digest of the chat template in use; empty where there is none."""
    template = tokenizer.get_chat_template() if tokenizer.chat_template else ""
    return digest_bytes(template.encode()) if template else ""


def tokenizer_digest(tokenizer: Any) -> str:
    """A digest of everything that turns text into ids."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    table = backend.to_str() if backend is not None else tokenizer.get_vocab()
    return digest([type(tokenizer).__name__, table, tokenizer.bos_token_id, tokenizer.eos_token_id])
