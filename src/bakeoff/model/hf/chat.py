"""Messages to text, by the model's own chat template."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from bakeoff.errors import ModelError
from bakeoff.model.hf.encoding import Mode
from bakeoff.nouns import Input, Message, Part

Request = TypeVar("Request")


_PROBE = "Be brief, please."


@dataclass(frozen=True, slots=True)
class Rendered(Generic[Request]):
    """A request, and its input as the text the model reads; `images` in the order of their marks in it."""

    request: Request
    prompt: str
    images: tuple[Part, ...] = ()


def prompt_text(
    tokenizer: Any,
    prompt: Input,
    arguments: Mapping[str, Any],
    mode: Mode = "corrected",
    *,
    parts: bool = False,
) -> str:
    """`prompt` as the text the model reads: a plain text as it is, messages through the chat template.

    A last message of the assistant is left open, for the model to go on with. `arguments` are handed to the
    template, and with `parts` the content of every message as a list of parts (`wants_parts`). A template
    that has no place for a system message gets it in front of the first user message;
    in lm-eval's mode it is left to the template, which may drop it.

    Raises:
        ModelError: there is no chat template, or it refuses a message. Nothing is left out to make it fit.
    """
    if isinstance(prompt, str):
        return prompt
    if (
        mode == "corrected"
        and prompt[0].role == "system"
        and not takes_system(tokenizer, arguments, parts=parts)
    ):
        prompt = _folded(prompt)
    text = _render(tokenizer, prompt, arguments, parts)
    if mode == "corrected":
        for message in prompt:
            if message.role == "system" and message.text.strip() not in text:
                raise ModelError(
                    "the model's chat template leaves a system message out of this conversation",
                    "Choose a prompt variant without a system text; it is never dropped silently.",
                )
    return text


def takes_system(tokenizer: Any, arguments: Mapping[str, Any], *, parts: bool = False) -> bool:
    """Whether the chat template shows a system message to the model."""
    probe = (Message.of("system", _PROBE), Message.of("user", "x"))
    try:
        return _PROBE in _render(tokenizer, probe, arguments, parts)
    except ModelError:
        return False


def wants_parts(tokenizer: Any, arguments: Mapping[str, Any]) -> bool:
    """Whether the chat template loses a message whose content is a text, as those of vision models may."""
    try:
        return _PROBE not in _render(tokenizer, (Message.of("user", _PROBE),), arguments, parts=False)
    except ModelError:
        return True


def images_of(prompt: Input) -> tuple[Part, ...]:
    """The images of all messages, in their order."""
    if isinstance(prompt, str):
        return ()
    return tuple(part for message in prompt for part in message.parts if part.kind == "image")


def _content(message: Message, parts: bool) -> Any:
    """A text; or a list of parts, where images are marked by place only: the template writes their marks."""
    if not parts and not message.has_images:
        return message.text
    return [
        {"type": "text", "text": part.data} if part.kind == "text" else {"type": "image"}
        for part in message.parts
    ]


def _render(tokenizer: Any, messages: Sequence[Message], arguments: Mapping[str, Any], parts: bool) -> str:
    from jinja2 import TemplateError

    if not tokenizer.chat_template:
        raise ModelError(
            "the model has no chat template, so it cannot be sent messages",
            "Choose a plain-text variant of the prompt, or the chat-tuned version of the model.",
        )
    unfinished = messages[-1].role == "assistant"
    try:
        text: str = tokenizer.apply_chat_template(
            [{"role": message.role, "content": _content(message, parts)} for message in messages],
            tokenize=False,
            add_generation_prompt=not unfinished,
            continue_final_message=unfinished,
            **arguments,
        )
    except (TemplateError, ValueError) as error:
        raise ModelError(f"the model's chat template does not take this conversation: {error}") from error
    return text


def _folded(messages: Sequence[Message]) -> tuple[Message, ...]:
    """`messages` with the system text in front of the first message of the user."""
    system, *others = messages
    for place, message in enumerate(others):
        if message.role == "user":
            others[place] = Message("user", (Part("text", f"{system.text}\n\n"), *message.parts))
            return tuple(others)
    return (Message.of("user", system.text), *others)
