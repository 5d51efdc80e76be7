"""What is asked: a task, frozen."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import Field, PrivateAttr, StringConstraints, field_validator, model_validator

from bakeoff.errors import TaskError
from bakeoff.score.scorer import Ask
from bakeoff.task.card import Card
from bakeoff.task.data import Data
from bakeoff.task.fields import Fields
from bakeoff.task.generation import GenerationSettings
from bakeoff.task.origin import Origin
from bakeoff.task.prompt import Prompt
from bakeoff.task.shots import Shots
from bakeoff.task.spec import Mistake, Place, Spec, mistake, nearest
from bakeoff.task.standard import multiple_choice
from bakeoff.task.variant import DataOverlay, Variant

Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9_.-]+$")]


class Task(Spec):
    """Items, how they are asked, and how answers are judged. The same thing as a task file in YAML.

    `refused` is the value of a refusal and `chance` the score of guessing, both in [0, 1]; without `chance`
    it is the mean of 1/len(choices) over the items, items without choices counting 0. `options` says what
    stands for a choice, in a log-likelihood request and as `target` in `prompt.answer`. `variants` overlay
    the generator's arguments, which rows are taken, the prompt, the kind of request, the shots, the
    generation settings and the scorer; `standard_variants` add the usual ones (`standard`), of which the
    task's own take the place. `about`, `card` and `private` change nothing of what is asked; with `private`
    the texts of items and answers stay in the run folder (`store.privacy`).

    Raises:
        TaskError: naming every field that is wrong.
    """

    name: Name
    version: int | str = 1
    description: str = ""
    about: str = ""
    card: Card | None = None
    data: Data
    fields: Fields = Fields()
    prompt: Prompt = Prompt()
    ask: Ask = "generate"
    options: Literal["texts", "letters"] = "texts"
    shuffle_choices: bool = False
    shots: Shots = Shots()
    generation: GenerationSettings = GenerationSettings()
    scorer: Any
    refused: float = Field(default=0.0, ge=0, le=1)
    chance: float | None = Field(default=None, ge=0, le=1)
    private: bool = False
    variants: dict[Name, Variant] = Field(default_factory=dict)
    standard_variants: Literal["multiple_choice"] | None = None

    _origin: Origin = PrivateAttr(default_factory=Origin)

    @property
    def origin(self) -> Origin:
        """Where the task was written down."""
        return self._origin

    def at(self, origin: Origin) -> "Task":
        """The same task, known to be written down at `origin`."""
        placed = self.model_copy()
        placed._origin = origin  # noqa: SLF001 (a copy of ourselves)
        return placed

    def error(self, place: Place, problem: str, hint: str = "") -> TaskError:
        """A mistake in this task, with the file and line of `place` where it has them."""
        return self._origin.error([Mistake(place, problem, hint)], f"task {self.name!r}")

    @property
    def every_variant(self) -> Mapping[str, Variant]:
        """The variants by name: the task's own, then the standard ones it asks for."""
        if self.standard_variants is None:
            return self.variants
        return {**self.variants, **{k: v for k, v in multiple_choice().items() if k not in self.variants}}

    def with_variant(self, name: str) -> "Task":
        """The task with the overlay of one of its variants; `default` is the task as it stands.

        Raises:
            TaskError: there is no such variant.
        """
        if name == "default":
            return self
        found = self.every_variant.get(name)
        if found is None:
            names = ["default", *self.every_variant]
            raise self.error(
                ("variants",), f"there is no variant {name!r}", nearest(name, names, "there are")
            )
        overlaid = self.model_copy(update=dict(_overlay(self, found)))
        overlaid._origin = replace(self._origin, variant=name)  # noqa: SLF001 (a copy of ourselves)
        return overlaid

    @field_validator("scorer")
    @classmethod
    def _name_or_mapping(cls, value: Any) -> Any:
        if isinstance(value, str) or (isinstance(value, Mapping) and isinstance(value.get("name"), str)):
            return value
        raise mistake(
            f"must be a name, or a mapping with a name, got {value!r:.60}",
            "write scorer: number, or scorer: {name: number, …}",
        )

    @model_validator(mode="after")
    def _fits_together(self) -> "Task":
        if "default" in self.variants:
            raise mistake(
                "`default` is the task as it stands, without an overlay",
                "give the variant another name",
                at=("variants", "default"),
            )
        for name in ("default", *self.every_variant):
            at: Place = () if name == "default" else ("variants", name)
            for place, problem, hint in _contradictions(self.with_variant(name)):
                raise mistake(problem, hint, at=(*at, *place))
        return self


def _overlay(task: Task, variant: Variant) -> Iterator[tuple[str, Any]]:
    for key in sorted(variant.model_fields_set):
        new, old = getattr(variant, key), getattr(task, key)
        if isinstance(new, DataOverlay):
            yield key, new.over(old)
        elif isinstance(new, Spec):
            changed = {name: getattr(new, name) for name in new.model_fields_set}
            yield key, old.model_copy(update=changed)
        elif new is not None:
            yield key, new


def _contradictions(task: Task) -> Iterator[tuple[Place, str, str]]:
    shots = task.shots
    if task.prompt.lead and task.ask != "loglikelihood":
        yield (
            ("prompt", "lead"),
            "stands before the continuations of log-likelihood requests",
            "set ask: loglikelihood, or leave it out",
        )
    if task.ask == "perplexity":
        yield from _no_document(task)
    if shots.rule == "fixed" and shots.data is None and shots.n != 0:
        yield (
            ("shots", "rule"),
            "fixed shots need shots.data: the rows to show, in order",
            "write shots: {rule: fixed, data: {items: [ … ]}}",
        )
    if shots.rule == "fixed" and shots.same is not None:
        yield ("shots", "same"), "fixed shots are the same for every item", "use rule: first with same"


def _no_document(task: Task) -> Iterator[tuple[Place, str, str]]:
    """What a text scored from its first token on cannot have."""
    if task.prompt.kind != "plain":
        yield ("prompt", "kind"), "a document is no message", "write prompt: {kind: plain}"
    if task.prompt.system:
        yield ("prompt", "system"), "would be scored as part of the document", "leave it out"
    if task.shots.shown:
        yield ("shots",), "a document is scored without examples", "leave them out"
