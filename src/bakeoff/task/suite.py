"""Several tasks, and the rule that makes one score of them."""

from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, ValidationError, model_validator

from bakeoff.errors import TaskError
from bakeoff.task.spec import Spec, Texts, mistake, mistakes
from bakeoff.task.task import Name
from bakeoff.task.yaml_file import read_yaml


def _one_or_more(value: object) -> object:
    return (value,) if isinstance(value, str) else value


Refs = Annotated[Texts, BeforeValidator(_one_or_more)]
"""One name or a list of them."""


class Part(Spec):
    """The mean score of a task, or of several tasks whose items are pooled (`tasks`, each NAME[:VARIANT]).

    With `by`, a column of the items' metadata, the mean over its values of the mean scores, each value
    counting the same. `weight`, by which items are weighted, is a metadata column or `target`: a number, or a
    list that counts by its length. `floor` is taken to 0 and 1 to 1, before any mean: a number in [0, 1), one
    for each value of `by`, or `chance`, the score of guessing on the items of the tasks.
    """

    tasks: Refs = Field(min_length=1)
    by: str | None = None
    weight: str | None = None
    floor: float | Literal["chance"] | dict[str, float] = 0.0

    @model_validator(mode="after")
    def _floors_below_one(self) -> "Part":
        floors = self.floor.values() if isinstance(self.floor, dict) else [self.floor]
        if not all(0 <= floor < 1 for floor in floors if not isinstance(floor, str)):
            raise mistake("lies in [0, 1)", at=("floor",))
        if isinstance(self.floor, dict) and self.by is None:
            raise mistake("several floors need `by`, the column whose values they are for", at=("floor",))
        return self


class Column(Spec):
    """One column of a suite's table: the mean of its parts, weighted by `weight` in the suite's score."""

    name: str = Field(min_length=1)
    parts: tuple[Part, ...] = Field(min_length=1)
    weight: float = Field(default=1.0, gt=0)


class Suite(Spec):
    """A suite's score is the weighted mean of its columns.

    With `clip`, a score below its floor counts as 0, as some boards have it; it hides that a model is below
    chance and lifts the mean of weak models, so that our own suites do without.
    """

    name: Name
    version: int | str = 1
    description: str = ""
    about: str = ""
    clip: bool = False
    columns: tuple[Column, ...] = Field(min_length=1)

    @property
    def refs(self) -> tuple[str, ...]:
        """Every task of the suite, NAME[:VARIANT], once, in the order of the columns."""
        return tuple(dict.fromkeys(ref for part in self.parts for ref in part.tasks))

    @property
    def parts(self) -> Iterator[Part]:
        """The parts of all columns."""
        return (part for column in self.columns for part in column.parts)


def suite_index() -> Mapping[str, str]:
    """The description of each suite of the catalog, by name."""
    return {name: load_suite(name).description for name in suite_names()}


def suite_names() -> tuple[str, ...]:
    """The names of the suites of the catalog, sorted."""
    return tuple(sorted(path.stem for path in _folder().glob("*.yaml")))


def load_suite(ref: str) -> Suite:
    """The suite of that name, or in that YAML file.

    Raises:
        TaskError: there is none, or a mistake in it, with its line.
    """
    path = Path(ref) if ref.endswith((".yaml", ".yml")) else _folder() / f"{ref}.yaml"
    if not path.is_file():
        raise TaskError(f"there is no suite {ref!r}", f"there are {', '.join(suite_names())}")
    values, origin = read_yaml(path, what="a suite file holds `key: value` lines, starting with `name`")
    try:
        suite = Suite.model_validate(values)
    except ValidationError as error:
        raise origin.error(mistakes(error), str(path)) from None
    return suite


def _folder() -> Path:
    return Path(str(resources.files("bakeoff"))) / "catalog" / "suites"
