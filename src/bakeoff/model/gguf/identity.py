"""Who answered, in the words that go into a manifest."""

import hashlib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from bakeoff.digest import digest_bytes
from bakeoff.model.gguf.found import found_in_file
from bakeoff.model.gguf.header import Header
from bakeoff.model.gguf.runtime import engine_version, system
from bakeoff.model.gguf.settings import GgufSettings
from bakeoff.model.protocol import Identity


def describe(
    path: Path, header: Header, settings: GgufSettings, properties: Mapping[str, Any], context_length: int
) -> Identity:
    """The identity of a loaded file; see `Identity` for what each part means.

    `properties` are llama-server's. Threads, slots and the prompt cache were measured to move no answer as
    long as the defaults stand (`GgufSettings`), so they are details then and settings otherwise.
    """
    moving = {"context_length": str(context_length), "encoding": "lm-eval"}
    computing = {
        "parallel": str(settings.parallel),
        "prompt_cache": str(settings.prompt_cache).lower(),
        "threads": str(settings.threads or "llama.cpp's choice"),
    }
    if settings.flash_attention or (settings.prompt_cache and settings.parallel > 1):
        moving |= {"flash_attention": str(settings.flash_attention).lower(), **computing}
    if settings.gpu_layers is not None:
        moving["gpu_layers"] = str(settings.gpu_layers)
    moving |= {f"template.{name}": str(value) for name, value in settings.template.items()}
    return Identity(
        engine="gguf",
        name=path.name,
        engine_version=engine_version(),
        revision=_file_digest(path),
        precision=str(properties.get("model_ftype", "")),
        chat_template=digest_bytes(header.chat_template.encode()) if header.chat_template else "",
        tokenizer=header.tokenizer_digest,
        settings=moving,
        details={
            **found_in_file(path, header).details(),
            **computing,
            "system": system(),
        },
    )


def _file_digest(path: Path) -> str:
    status = path.stat()
    return _digest_once(path, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=64)
def _digest_once(path: Path, size: int, modified: int) -> str:  # noqa: ARG001 (a changed file is another)
    with path.open("rb") as file:
        return "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
