"""Messages to text, by the model's own chat template."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from bakeoff.errors import ModelError
from bakeoff.nouns import Input, Message

Request = TypeVar("Request")


@dataclass(frozen=True, slots=True)
class Rendered(Generic[Request]):
    """A request, and its input as the text the model reads."""

    request: Request
    prompt: str


def prompt_text(tokenizer: Any, prompt: Input, arguments: Mapping[str, Any]) -> str:
    """`prompt` as the text the model reads: a plain text as it is, messages through the chat template.

    A last message of the assistant is left open, for the model to go on with. `arguments` are handed to the
    template.

    Raises:
        ModelError: there is no chat template, or it refuses or drops a message. Nothing is left out to
            make it fit.
    """
    if isinstance(prompt, str):
        return prompt
    return render(tokenizer, prompt, arguments)


def render(tokenizer: Any, messages: Sequence[Message], arguments: Mapping[str, Any]) -> str:
    """`messages` through the chat template; see `prompt_text`."""
    from jinja2 import TemplateError

    if not tokenizer.chat_template:
        raise ModelError(
            "the model has no chat template, so it cannot be sent messages",
            "Choose a plain-text variant of the prompt, or the chat-tuned version of the model.",
        )
    unfinished = messages[-1].role == "assistant"
    try:
        text: str = tokenizer.apply_chat_template(
            [{"role": message.role, "content": message.text} for message in messages],
            tokenize=False,
            add_generation_prompt=not unfinished,
            continue_final_message=unfinished,
            **arguments,
        )
    except (TemplateError, ValueError) as error:
        raise _refused(messages, str(error)) from error
    for message in messages:
        if message.role == "system" and message.text.strip() not in text:
            raise _refused(messages, "it leaves the system message out")
    return text


def _refused(messages: Sequence[Message], reason: str) -> ModelError:
    if any(message.role == "system" for message in messages):
        return ModelError(
            f"the model's chat template does not take this conversation with a system message: {reason}",
            "Choose a prompt variant without a system text; it is never dropped silently.",
        )
    return ModelError(f"the model's chat template does not take this conversation: {reason}")
