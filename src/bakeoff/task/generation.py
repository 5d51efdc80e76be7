"""How an answer is sampled, as a task states it."""

from pydantic import Field, field_validator

from bakeoff.nouns import Generation
from bakeoff.task.spec import Spec, Texts, mistake


class GenerationSettings(Spec):
    """`temperature` 0 means greedy. `stop` strings end the answer and are not part of it."""

    max_tokens: int = Field(default=256, ge=1)
    temperature: float = Field(default=0.0, ge=0)
    top_p: float = Field(default=1.0, gt=0, le=1)
    stop: Texts = ()

    @field_validator("stop")
    @classmethod
    def _no_empty_stop(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if "" in value:
            raise mistake("an empty text would stop every answer at once", at=(value.index(""),))
        return value

    @property
    def sampling(self) -> Generation:
        """The settings as a request carries them."""
        return Generation(self.max_tokens, self.temperature, self.top_p, self.stop)
