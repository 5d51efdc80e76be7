"""How a question is put into words."""

from typing import Literal

from pydantic import field_validator

from bakeoff.task.spec import Spec, mistake


class Prompt(Spec):
    """Templates are sandboxed Jinja; an undefined name is an error.

    They see `input`, `choices`, `letters` and every column of the row; `answer` also sees `target` and
    `letter`, the gold answer as `options` says (text or letter) and its letter. A `chat` prompt is one user
    message, or the item's own messages with `template` applied to the last user message. A `plain` prompt
    is one text: `system` as it is, then the shots joined by `separator`, each with `delimiter` between
    prompt and answer. For a log-likelihood request, each option's continuation is `answer` with that option
    as `target`; `lead`, filled in the same way, stands between the prompt and that continuation without
    being scored, for options that fill a gap and are judged by what follows it. In a chat it ends the last
    user message.
    """

    kind: Literal["chat", "plain"] = "chat"
    system: str = ""
    template: str = "{{ input }}"
    answer: str = "{{ target }}"
    lead: str = ""
    delimiter: str = " "
    separator: str = "\n\n"

    @field_validator("system", "template", "answer", "lead")
    @classmethod
    def _compiles(cls, value: str) -> str:
        from jinja2 import TemplateSyntaxError

        from bakeoff.task.template import compiled

        try:
            compiled(value)
        except TemplateSyntaxError as error:
            raise mistake(f"template syntax: {error.message}", line=error.lineno) from None
        return value
