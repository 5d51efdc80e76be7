"""Messages in a column: a list of {role, content}."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from bakeoff.nouns import Message, Part, Role
from bakeoff.task.images import ImageFailure, image_part


class MessageFailure(Exception):  # noqa: N818 (not an error of its own: it becomes a TaskError)
    """Why a column does not hold messages."""


def read_messages(value: Any, folder: Path | None) -> tuple[Message, ...]:
    """The messages, taken literally: their text is no template. Images are loaded.

    `content` is a text, or a list of parts `{type: text, text: …}` and `{type: image, image: path or data
    URI}`; paths start from `folder`. The last message must be the user's: it awaits an answer.

    Raises:
        MessageFailure: naming the message.
    """
    if not isinstance(value, list | tuple) or not value:
        raise MessageFailure(f"expected a list of {{role, content}}, got {value!r:.60}")
    messages = tuple(_message(each, index, folder) for index, each in enumerate(value, 1))
    if messages[-1].role != "user":
        raise MessageFailure(f"the last message must be the user's, not the {messages[-1].role}'s")
    return messages


def scripted_turns(messages: tuple[Message, ...]) -> tuple[tuple[Message, ...], ...]:
    """The messages cut after every user message that awaits an answer.

    A user message followed by the assistant's is history: it has its answer.
    """
    turns: list[tuple[Message, ...]] = []
    start = 0
    for index, message in enumerate(messages):
        following = messages[index + 1].role if index + 1 < len(messages) else "user"
        if message.role == "user" and following == "user":
            turns.append(messages[start : index + 1])
            start = index + 1
    return tuple(turns)


def _message(value: Any, index: int, folder: Path | None) -> Message:
    if not isinstance(value, Mapping) or not {"role", "content"} <= value.keys():
        raise MessageFailure(f"message {index}: expected {{role, content}}, got {value!r:.60}")
    role, content = value["role"], value["content"]
    if role not in get_args(Role):
        raise MessageFailure(f"message {index}: the role is one of {', '.join(get_args(Role))}, got {role!r}")
    if isinstance(content, str):
        return Message.of(role, content)
    if not isinstance(content, list | tuple) or not content:
        raise MessageFailure(f"message {index}: content is a text or a list of parts, got {content!r:.60}")
    return Message(role, tuple(_part(part, index, folder) for part in content))


def _part(value: Any, index: int, folder: Path | None) -> Part:
    kind = value.get("type") if isinstance(value, Mapping) else None
    if kind not in ("text", "image") or not isinstance(value.get(kind), str):
        raise MessageFailure(
            f"message {index}: a part is {{type: text, text: …}} or {{type: image, image: …}}, "
            f"got {value!r:.60}"
        )
    if kind == "text":
        return Part("text", value["text"])
    try:
        return image_part(value["image"], folder)
    except ImageFailure as error:
        raise MessageFailure(f"message {index}: {error}") from None
