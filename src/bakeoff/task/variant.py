"""Another way to ask the same items."""

from typing import Any, Literal

from bakeoff.score.scorer import Ask
from bakeoff.task.generation import GenerationSettings
from bakeoff.task.prompt import Prompt
from bakeoff.task.shots import Shots
from bakeoff.task.spec import Spec


class Variant(Spec):
    """What is set here replaces the task's own; of prompt, shots and generation only the keys set."""

    prompt: Prompt | None = None
    ask: Ask | None = None
    options: Literal["texts", "letters"] | None = None
    shuffle_choices: bool | None = None
    shots: Shots | None = None
    generation: GenerationSettings | None = None
    scorer: Any = None
