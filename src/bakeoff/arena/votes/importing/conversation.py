"""What was said in a published conversation: the user's turns, and the model's."""

from collections.abc import Mapping
from typing import Any

from bakeoff.arena.votes.importing.fields import Fields


def turns(fields: Fields, name: str) -> tuple[str | None, str | None]:
    """The user's turns and the assistant's, each joined by an empty line; None where there is none.

    A turn has `role` and `content`, which is a text or parts with a text in some of them.

    Raises:
        BakeoffError: something else.
    """
    conversation = fields.structure(name)
    if conversation is None:
        return None, None
    if not isinstance(conversation, list):
        raise fields.error(name, "must be a list of turns")
    said: dict[str, list[str]] = {"user": [], "assistant": []}
    for turn in conversation:
        if not isinstance(turn, Mapping) or "role" not in turn or "content" not in turn:
            raise fields.error(name, "a turn has a role and a content")
        if turn["role"] in said:
            said[turn["role"]].append(_content(fields, name, turn["content"]))
    user, assistant = ("\n\n".join(said[role]) if said[role] else None for role in ("user", "assistant"))
    return user, assistant


def _content(fields: Fields, name: str, content: Any) -> str:
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, Mapping)]
        return "\n".join(text for text in texts if isinstance(text, str))
    raise fields.error(name, f"the content of a turn must be a text or parts, got {type(content).__name__}")
