"""What a live arena is: its models, its rules, and what its voters are told."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from bakeoff.arena.battles.limits import Limits
from bakeoff.arena.definition.candidate import Candidate
from bakeoff.arena.definition.prompts import Prompts
from bakeoff.arena.moderation.recipe import DEFAULT, FILTERS, Declared
from bakeoff.arena.moderation.words import Words
from bakeoff.arena.pairing.settings import PairingSettings
from bakeoff.arena.policy.rules import Policy
from bakeoff.digest import digest
from bakeoff.errors import BakeoffError, TaskError
from bakeoff.task.spec import Mistake, Place, Spec, mistake, mistakes
from bakeoff.task.task import Name
from bakeoff.task.yaml_file import read_yaml

CONSENT = (
    "Two models will read what you write and answer it. Prompts, answers and votes are kept to rank the "
    "models, without your name or address, and some are published later, with what looks like personal "
    "details taken out. Do not write anything that is private, yours or another's."
)


class Deadlines(Spec):
    """Seconds: a side that has shown nothing for `first_token_s`, or is not done after `answer_s`, makes the
    battle void. One that nobody votes on for `vote_s` is abandoned.
    """

    first_token_s: float = Field(default=60.0, gt=0, le=3600)
    answer_s: float = Field(default=180.0, gt=0, le=3600)
    vote_s: float = Field(default=86_400.0, ge=60, le=30 * 86_400)

    @model_validator(mode="after")
    def _in_order(self) -> "Deadlines":
        if self.first_token_s > self.answer_s:
            raise mistake("is later than the whole answer's", "lower it", at=("first_token_s",))
        return self


class PerVoter(Spec):
    """Of one voter: `open` battles without a vote at once; `votes` and `battles` in 24 hours."""

    open: int = Field(default=3, ge=1)
    votes: int = Field(default=200, ge=1)
    battles: int = Field(default=400, ge=1)


class Arena(Spec):
    """`name` is that of its policy, too. A battle has up to `turns` prompts of its voter, each of up to
    `longest_prompt` characters; an answer has up to `max_tokens` tokens.

    `voters` may be anyone, those with an account, or those with an invitation. `consent` is shown before the
    first prompt. Texts are erased after `retention_days`; None keeps them. A share `held_back`, in [0, 1), of
    the battles is never given out, so that nobody can train on all of them.
    """

    name: Name
    title: str = ""
    about: str = ""
    models: tuple[Candidate, ...]
    policy: Policy
    pairing: PairingSettings = PairingSettings()
    turns: int = Field(default=5, ge=1, le=50)
    longest_prompt: int = Field(default=8_000, ge=1, le=200_000)
    max_tokens: int = Field(default=1_024, ge=1)
    deadlines: Deadlines = Deadlines()
    per_voter: PerVoter = PerVoter()
    voters: Literal["anyone", "accounts", "invited"] = "anyone"
    prompts: Prompts = Prompts()
    consent: str = Field(default=CONSENT, min_length=1)
    retention_days: int | None = Field(default=365, ge=1)
    held_back: float = Field(default=0.2, ge=0, lt=1)
    moderation: tuple[Declared, ...] = DEFAULT

    @model_validator(mode="before")
    @classmethod
    def _policy_of_its_name(cls, values: Any) -> Any:
        """The policy is written without a name, or left out."""
        if not isinstance(values, Mapping) or isinstance(values.get("policy"), Policy):
            return values
        told = values.get("policy", {})
        if not isinstance(told, Mapping):
            return values
        name = values.get("name")
        if told.get("name", name) != name:
            raise mistake(
                f"is {told['name']!r}, and the arena is {name!r}", "leave it out", at=("policy", "name")
            )
        return {**values, "policy": {**told, "name": name}}

    @model_validator(mode="after")
    def _fits_together(self) -> "Arena":
        if len(self.models) < 2:
            raise mistake("are too few", "a battle is between two", at=("models",))
        names = [each.name.casefold() for each in self.models]
        for place, name in enumerate(names):
            if name in names[:place]:
                raise mistake("is there twice", "give each its own name", at=("models", place, "name"))
        if self.pairing.most >= self.policy.sampling.factor:
            raise mistake(
                f"is {self.pairing.most:g}, and the policy warns from {self.policy.sampling.factor:g} times "
                "a fair share on",
                "lower it, or raise policy.sampling.factor",
                at=("pairing", "most"),
            )
        return self

    @property
    def limits(self) -> Limits:
        """How much one voter may do."""
        return Limits(self.per_voter.open, self.per_voter.votes, self.per_voter.battles, self.turns)

    @property
    def digest(self) -> str:
        """Names the definition: all of it that is not mere words about it."""
        return digest(self.model_dump(mode="json", exclude={"title", "about"}))


def load_arena(path: Path) -> Arena:
    """The arena in a YAML file, with the prompts and words of the files that it names, which lie beside it.

    Raises:
        TaskError: it cannot be read, or there are mistakes in it, each with its line and field.
    """
    values, origin = read_yaml(
        path,
        what="an arena holds `key: value` lines, starting with `name` and `models`",
        hint="bakeoff arena new FILE writes one to start from",
    )
    try:
        arena = Arena.model_validate(values)
    except ValidationError as error:
        found = [Mistake(_untagged(each.place), each.problem, each.hint) for each in mistakes(error)]
        raise origin.error(found, str(path)) from None
    problems: list[Mistake] = []
    try:
        read = arena.model_copy(update=dict(_read(arena, path.parent, problems)))
    except TaskError as error:
        raise TaskError(f"{path}: {error.message}", error.hint) from None
    if problems:
        raise origin.error(problems, str(path))
    return read


def _read(arena: Arena, folder: Path, problems: list[Mistake]) -> Iterator[tuple[str, Any]]:
    """The parts that name files, with what is in these; what is wrong with any goes into `problems`."""
    prompts = arena.prompts
    if prompts.file:
        prompts = prompts.model_copy(update={"file": str(folder / prompts.file)})
    yield "prompts", _told(("prompts",), lambda: prompts.read(arena.longest_prompt), prompts, problems)
    filters = []
    for place, each in enumerate(arena.moderation):
        found = each
        if isinstance(each, Words):
            at = each.model_copy(update={"file": str(folder / each.file) if each.file else ""})
            found = _told(("moderation", place), at.read, at, problems)
        filters.append(found)
    yield "moderation", tuple(filters)


T = TypeVar("T")


def _told(place: Place, read: Callable[[], T], otherwise: T, problems: list[Mistake]) -> T:
    try:
        return read()
    except PydanticCustomError as error:
        told = error.context or {}
        problems.append(Mistake((*place, *told["at"]), told["problem"], told["hint"]))
    except BakeoffError as error:
        problems.append(Mistake((*place, "file"), error.message, error.hint))
    return otherwise


def _untagged(place: Place) -> Place:
    """The place without the filter's name, which pydantic puts between a filter's number and its field."""
    if len(place) > 2 and place[0] == "moderation" and place[2] in FILTERS:
        return place[:2] + place[3:]
    return place
