"""The settings of the `hf` engine."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from bakeoff.errors import ModelError
from bakeoff.model.hf.encoding import Mode
from bakeoff.model.settings import check_names, whole_number, yes_or_no

_TEMPLATE = "template."
_CHOICES = {
    "dtype": ("auto", "float32", "bfloat16", "float16"),
    "encoding": ("corrected", "lm-eval"),
    "sharing": ("auto", "none"),
}
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
        encoding=cast("Mode", _choice(plain, "encoding")),
        sharing=_choice(plain, "sharing"),
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
