"""What is asked: items and the messages they are made of."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a message: text, or an image.

    `data` is the text itself or, for an image, its base64 bytes; `media_type` is then, say, `image/png`.
    """

    kind: Literal["text", "image"]
    data: str
    media_type: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    role: Role
    parts: tuple[Part, ...]

    @classmethod
    def of(cls, role: Role, text: str) -> "Message":
        """A message of text alone."""
        return cls(role, (Part("text", text),))

    @property
    def text(self) -> str:
        """The text parts joined; images leave no trace in it."""
        return "".join(part.data for part in self.parts if part.kind == "text")

    @property
    def has_images(self) -> bool:
        """Whether any part is an image."""
        return any(part.kind == "image" for part in self.parts)


@dataclass(frozen=True, slots=True)
class Item:
    """One question.

    `input` is a text, or messages; several user messages in a row are scripted turns, each answered before
    the next is sent. `target` is the index of the right choice (0-based) or, for free answers, the accepted
    texts: matching one of them is right. `group` names the cluster the item belongs to (the passage it
    shares with others, say): items of one group are not independent, and intervals account for it.
    `fields` are all columns of the source row, for the prompt template.
    """

    id: str
    input: str | tuple[Message, ...]
    choices: tuple[str, ...] = ()
    target: int | tuple[str, ...] = ()
    group: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    fields: Mapping[str, Any] = field(default_factory=dict)
