"""The policy: what a run must show before it may pass."""

from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, BeforeValidator, Field, PrivateAttr, ValidationError, model_validator

from bakeoff.errors import TaskError
from bakeoff.task.origin import Origin
from bakeoff.task.spec import Mistake, Spec, Texts, mistake, mistakes, nearest
from bakeoff.task.yaml_file import read_yaml


def _share(value: float) -> float:
    if not 0 <= value <= 1:
        raise mistake(f"must lie between 0 and 1, got {value:g}", f"{value:g} % is {value / 100:g}")
    return value


def _above_zero(value: float) -> float:
    if not 0 < value < float("inf"):
        raise mistake(f"must be above 0, got {value:g}")
    return value


def _margin(value: float) -> float:
    if not 0 < value < 1:
        raise mistake(f"must lie between 0 and 1, got {value:g}", f"{value:g} points are {value / 100:g}")
    return value


def _alpha(value: float) -> float:
    if not 0 < value < 0.5:
        raise mistake(f"must lie between 0 and 0.5, got {value:g}", "5 % is 0.05")
    return value


Share = Annotated[float, AfterValidator(_share)]
Positive = Annotated[float, AfterValidator(_above_zero)]


class Coverage(Spec):
    """What must be there before anything is judged. Applies to every run."""

    items: int = Field(30, ge=1)
    """At least so many items that count: scored in the run and, where there is one, in the baseline."""
    unscored: Share = 0.0
    """At most this share of samples without a score (too long, model error, scorer error)."""
    answered: Share = 0.0
    """At least this share of samples from which an answer was extracted."""
    missing: Share = 0.0
    """At most this share of the baseline's scored items without a score in the run."""
    broken: Literal["inconclusive", "fail"] = "inconclusive"
    """What a run is that breaks this rule. Never a pass."""


class Rule(Spec):
    """What all rules have in common: `tasks` are names (`mmlu`) or variants (`mmlu:letters`); empty: all."""

    paired: ClassVar[bool] = False
    rule: str
    tasks: Texts = ()

    def applies_to(self, task: str, variant: str) -> bool:
        """Whether the rule is about this task."""
        return not self.tasks or task in self.tasks or f"{task}:{variant}" in self.tasks


class NoRegression(Rule):
    """Fails only if the run is significantly worse than its baseline."""

    paired = True
    rule: Literal["no_regression"] = "no_regression"


class NonInferiority(Rule):
    """Passes only if the run is shown to be less than `margin` worse than its baseline."""

    paired = True
    rule: Literal["non_inferiority"] = "non_inferiority"
    margin: Annotated[float, AfterValidator(_margin)]


class Floor(Rule):
    """Passes only if the score is shown to be `score` or above; with `point`, if it just is."""

    rule: Literal["floor"] = "floor"
    score: Share
    point: bool = False


class RequiredItems(Rule):
    """Passes only if at least `at_least` (by default all) of the items `ids` are right."""

    rule: Literal["required_items"] = "required_items"
    ids: Texts = Field(min_length=1)
    at_least: int | None = Field(None, ge=1)

    @model_validator(mode="after")
    def _no_more_than_there_are(self) -> "RequiredItems":
        if len(set(self.ids)) < len(self.ids):
            twice = next(each for each in self.ids if self.ids.count(each) > 1)
            raise mistake(f"{twice!r} is there twice", at=("ids",))
        if self.at_least is not None and self.at_least > len(self.ids):
            raise mistake(f"must be at most {len(self.ids)}, the number of ids", at=("at_least",))
        return self


class Cost(Rule):
    """Passes only if an answer costs at most `per_item` US dollars on average."""

    rule: Literal["cost"] = "cost"
    per_item: Positive


class Latency(Rule):
    """Passes only if the median (`p50`) or 95th percentile (`p95`) is shown to be at most so many seconds."""

    rule: Literal["latency"] = "latency"
    p50: Positive | None = None
    p95: Positive | None = None

    @model_validator(mode="after")
    def _says_something(self) -> "Latency":
        if self.p50 is None and self.p95 is None:
            raise mistake("needs p50, p95 or both", "for example p95: 3.0")
        return self


RULES: dict[str, type[Rule]] = {
    "no_regression": NoRegression,
    "non_inferiority": NonInferiority,
    "floor": Floor,
    "required_items": RequiredItems,
    "cost": Cost,
    "latency": Latency,
}

AnyRule = Annotated[
    NoRegression | NonInferiority | Floor | RequiredItems | Cost | Latency, Field(discriminator="rule")
]


def _known_rule(value: Any) -> Any:
    if isinstance(value, dict):
        name = value.get("rule")
        if name is None:
            raise mistake("is missing", f"rules are {', '.join(RULES)}", at=("rule",))
        if name not in RULES:
            known = nearest(str(name), RULES, "rules are")
            raise mistake(f"there is no rule {name!r}", known, at=("rule",))
    elif not isinstance(value, Rule):
        raise mistake("a rule is a mapping", "for example - rule: no_regression")
    return value


class Policy(Spec):
    """Coverage first, then the rules. Without a file: enough items, all scored, and no regression.

    `alpha` bounds, over all rules and runs of one gate together, the probability to fail a run that breaks
    none of them; and the probability that a rule which must be shown passes a run that breaks it.
    """

    alpha: Annotated[float, AfterValidator(_alpha)] = 0.05
    baselines: str = "baselines"
    """The folder of promoted baselines, from the policy's own folder."""
    baseline: str = "main"
    """The promoted baseline to hold a run against."""
    coverage: Coverage = Coverage()
    rules: tuple[Annotated[AnyRule, BeforeValidator(_known_rule)], ...] = Field(
        (NoRegression(),), min_length=1
    )
    _origin: Origin = PrivateAttr(default_factory=Origin)

    @property
    def source(self) -> str:
        """The policy's file; empty for one built in Python or the default."""
        return self._origin.file

    @property
    def baselines_folder(self) -> Path:
        """Where promoted baselines lie."""
        return self._origin.folder / self.baselines

    def at(self, origin: Origin) -> "Policy":
        """The same policy, written down at `origin`."""
        placed = self.model_copy()
        placed._origin = origin  # noqa: SLF001 (a copy of ourselves)
        return placed


def read_policy(path: Path) -> Policy:
    """The policy in a YAML file.

    Raises:
        TaskError: it cannot be read, or there is a mistake in it, each with file, line and field.
    """
    if not path.is_file():
        beside = sorted(each.name for each in path.parent.glob("*.y*ml"))[:8]
        raise TaskError(f"there is no policy {path}", f"in its folder: {', '.join(beside)}" if beside else "")
    values, origin = read_yaml(
        path,
        what="a policy holds `key: value` lines, such as `alpha` and `rules`",
        hint="docs/reference/gate-policy.md has one to start from",
    )
    try:
        return Policy.model_validate(values).at(origin)
    except ValidationError as error:
        found = [Mistake(_untagged(each.place), each.problem, each.hint) for each in mistakes(error)]
        raise origin.error(found, str(path)) from None


def _untagged(place: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """The place without the rule's name, which pydantic puts between a rule's number and its field."""
    if len(place) > 2 and place[0] == "rules" and place[2] in RULES:
        return place[:2] + place[3:]
    return place
