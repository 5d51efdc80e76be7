"""The standard ways to ask a question with choices, for any task that has them."""

from collections.abc import Mapping
from functools import cache

from bakeoff.task.generation import GenerationSettings
from bakeoff.task.prompt import Prompt
from bakeoff.task.shots import Shots
from bakeoff.task.variant import Variant

_LISTED = "{{ input }}\n{% for choice in choices %}{{ letters[loop.index0] }}. {{ choice }}\n{% endfor %}"
_LETTER = "Answer with the letter of the right option only."
_REASON = "Think step by step. End with a line that says `Answer:` and the letter of the right option."


@cache
def multiple_choice() -> Mapping[str, Variant]:
    """Seven variants, by name.

    | name | is |
    |---|---|
    | `cloze` | plain text, the choices not listed; each choice's text is scored as the continuation |
    | `listed` | plain text with the choices listed; each choice's text is scored |
    | `letters` | plain text with the choices listed; each letter is scored |
    | `chat_letters` | a chat message with the choices listed; each letter is scored |
    | `plain_letter` | plain text with the choices listed; the model writes a line, which names the letter |
    | `chat` | a chat message that asks for the letter alone; the model writes |
    | `reasoned` | a chat message that asks to think first and to end with the letter; the model writes |

    Plain variants show the task's own shots, chat variants none.
    """
    listed, none = _prompt("plain", _LISTED + "Answer:"), Shots(n=0)
    short = GenerationSettings(max_tokens=32, stop=())
    return {
        "cloze": _scored(_prompt("plain", "Question: {{ input }}\nAnswer:")),
        "listed": _scored(listed),
        "letters": _scored(listed, letters=True),
        "chat_letters": _scored(_prompt("chat", _LISTED + _LETTER), letters=True, shots=none),
        "plain_letter": _written(listed, GenerationSettings(max_tokens=16, stop=("\n",))),
        "chat": _written(_prompt("chat", _LISTED + _LETTER), short, none),
        "reasoned": _written(
            _prompt("chat", _LISTED + _REASON), GenerationSettings(max_tokens=2048, stop=()), none
        ),
    }


def _prompt(kind: str, template: str) -> Prompt:
    """Every key, so that nothing of the task's own prompt shows through."""
    facts = {name: field.default for name, field in Prompt.model_fields.items()}
    return Prompt(**facts | {"kind": kind, "template": template})


def _scored(prompt: Prompt, *, letters: bool = False, shots: Shots | None = None) -> Variant:
    options = "letters" if letters else "texts"
    facts = {} if shots is None else {"shots": shots}
    return Variant(prompt=prompt, ask="loglikelihood", options=options, scorer="loglikelihood", **facts)


def _written(prompt: Prompt, generation: GenerationSettings, shots: Shots | None = None) -> Variant:
    facts = {} if shots is None else {"shots": shots}
    return Variant(
        prompt=prompt, ask="generate", options="letters", generation=generation, scorer="choice", **facts
    )
