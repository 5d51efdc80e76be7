"""How an answer is sampled, as a task states it."""

from typing import Any

from pydantic import Field, field_validator

from bakeoff.nouns import Generation
from bakeoff.task.constrain import Constrain
from bakeoff.task.spec import Spec, Texts, mistake


class GenerationSettings(Spec):
    """`temperature` 0 means greedy. `stop` strings end the answer and are not part of it.

    `constrain` leaves only some answers open; None, or an empty mapping, leaves all.
    """

    max_tokens: int = Field(default=256, ge=1)
    temperature: float = Field(default=0.0, ge=0)
    top_p: float = Field(default=1.0, gt=0, le=1)
    stop: Texts = ()
    constrain: Constrain | None = None

    @field_validator("stop")
    @classmethod
    def _no_empty_stop(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if "" in value:
            raise mistake("an empty text would stop every answer at once", at=(value.index(""),))
        return value

    @field_validator("constrain", mode="before")
    @classmethod
    def _nothing_is_none(cls, value: Any) -> Any:
        return None if value == {} else value

    @property
    def sampling(self) -> Generation:
        """The settings as a request carries them, but for the constraint, which may be the item's own."""
        return Generation(self.max_tokens, self.temperature, self.top_p, self.stop)
