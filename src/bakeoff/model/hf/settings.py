"""The settings of the `hf` engine."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast, get_args

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
    "attention",
    "batch_rows",
    "batch_tokens",
    "cache_tokens",
    "context_length",
    "device",
    "dtype",
    "encoding",
    "pickled_weights",
    "sharing",
    "threads",
    "window",
)


@dataclass(frozen=True, slots=True)
class HfSettings:
    """What a user can set, checked. None means: decided when the model is loaded.

    `dtype`: `auto` is float32 on a CPU and what the checkpoint says elsewhere. `device`: `auto` is cuda, mps
    or cpu, the first there is. `attention`: transformers' name of a kernel (`sdpa`, `eager`, ...).
    `batch_tokens` bounds what is read in one pass and `cache_tokens` the answers under way (rows times prompt
    and answer, with up to half as much again for shared beginnings and slack); both halve when memory runs
    out. `batch_rows` bounds the answers written together. `window` is
    how many requests the engine wants in flight. `pickled_weights` lets transformers read `.bin` files where
    a checkpoint has no safetensors. `encoding` says how log-likelihood requests become token ids: `lm-eval`
    as lm-evaluation-harness 0.4 does it, `corrected` without its mistakes; where the two differ, an option's
    note says so in either. `sharing=none` computes every option by itself, for comparison.
    `template` holds the arguments for the chat template (`template.enable_thinking=false`).
    """

    dtype: str
    device: str
    attention: str
    encoding: Mode
    sharing: str
    pickled_weights: bool
    window: int
    batch_rows: int
    threads: int | None
    context_length: int | None
    batch_tokens: int | None
    cache_tokens: int | None
    template: Mapping[str, Any]


def read_settings(settings: Mapping[str, str]) -> HfSettings:
    """`settings` as a user wrote them, checked.

    Raises:
        ModelError: an unknown name, or a value the setting cannot have.
    """
    plain, template = template_arguments(settings)
    check_names("hf", plain, (*_NAMES, f"{TEMPLATE}NAME"))
    return HfSettings(
        dtype=one_of("hf", plain, "dtype", _DTYPES),
        device=plain.get("device", "auto"),
        attention=plain.get("attention", ""),
        encoding=cast("Mode", one_of("hf", plain, "encoding", get_args(Mode))),
        sharing=one_of("hf", plain, "sharing", ("auto", "none")),
        pickled_weights=yes_or_no("hf", plain, "pickled_weights", default=False),
        window=whole_number("hf", plain, "window", 256),
        batch_rows=whole_number("hf", plain, "batch_rows", 64),
        threads=number_or_none("hf", plain, "threads"),
        context_length=number_or_none("hf", plain, "context_length"),
        batch_tokens=number_or_none("hf", plain, "batch_tokens"),
        cache_tokens=number_or_none("hf", plain, "cache_tokens"),
        template=template,
    )
