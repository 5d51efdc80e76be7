"""The settings of the `hf` engine."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bakeoff.errors import ModelError
from bakeoff.model.settings import check_names, whole_number, yes_or_no

_TEMPLATE = "template."
_CHOICES = {
    "dtype": ("auto", "float32", "bfloat16", "float16"),
    "boundary": ("lm-eval",),
}
_NAMES = (
    "attention",
    "batch_rows",
    "batch_tokens",
    "boundary",
    "cache_tokens",
    "context_length",
    "device",
    "dtype",
    "pickled_weights",
    "threads",
    "window",
)


@dataclass(frozen=True, slots=True)
class HfSettings:
    """What a user can set, checked. None means: decided when the model is loaded.

    `dtype`: `auto` is float32 on a CPU and what the checkpoint says elsewhere. `device`: `auto` is cuda, mps
    or cpu, the first there is. `attention`: transformers' name of a kernel (`sdpa`, `eager`, ...).
    `batch_tokens` bounds a log-likelihood batch and `cache_tokens` a generation batch (rows times prompt and
    answer); both halve when memory runs out. `batch_rows` bounds the answers written together. `window` is
    how many requests the engine wants in flight. `pickled_weights` lets transformers read `.bin` files where
    a checkpoint has no safetensors. `boundary` names the rule that splits a context from its continuation.
    `template` holds the arguments for the chat template (`template.enable_thinking=false`).
    """

    dtype: str
    device: str
    attention: str
    boundary: str
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
    template = {
        name.removeprefix(_TEMPLATE): _template_value(value)
        for name, value in settings.items()
        if name.startswith(_TEMPLATE)
    }
    plain = {name: value for name, value in settings.items() if not name.startswith(_TEMPLATE)}
    check_names("hf", plain, (*_NAMES, f"{_TEMPLATE}NAME"))
    return HfSettings(
        dtype=_choice(plain, "dtype"),
        device=plain.get("device", "auto"),
        attention=plain.get("attention", ""),
        boundary=_choice(plain, "boundary"),
        pickled_weights=yes_or_no("hf", plain, "pickled_weights", default=False),
        window=whole_number("hf", plain, "window", 256),
        batch_rows=whole_number("hf", plain, "batch_rows", 64),
        threads=_number_or_none(plain, "threads"),
        context_length=_number_or_none(plain, "context_length"),
        batch_tokens=_number_or_none(plain, "batch_tokens"),
        cache_tokens=_number_or_none(plain, "cache_tokens"),
        template=template,
    )


def _choice(settings: Mapping[str, str], name: str) -> str:
    """One of a few words; the first is the default."""
    words = _CHOICES[name]
    value = settings.get(name, words[0])
    if value not in words:
        raise ModelError(f"the hf setting {name} must be one of {', '.join(words)}, got {value!r}")
    return value


def _number_or_none(settings: Mapping[str, str], name: str) -> int | None:
    return whole_number("hf", settings, name, 1) if name in settings else None


def _template_value(text: str) -> Any:
    """`false`, `3` and `["a"]` as JSON says; anything else is the text itself."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text
