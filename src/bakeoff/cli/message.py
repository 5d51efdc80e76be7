"""A message as text for people."""

from bakeoff.nouns import Message, Part, image_line

_DIGEST_SHOWN = len("sha256:") + 12


def shown(message: Message) -> str:
    """Its parts in their order; an image as a line of its own with its kind, digest, size and length."""
    text = ""
    for part in message.parts:
        if part.kind == "text":
            text += part.data
        else:
            text += f"{_new_line(text)}{_image(part)}\n"
    return text


def _new_line(text: str) -> str:
    return "\n" if text and not text.endswith("\n") else ""


def _image(part: Part) -> str:
    digest, *facts = image_line(part).split(" ", 1)
    kind = part.media_type.removeprefix("image/")
    return f"[image {' '.join([kind, *facts])}, {digest[:_DIGEST_SHOWN]}…]"
