"""Another way to ask the same items."""

from typing import Any, Literal, TypeVar

from pydantic import Field

from bakeoff.score.scorer import Ask
from bakeoff.task.data import Data
from bakeoff.task.generation import GenerationSettings
from bakeoff.task.prompt import Prompt
from bakeoff.task.shots import Shots
from bakeoff.task.spec import Spec

_D = TypeVar("_D", Data, "DataOverlay")


class DataOverlay(Spec):
    """Other arguments for the generator, and other rows of the same data; keys not set stay as they are."""

    args: dict[str, Any] = Field(default_factory=dict)
    where: dict[str, Any] = Field(default_factory=dict)

    def over(self, data: _D) -> _D:
        """`data` with these arguments and conditions in place of its own of the same name."""
        return data.model_copy(
            update={"args": {**data.args, **self.args}, "where": {**data.where, **self.where}}
        )


class Variant(Spec):
    """What is set here replaces the task's own; of data, prompt, shots and generation only the keys set."""

    data: DataOverlay | None = None
    prompt: Prompt | None = None
    ask: Ask | None = None
    options: Literal["texts", "letters"] | None = None
    shuffle_choices: bool | None = None
    shots: Shots | None = None
    generation: GenerationSettings | None = None
    scorer: Any = None
