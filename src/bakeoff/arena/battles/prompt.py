"""What a voter asks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from bakeoff.errors import BakeoffError
from bakeoff.nouns.item import Message, Part


@dataclass(frozen=True, slots=True)
class Prompt:
    """One turn of a voter. `language` is a code such as `de`, None where it is not known; `tags` are what
    moderation says of it; `images` are parts of that kind.

    Raises:
        BakeoffError: there is neither text nor image.
        ValueError: a tag is empty or has a comma, or a part is no image.
    """

    text: str
    language: str | None = None
    tags: tuple[str, ...] = ()
    images: tuple[Part, ...] = ()

    def __post_init__(self) -> None:
        if not self.text.strip() and not self.images:
            raise BakeoffError("the prompt is empty", "write what the models are to answer")
        if any("," in tag or not tag for tag in self.tags):
            raise ValueError(f"a tag is not empty and has no comma, got {self.tags!r}")
        if any(part.kind != "image" for part in self.images):
            raise ValueError("images are parts of the kind image")

    @property
    def message(self) -> Message:
        """As models read it. Without words there is no part of text: some APIs refuse an empty one."""
        words = (Part("text", self.text),) if self.text.strip() else ()
        return Message("user", (*words, *self.images))


def kept(text: str) -> str:
    """`text` as a database can keep it: NUL and lone surrogates are spelt out."""
    return text.encode("utf-8", "backslashreplace").decode().replace("\x00", "\\x00")


def images_as_json(images: Sequence[Part]) -> str | None:
    """Images for the database; None where there are none."""
    return orjson.dumps([[part.media_type, part.data] for part in images]).decode() if images else None


def images_of(written: str | None) -> tuple[Part, ...]:
    """Images from the database."""
    found: Any = orjson.loads(written) if written else []
    return tuple(Part("image", data, media_type) for media_type, data in found)
