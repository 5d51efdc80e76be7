"""A model of a live arena: how it is reached, whose it is, and how it is asked."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, field_validator

from bakeoff.arena.policy.variant import Access, Licence
from bakeoff.arena.policy.variants import LONGEST
from bakeoff.nouns import Generation
from bakeoff.task.spec import Spec, Texts, mistake


def _line(text: str) -> str:
    plain = " ".join(text.split())
    if not plain or len(plain) > LONGEST or not plain.isprintable():
        raise mistake(f"must be 1 to {LONGEST} characters in one line, all of them to be seen")
    return plain


def _as_text(value: Any) -> Any:
    """Settings are texts, and a file has numbers and truth values for some of them."""
    if not isinstance(value, dict):
        return value
    words = {True: "true", False: "false"}
    return {
        name: words[each] if isinstance(each, bool) else str(each) if isinstance(each, int | float) else each
        for name, each in value.items()
    }


Line = Annotated[str, BeforeValidator(lambda value: _line(value) if isinstance(value, str) else value)]
Settings = Annotated[dict[str, str], BeforeValidator(_as_text)]


class Sampling(Spec):
    """How answers are sampled. `temperature` 0 means greedy. `stop` strings end an answer."""

    temperature: float = Field(default=0.7, ge=0, le=2)
    top_p: float = Field(default=1.0, gt=0, le=1)
    stop: Texts = ()

    @field_validator("stop")
    @classmethod
    def _no_empty_stop(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if "" in value:
            raise mistake("an empty text would stop every answer at once", at=(value.index(""),))
        return value

    def generation(self, max_tokens: int) -> Generation:
        """The same for a request."""
        return Generation(max_tokens, self.temperature, self.top_p, self.stop)


class Candidate(Spec):
    """`name` is what voters are told after their vote; `model` a reference as in `bakeoff run --model`, with
    the `settings` of its engine. `family` is what its provider chooses one of. `api_date` is the date of the
    version, for a model of an API that does not say its own. `images` says that it is shown to those who ask
    with one. A `private` candidate is under test, under a code name: that is told after a vote, and listed.
    """

    name: Line
    model: str = Field(min_length=1)
    settings: Settings = Field(default_factory=dict)
    provider: Line
    family: Line
    licence: Licence
    access: Access = "public"
    api_date: str = Field(default="", pattern=r"^(\d{4}-\d\d-\d\d)?$")
    system: str = ""
    sampling: Sampling = Sampling()
    images: bool = False
