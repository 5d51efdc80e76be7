"""Prompts and answers as they are, in pieces that a page can bear."""

from collections.abc import Iterator
from dataclasses import dataclass

from bakeoff.nouns import Input, image_line

MOST_SHOWN = 60_000
"""Characters of one text on a page."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text as it is, or its beginning; `cut` says how many characters more there are."""

    shown: str
    cut: int


@dataclass(frozen=True, slots=True)
class Said:
    """A message of a `role`, or a plain prompt; `images` are lines about the pictures in it."""

    role: str
    text: Text
    images: tuple[str, ...] = ()


def text_of(text: str) -> Text:
    """At most `MOST_SHOWN` characters of it."""
    return Text(text[:MOST_SHOWN], max(0, len(text) - MOST_SHOWN))


def said(asked: Input) -> Iterator[Said]:
    """What is sent, message by message; nothing for an empty prompt."""
    if isinstance(asked, str):
        if asked:
            yield Said("prompt", text_of(asked))
        return
    for message in asked:
        images = tuple(image_line(part) for part in message.parts if part.kind == "image")
        yield Said(message.role, text_of(message.text), images)
