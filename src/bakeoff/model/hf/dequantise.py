"""GGUF files as full-precision folders: unpacked once by transformers, kept in the cache."""

import hashlib
import logging
import shutil
import tempfile
from pathlib import Path

from bakeoff.errors import ModelError
from bakeoff.model.hf.quiet import no_progress_bars
from bakeoff.store import cache_folder

_log = logging.getLogger(__name__)


def dequantised(file: Path) -> tuple[Path, str]:
    """A folder with the weights of `file` in float32, and the sha256 (hex) of `file` that names it.

    The folder lies in the cache (`bakeoff.store.cache_folder`). It is written aside and renamed, so it is
    whole or not there. Making it takes about half a minute for 135 million parameters.

    Raises:
        ModelError: transformers cannot read the file.
    """
    with file.open("rb") as opened:
        sha256 = hashlib.file_digest(opened, "sha256").hexdigest()
    target = cache_folder() / "dequantised" / sha256
    if target.is_dir():
        return target, sha256
    target.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=f"{sha256[:16]}.", suffix=".part", dir=target.parent))
    try:
        _log.info("unpacking %s to float32, once", file.name)
        _unpack(file, aside)
        _move(aside, target)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return target, sha256


def _unpack(file: Path, folder: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    place, name = str(file.parent), file.name
    try:
        with no_progress_bars():
            tokenizer = AutoTokenizer.from_pretrained(place, gguf_file=name, local_files_only=True)
            model = AutoModelForCausalLM.from_pretrained(
                place,
                gguf_file=name,
                dtype=torch.float32,
                # Without it the weights stay packed and cannot be saved.
                quantization_config=GgufConfig(gguf_file=name, dequantize=True),
                local_files_only=True,
            )
            model.save_pretrained(folder)
            tokenizer.save_pretrained(folder)
    except (OSError, ValueError, KeyError, NotImplementedError) as error:
        raise ModelError(
            f"transformers cannot read the GGUF file {file}: {error}",
            "The gguf engine may: gguf:FILE.gguf runs it without unpacking.",
        ) from error


def _move(aside: Path, target: Path) -> None:
    try:
        aside.rename(target)
    except OSError:
        # Another process was first; its folder has the same content.
        if not target.is_dir():
            raise
