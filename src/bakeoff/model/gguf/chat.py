"""Messages to text, by the chat template in the file, as transformers renders it."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from bakeoff.errors import ModelError
from bakeoff.nouns import Message

# Stands behind an unfinished message while it is rendered. The space shows whether the template trims.
_HERE = "BAKEOFF_GOES_ON_HERE "


class ChatTemplate:
    """A model's own chat template, run in a sandbox: it comes with the weights, from anybody.

    Rendered here rather than by llama.cpp, which rewrites a conversation that the template refuses (a system
    message, say) into one that it takes; the same template then gives the same text in every engine.
    `arguments` are handed to the template.
    """

    def __init__(self, source: str, *, bos: str, eos: str, arguments: Mapping[str, Any]) -> None:
        from jinja2 import TemplateError

        self._context = {**arguments, "bos_token": bos, "eos_token": eos}
        try:
            self._template = _environment().from_string(source)
        except TemplateError as error:
            raise ModelError(f"the model's chat template cannot be read: {error}") from error

    def render(self, messages: tuple[Message, ...]) -> str:
        """`messages` as the text the model reads. A last message of the assistant is left open to go on with.

        Raises:
            ModelError: the template refuses or drops a message. Nothing is left out to make it fit.
        """
        from jinja2 import TemplateError

        turns = [{"role": message.role, "content": message.text} for message in messages]
        unfinished = messages[-1].role == "assistant"
        if unfinished:
            turns[-1]["content"] += _HERE
        try:
            text = self._template.render(
                messages=turns, add_generation_prompt=not unfinished, **self._context
            )
        # The template is a program of somebody else's; these are what programs in Jinja can raise.
        except (TemplateError, ArithmeticError, LookupError, TypeError, ValueError, RecursionError) as error:
            raise _refused(messages, str(error)) from error
        for message in messages:
            if message.role == "system" and message.text.strip() not in text:
                raise _refused(messages, "it leaves the system message out")
        return _up_to_here(text) if unfinished else text


def _up_to_here(text: str) -> str:
    """`text` up to the mark behind its last message; a template that trims the mark trims the message."""
    at = text.rfind(_HERE.strip())
    if at < 0:
        raise ModelError("the model's chat template does not show the assistant's last message as it is")
    return text[:at] if text.startswith(_HERE, at) else text[:at].rstrip()


def _refused(messages: tuple[Message, ...], reason: str) -> ModelError:
    if any(message.role == "system" for message in messages):
        return ModelError(
            f"the model's chat template does not take this conversation with a system message: {reason}",
            "Choose a prompt variant without a system text; it is never dropped silently.",
        )
    return ModelError(f"the model's chat template does not take this conversation: {reason}")


def _environment() -> Any:
    """Jinja as transformers sets it up (`transformers.utils.chat_template_utils`)."""
    from jinja2.ext import Extension, loopcontrols
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Generation(Extension):
        """`{% generation %}` marks the assistant's own words, for training; here it marks nothing."""

        tags = {"generation"}  # noqa: RUF012 (as jinja2 declares it)

        def parse(self, parser: Any) -> Any:
            next(parser.stream)
            return parser.parse_statements(("name:endgeneration",), drop_needle=True)

    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols]
    )
    environment.filters["tojson"] = _to_json
    environment.globals["raise_exception"] = _raise
    environment.globals["strftime_now"] = lambda form: datetime.now().astimezone().strftime(form)
    return environment


def _to_json(value: Any, indent: int | None = None) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent)


def _raise(message: str) -> None:
    from jinja2 import TemplateError

    raise TemplateError(message)
