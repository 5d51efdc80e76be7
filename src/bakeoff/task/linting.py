"""Static checks of a task: what would spoil its scores, found before a model is asked."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from bakeoff.errors import TaskError
from bakeoff.task.lint_data import DATA_RULES
from bakeoff.task.lint_prompt import PROMPT_RULES
from bakeoff.task.prepared import prepare
from bakeoff.task.survey import CountTokens, Remarks, Survey
from bakeoff.task.task import Task

Rule = Callable[[Survey], Remarks]

RULES: tuple[Rule, ...] = (*DATA_RULES, *PROMPT_RULES)
"""Every rule is a function in `lint_data` or `lint_prompt`; its name is the rule's id."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong (`error`: the score would be) or doubtful (`warning`). `item` is None for the task."""

    level: Literal["error", "warning"]
    rule: str
    item: str | None
    message: str


def lint(
    task: Task,
    *,
    variant: str = "default",
    seed: int = 0,
    limit: int | None = None,
    count_tokens: CountTokens | None = None,
    context: int | None = None,
) -> list[Finding]:
    """What the rules find, errors first.

    A task that cannot be prepared has the one finding that says why (rule `readable`). Prompts are held
    against `context`, in tokens, where `count_tokens` is given too. `limit` looks at the first rows only.
    """
    try:
        prepared = prepare(task, variant, seed=seed)
    except TaskError as error:
        return [Finding("error", "readable", None, str(error))]
    survey = Survey(prepared, tuple(islice(prepared.items(), limit)), count_tokens, context)
    found = [
        Finding(remark.level, rule.__name__.replace("_", "-"), remark.item, remark.message)
        for rule in RULES
        for remark in rule(survey)
    ]
    return sorted(found, key=lambda finding: finding.level != "error")
