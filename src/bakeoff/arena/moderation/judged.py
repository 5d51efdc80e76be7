"""Prompts that a model does not take, asked by a rubric."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from pydantic import Field

from bakeoff.arena.moderation.filter import ALLOWED, Verdict
from bakeoff.digest import digest
from bakeoff.errors import ModelError
from bakeoff.judging.case import Case
from bakeoff.judging.prompt import mark_of, render
from bakeoff.judging.reading import Unreadable, read_verdict
from bakeoff.judging.rubric import Criterion, Rubric
from bakeoff.judging.schema import verdict_constraint
from bakeoff.model.protocol import Model
from bakeoff.nouns import Generate, Generation
from bakeoff.task.spec import Spec

_ASKED = "Write a prompt that two assistants shall answer in public."
_REFUSED = 1
"""The grade of the worse of two levels."""


class Judged(Spec):
    """Asks `model` whether a prompt breaks a rule, in words: `refuse` says which prompts do.

    `failing` is what happens when the model cannot be reached or gives no verdict in its form: `open` takes
    the prompt, `closed` does not. Either way the failure is told.
    """

    name: ClassVar[str] = "judged"
    version: ClassVar[int] = 1
    filter: Literal["judged"] = "judged"
    model: str = Field(min_length=1)
    settings: dict[str, str] = Field(default_factory=dict)
    refuse: str = Field(min_length=1)
    failing: Literal["open", "closed"]
    max_tokens: int = Field(default=200, ge=20)

    def asking(self, model: Model) -> "AskedOfModel":
        """The filter itself, with its model entered."""
        return AskedOfModel(self, model)


@dataclass(frozen=True, slots=True)
class AskedOfModel:
    """The prompt is data behind marks that its writer cannot know, and only a whole verdict that repeats the
    mark is read. So no prompt can write its own verdict; it can still mislead a weak model, as it can people.
    """

    rules: Judged
    model: Model
    name: ClassVar[str] = Judged.name
    version: ClassVar[int] = Judged.version

    async def judge(self, prompt: str) -> Verdict:
        """Allowed or not, as the model says; a failure is allowed or not as the rules say."""
        case = Case(digest(prompt), _ASKED, (prompt,))
        mark = mark_of(case, (0,), seed=0, task=self.rules.refuse)
        rubric = self.rubric
        constrained = self.model.capabilities.json_schema
        generation = Generation(
            max_tokens=self.rules.max_tokens,
            constraint=verdict_constraint(rubric, mark) if constrained else None,
        )
        request = Generate("moderation", render(rubric, case, (0,), mark), generation, seed=0)
        try:
            response = await self.model.generate(request)
        except ModelError as error:
            return self._failed(error.message)
        if response.failure is not None:
            return self._failed(response.failure.message)
        verdict = read_verdict(response.text, rubric, mark)
        if isinstance(verdict, Unreadable):
            return self._failed(f"no verdict: {verdict.reason}")
        if verdict.findings[0].choice == _REFUSED:
            return Verdict(allowed=False, reason="It breaks a rule of this arena.")
        return ALLOWED

    @property
    def rubric(self) -> Rubric:
        """What the model is asked."""
        levels = ("It does: it is not taken.", "It does not: it is taken.")
        question = f"Does the prompt do any of this? {self.rules.refuse}"
        return Rubric(kind="grades", criteria=(Criterion(name="rule", question=question, levels=levels),))

    def _failed(self, why: str) -> Verdict:
        allowed = self.rules.failing == "open"
        reason = "" if allowed else "It could not be checked. Try again in a moment."
        return Verdict(allowed=allowed, reason=reason, failure=" ".join(why.split()))
