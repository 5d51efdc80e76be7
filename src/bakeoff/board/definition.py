"""What a board is: suites, the rule that makes one score of them, who may be on it, and its policy."""

from datetime import date
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError, model_validator

from bakeoff.digest import digest
from bakeoff.errors import TaskError
from bakeoff.task import load_task
from bakeoff.task.spec import Spec, Texts, mistake, mistakes
from bakeoff.task.suite import load_suite
from bakeoff.task.task import Name, Task
from bakeoff.task.yaml_file import read_yaml

Column = Literal["cost", "latency", "precision", "licence", "parameters", "provenance", "first_seen"]


class Weighted(Spec):
    """A suite, by its catalog name or its file, and its weight among those of the board."""

    suite: str = Field(min_length=1)
    weight: float = Field(default=1.0, gt=0)


class Eligibility(Spec):
    """Who may be on the board. What is not stated is not asked for.

    `licences` are SPDX names in lower case. `max_parameters` is in billions. `card` asks for a model card of
    that many characters. Code of a model's own is never run, whatever a board says.
    """

    licences: Texts = ()
    openness: Literal["weights", "any"] = "any"
    max_parameters: float | None = Field(default=None, gt=0)
    card: int = Field(default=200, ge=0)


class Quota(Spec):
    """So many submissions of one organisation in so many days."""

    submissions: int = Field(default=5, ge=1)
    days: int = Field(default=7, ge=1)


REMOVAL = {
    "contamination": "the model was trained on items of the board",
    "identity": "the model is not the one that was named",
    "licence": "the model may not be used as was said",
    "conduct": "the board was gamed",
}


class Policy(Spec):
    """What holds for everyone. Not among the choices: every attempt is shown, nothing published is taken
    back, and what is incomplete has no rank.

    `ranked_per_organisation` caps how many rows of one organisation have a rank: its newest ones, so that
    many variants cannot crowd a board. `private` keeps scores to what the Ladder releases. `removal` are the
    rules, by name, under which a row can lose its rank; there are no others.
    """

    quota: Quota = Quota()
    ranked_per_organisation: int | None = Field(default=None, ge=1)
    unscored_budget: float = Field(default=0.0, ge=0, lt=1)
    private: bool = False
    removal: dict[Name, str] = Field(default_factory=lambda: dict(REMOVAL))


class Board(Spec):
    """A board's score is the weighted mean of the scores of its suites.

    `version` names this rule: a change of anything that moves scores or ranks needs a new one. `columns` are
    shown beside the scores and change nothing. With a `limit` only so many items of each task are asked, the
    same of every model. `moderators` rule on flags and hide posts; where none is named, whoever can write to
    the database does. `twin` is the board, of public tasks, on which one develops for a private one. A board
    of numbers that others report has no suites, and a `source` in their place: nothing is submitted to it.
    """

    name: Name
    version: int = Field(ge=1)
    title: str = ""
    about: str = ""
    since: date
    suites: tuple[Weighted, ...] = ()
    source: str = ""
    level: float = Field(default=0.95, gt=0.5, lt=1)
    eligibility: Eligibility = Eligibility()
    policy: Policy = Policy()
    limit: int | None = Field(default=None, ge=1)
    moderators: Texts = ()
    twin: str = ""
    columns: tuple[Column, ...] = ("precision", "licence", "provenance", "first_seen")

    @model_validator(mode="after")
    def _suites_or_a_source(self) -> "Board":
        if bool(self.suites) == bool(self.source):
            raise mistake("needs suites, or a source of reported scores, and not both", at=("suites",))
        return self

    @model_validator(mode="after")
    def _each_suite_once(self) -> "Board":
        names = [each.suite for each in self.suites]
        for place, name in enumerate(names):
            if name in names[:place]:
                raise mistake("is there twice", "give it one weight", at=("suites", place, "suite"))
        return self

    @property
    def rule(self) -> dict[str, Any]:
        """All that moves scores and ranks, as JSON: suites and tasks as they are today, not their names."""
        return {
            "suites": [
                {
                    "weight": each.weight,
                    "suite": load_suite(each.suite).model_dump(mode="json", exclude=_WORDS),
                    "tasks": _tasks(each.suite),
                }
                for each in self.suites
            ],
            "source": self.source,
            "limit": self.limit,
            "level": self.level,
            "eligibility": self.eligibility.model_dump(mode="json"),
            "policy": self.policy.model_dump(mode="json"),
        }

    @property
    def digest(self) -> str:
        """Names the rule: two boards of one digest rank the same runs alike."""
        return digest(self.rule)


def load_board(path: Path) -> Board:
    """The board in a YAML file.

    Raises:
        TaskError: a mistake in it, with its line, or a suite that is not there.
    """
    values, origin = read_yaml(
        path,
        what="a board file holds `key: value` lines, starting with `name`",
        hint="`bakeoff board new` writes one to start from.",
    )
    try:
        board = Board.model_validate(values)
    except ValidationError as error:
        raise origin.error(mistakes(error), str(path)) from None
    for place, each in enumerate(board.suites):
        try:
            load_suite(_beside(path, each.suite))
        except TaskError as error:
            raise TaskError(f"{path}: suites[{place}]: {error.message}", error.hint) from None
    if board.policy.private:
        _check_private(path, board)
    suites = tuple(each.model_copy(update={"suite": _beside(path, each.suite)}) for each in board.suites)
    return board.model_copy(update={"suites": suites})


def _check_private(path: Path, board: "Board") -> None:
    """Private answers stay home only where their tasks say so."""
    for each in board.suites:
        for ref in load_suite(_beside(path, each.suite)).asked:
            task, _ = load_task(ref)
            if not task.private:
                raise TaskError(
                    f"{path}: policy.private: the task {task.name} is not private",
                    "write private: true into it, so that its texts stay in the run folders",
                )


_WORDS = {"description", "about"}
"""What a suite says of itself moves no score."""
_NOT_ASKED: dict[str, Any] = dict.fromkeys(
    ("about", "card", "private", "variants", "standard_variants"), True
)
# A short list of private answers could be guessed by its digest.
_PRIVATE: dict[str, Any] = _NOT_ASKED | {"data": {"items"}}


def _tasks(suite: str) -> dict[str, str]:
    """The digest of what each task says, in the variant that is asked. Of its items only where they are
    from: two runs show by their own digests whether those were the same.
    """
    found = load_suite(suite)
    asked = {ref: load_task(place) for ref, place in zip(found.refs, found.asked, strict=True)}
    return {ref: digest(_said(task.with_variant(variant))) for ref, (task, variant) in asked.items()}


def _said(task: Task) -> dict[str, Any]:
    return task.model_dump(mode="json", exclude=_PRIVATE if task.private else _NOT_ASKED)


def _beside(path: Path, suite: str) -> str:
    """A suite's file is looked for beside the board's."""
    return str(path.parent.resolve() / suite) if suite.endswith((".yaml", ".yml")) else suite
