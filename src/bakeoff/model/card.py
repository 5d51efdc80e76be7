"""A model card: a README.md that begins with what machines read, between two lines of dashes.

Format: https://huggingface.co/docs/hub/model-cards
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from bakeoff.model.found import WeightType

NAME = "README.md"
_LARGEST = 4 << 20
_LONGEST_WORD, _MOST_WORDS = 100, 64
_FENCE = "---"
_TYPES: Mapping[str, WeightType] = {
    "merge": "merge",
    "adapter": "adapter",
    "quantized": "quantised",
    "quantised": "quantised",
}
# Every plain word stays the text it is. The C parser also bounds how deep things lie in one another.
_Loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


@dataclass(frozen=True, slots=True)
class Card:
    """What a card says. `characters` is the length of its text, without what machines read, comments and
    runs of white space; a card that is not there has none.
    """

    licence: str = ""
    base: tuple[str, ...] = ()
    weight_type: WeightType | None = None
    characters: int = 0


def read_card(path: Path) -> Card:
    """The card in the file `path`; an empty one where there is none, or it cannot be read.

    Metadata that is no YAML says nothing, and its text still counts. A `license: other` is known by its
    `license_name`.
    """
    try:
        with path.open("rb") as file:
            text = file.read(_LARGEST).decode("utf-8-sig", "replace")
    except OSError:
        return Card()
    metadata, text = _parts(text)
    licence = ", ".join(_words(metadata, "license")).lower()
    if licence == "other":
        licence = ", ".join(_words(metadata, "license_name")).lower() or licence
    kinds = [*_words(metadata, "base_model_relation"), *_words(metadata, "tags")]
    return Card(
        licence=licence,
        base=_words(metadata, "base_model"),
        weight_type=next((_TYPES[kind.lower()] for kind in kinds if kind.lower() in _TYPES), None),
        characters=len(_shown(text)),
    )


def _parts(text: str) -> tuple[Mapping[Any, Any], str]:
    """The metadata and the text of a card."""
    lines = text.splitlines(keepends=True)
    if not lines or lines[0].rstrip() != _FENCE:
        return {}, text
    end = next((place for place, line in enumerate(lines[1:], 1) if line.rstrip() == _FENCE), None)
    if end is None:
        return {}, text
    try:
        metadata = yaml.load("".join(lines[1:end]), Loader=_Loader)  # noqa: S506 (makes only texts, lists, mappings)
    except (yaml.YAMLError, RecursionError):
        metadata = {}
    return metadata if isinstance(metadata, dict) else {}, "".join(lines[end + 1 :])


def _words(metadata: Mapping[Any, Any], key: str) -> tuple[str, ...]:
    """The value of `key`, one text or a list of them. What is no short word is left out."""
    value = metadata.get(key, ())
    listed = value if isinstance(value, list) else [value]
    words = [each.strip() for each in listed[:_MOST_WORDS] if isinstance(each, str)]
    return tuple(word for word in words if word and len(word) <= _LONGEST_WORD and "," not in word)


def _shown(text: str) -> str:
    """`text` as a reader sees it. A comment that does not end hides the rest, as in a browser."""
    first, *others = text.split("<!--")
    return " ".join("".join([first, *(each.partition("-->")[2] for each in others)]).split())
