"""What the columns of a table of scores mean that somebody published."""

from collections.abc import Mapping
from datetime import date as Day  # noqa: N812 (a field is called date)
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError, model_validator

from bakeoff.task.origin import Origin
from bakeoff.task.spec import Mistake, Spec, Texts, mistake, mistakes, nearest, task_error
from bakeoff.task.suite import Refs
from bakeoff.task.yaml_file import read_yaml

ALL = "*"
"""As the one name in `columns`: every other metric of a long table."""


class Layout(Spec):
    """Which columns of a table say what; a name left empty is not in the table. `source` says where its
    numbers were taken from.

    A wide table has a column for each score: `score` is the one that orders the rows, `columns` are further
    ones. A long table has a row for each score: the column `metric` names it and `value` holds it, and then
    `score` and `columns` are names of metrics. The names in several columns of `model` make one.

    Where no score of all is published, `groups` make one, which `score` names: the mean of the groups' means
    of their scores, missing where one is missing. Groups are columns then.

    Limits of 95 % are in `low` and `high`, or as `+6/-5` in `interval`, or follow from the standard error in
    `stderr`; `n` is over how many items. Each state of the table is of the day in the column `dated`, or all
    of it of one `date`. `first_seen` is since when a row is there, `parameters` are in billions.

    Scores are divided by `scale`: 100 for percentages. `unit` is `raw` for numbers that are no shares, which
    are kept as they are published. Only rows with the values of `where` are read. What has one name,
    precision and revision on one day is one row; where it is there twice, that is refused, or `kept`.
    """

    source: str = ""
    model: Refs = Field(default=("model",), min_length=1)
    score: str = Field(min_length=1)
    metric: str = ""
    value: str = "value"
    groups: dict[str, Texts] = Field(default_factory=dict)
    low: str = ""
    high: str = ""
    interval: str = ""
    stderr: str = ""
    n: str = ""
    columns: Texts = ()
    dated: str = ""
    date: Day | None = None
    first_seen: str = ""
    precision: str = ""
    revision: str = ""
    organisation: str = ""
    licence: str = ""
    parameters: str = ""
    scale: float = Field(default=1.0, gt=0, allow_inf_nan=False)
    unit: Literal["share", "raw"] = "share"
    lower_is_better: bool = False
    where: dict[str, str] = Field(default_factory=dict)
    twice: Literal["refused", "kept"] = "refused"

    @model_validator(mode="after")
    def _fits_together(self) -> "Layout":
        if bool(self.dated) == (self.date is not None):
            raise mistake(
                "when the numbers were published must be said, by a column or by one date",
                "--dated COLUMN, or --date 2026-01-31",
                at=("dated",),
            )
        if bool(self.low) != bool(self.high):
            raise mistake("limits come in pairs: `low` and `high`", at=("low",))
        if sum(map(bool, (self.low, self.interval, self.stderr))) > 1:
            raise mistake("says the error of a score twice", "name one of low and high, interval, stderr")
        if self.groups and (self.low or self.interval or self.stderr or not all(self.groups.values())):
            raise mistake(
                "are groups of names of scores, and their mean has no error that could be told",
                "leave out low, high, interval and stderr",
                at=("groups",),
            )
        if ALL in self.columns and (not self.metric or len(self.columns) > 1):
            raise mistake(
                f"{ALL} alone stands for all other metrics of a long table",
                "name the column of the metrics, or each column",
                at=("columns",),
            )
        return self

    @property
    def scores(self) -> tuple[str, ...]:
        """The scores that are named: columns of a wide table, metrics of a long one."""
        first = tuple(name for group in self.groups.values() for name in group) or (self.score,)
        return tuple(dict.fromkeys((*first, *(name for name in self.columns if name != ALL))))

    @property
    def about(self) -> tuple[str, ...]:
        """Every column of the file that is needed beside the scores of a wide table."""
        named = (self.low, self.high, self.interval, self.stderr, self.n, self.dated, self.first_seen)
        facts = (self.precision, self.revision, self.organisation, self.licence, self.parameters)
        long = (self.metric, self.value) if self.metric else ()
        return tuple(dict.fromkeys(name for name in (*self.model, *long, *named, *facts) if name))


def read_layout(name: str, path: Path | None, given: Mapping[str, Any]) -> Layout:
    """The layout of the board `name`: what the YAML file at `path` says, and over it what is `given`.

    A file may be for a family: under `boards` it says, by the name of a board, what differs from what it says
    for all.

    Raises:
        TaskError: a mistake, with its line, or a file with `boards` that does not name this one.
    """
    if path is None:
        return Layout(**given)
    values, origin = read_yaml(path, what="a layout file holds `key: value` lines", hint=_HINT)
    family = values.pop("boards", None)
    if family is not None:
        if not isinstance(family, dict) or not isinstance(family.get(name), dict):
            known = family if isinstance(family, dict) else ()
            where = Mistake(
                ("boards",), f"does not say how {name} is laid out", nearest(name, known, "there are")
            )
            raise origin.error([where], str(path))
        values |= family[name]
        origin = _of_board(origin, name)
    try:
        return Layout.model_validate(values | dict(given))
    except ValidationError as error:
        found = mistakes(error)
        if any(each.place and each.place[0] in given for each in found):  # no mistake of the file
            raise task_error(map(str, found), (each.hint for each in found)) from None
        raise origin.error(found, str(path)) from None


_HINT = "for example `score: average`, `dated: snapshot`, `scale: 100`, `source: https://…`"


def _of_board(origin: Origin, name: str) -> Origin:
    """What is said for one board stands where it stands, whatever is said for all."""
    own = {place[2:]: mark for place, mark in origin.marks.items() if place[:2] == ("boards", name)}
    return Origin(origin.file, origin.folder, {**origin.marks, **own})
