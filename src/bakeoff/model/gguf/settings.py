"""The settings of the `gguf` engine."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bakeoff.model.gguf.runtime import RuntimeSettings
from bakeoff.model.settings import (
    TEMPLATE,
    check_names,
    number_or_none,
    template_arguments,
    whole_number,
    yes_or_no,
)

_NAMES = (
    "context_length",
    "flash_attention",
    "gpu_layers",
    "n_ctx",
    "parallel",
    "prompt_cache",
    "threads",
    "verbose",
)
# Room for the prompts of the usual benchmarks; the whole window of a large model would not fit the memory.
_LONGEST_DEFAULT = 8192
_CONTEXT_UNKNOWN = 4096


@dataclass(frozen=True, slots=True)
class GgufSettings:
    """What a user can set, checked. None means: decided when the model is loaded.

    `context_length` (or `n_ctx`, as llama.cpp calls it) is tokens of prompt and answer together; the default
    is what the model was trained with, at most 8192. `threads` compute; `parallel` requests run at once. The
    memory holds `parallel` + 1 contexts: one is for continuations that follow nothing.
    `prompt_cache` keeps what a prompt has in common with the one before it: the default for one request at a
    time, where it was measured to move no answer; with several it did, and is off unless asked for.
    `flash_attention` is off by default: see `RuntimeSettings`. `gpu_layers` go to a GPU, if llama.cpp was
    built for one. `verbose` lets llama.cpp write to the terminal. `template` holds arguments for the chat
    template (`template.enable_thinking=false`).
    """

    context_length: int | None
    threads: int | None
    parallel: int
    gpu_layers: int | None
    flash_attention: bool
    prompt_cache: bool
    verbose: bool
    template: Mapping[str, Any]

    def runtime(self, trained: int | None) -> RuntimeSettings:
        """How to load a model that was `trained` with so many tokens of context."""
        return RuntimeSettings(
            context=self.context_length or min(trained or _CONTEXT_UNKNOWN, _LONGEST_DEFAULT),
            slots=self.parallel + 1,
            threads=self.threads,
            gpu_layers=self.gpu_layers,
            flash_attention=self.flash_attention,
            verbose=self.verbose,
        )


def read_settings(settings: Mapping[str, str]) -> GgufSettings:
    """`settings` as a user wrote them, checked.

    Raises:
        ModelError: an unknown name, or a value the setting cannot have.
    """
    plain, template = template_arguments(settings)
    check_names("gguf", plain, (*_NAMES, f"{TEMPLATE}NAME"))
    parallel = whole_number("gguf", plain, "parallel", 1)
    return GgufSettings(
        context_length=number_or_none("gguf", plain, "context_length")
        or number_or_none("gguf", plain, "n_ctx"),
        threads=number_or_none("gguf", plain, "threads") or _threads_of_openmp(),
        parallel=parallel,
        gpu_layers=number_or_none("gguf", plain, "gpu_layers", least=0),
        flash_attention=yes_or_no("gguf", plain, "flash_attention", default=False),
        prompt_cache=yes_or_no("gguf", plain, "prompt_cache", default=parallel == 1),
        verbose=yes_or_no("gguf", plain, "verbose", default=False),
        template=template,
    )


def _threads_of_openmp() -> int | None:
    """OMP_NUM_THREADS, which llama.cpp itself does not read: two processes that each take every core wait for
    one another at every layer.
    """
    told = os.environ.get("OMP_NUM_THREADS", "")
    return int(told) if told.isascii() and told.isdecimal() and int(told) > 0 else None
