"""Several tasks, and the rule that makes one score of them."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, PrivateAttr, ValidationError, model_validator

from bakeoff.errors import TaskError
from bakeoff.task.catalog import suite_folder, suite_index
from bakeoff.task.load import load_task
from bakeoff.task.spec import Spec, Texts, mistake, mistakes
from bakeoff.task.task import Name
from bakeoff.task.yaml_file import read_yaml

_YAML = (".yaml", ".yml")


def _one_or_more(value: object) -> object:
    return (value,) if isinstance(value, str) else value


Refs = Annotated[Texts, BeforeValidator(_one_or_more)]
"""One name or a list of them."""


class Part(Spec):
    """The mean score of a task, or of several tasks whose items are pooled (`tasks`, each NAME[:VARIANT], or
    a task file, whose path starts from the suite's file).

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

    _files: Mapping[str, str] = PrivateAttr(default_factory=dict)

    @property
    def asked(self) -> tuple[str, ...]:
        """What to run: as `refs`, with the file of a task that has one of its own."""
        return tuple(self._files.get(ref, ref) for ref in self.refs)

    @property
    def refs(self) -> tuple[str, ...]:
        """Every task of the suite, NAME[:VARIANT], once, in the order of the columns."""
        return tuple(dict.fromkeys(ref for part in self.parts for ref in part.tasks))

    @property
    def parts(self) -> Iterator[Part]:
        """The parts of all columns."""
        return (part for column in self.columns for part in column.parts)


def is_suite(ref: str) -> bool:
    """Whether `ref` names a suite of the catalog, or a YAML file with columns."""
    if ref.endswith(_YAML) and Path(ref).is_file():
        return "columns" in read_yaml(Path(ref))[0]
    return ref in suite_index()


def load_suite(ref: str) -> Suite:
    """The suite of that name, or in that YAML file.

    Raises:
        TaskError: there is none, or a mistake in it or in a task file it names, with its line.
    """
    path = Path(ref) if ref.endswith(_YAML) else suite_folder() / f"{ref}.yaml"
    if not path.is_file():
        raise TaskError(f"there is no suite {ref!r}", f"there are {', '.join(suite_index())}")
    values, origin = read_yaml(path, what="a suite file holds `key: value` lines, starting with `name`")
    try:
        suite = Suite.model_validate(values)
    except ValidationError as error:
        raise origin.error(mistakes(error), str(path)) from None
    return _with_names(suite, path.parent)


def _with_names(suite: Suite, folder: Path) -> Suite:
    """The suite with each task file replaced by the task's name, under which its runs are found."""
    files = {ref: name for ref in suite.refs if (name := _name_in(ref, folder)) is not None}
    columns = tuple(
        column.model_copy(
            update={
                "parts": tuple(
                    part.model_copy(update={"tasks": tuple(files.get(ref, ref) for ref in part.tasks)})
                    for part in column.parts
                )
            }
        )
        for column in suite.columns
    )
    named = suite.model_copy(update={"columns": columns})
    named._files = {name: str(folder / ref) for ref, name in files.items()}  # noqa: SLF001 (a copy of ourselves)
    return named


def _name_in(ref: str, folder: Path) -> str | None:
    """NAME[:VARIANT] of a task file."""
    if not re.search(r"\.(ya?ml|py)(@\w+)?(:[\w.-]+)?$", ref):
        return None
    task, variant = load_task(str(folder / ref))
    return task.name if variant == "default" else f"{task.name}:{variant}"
