"""Which worked examples are shown before the question."""

from typing import Literal

from pydantic import Field

from bakeoff.task.data import Data
from bakeoff.task.spec import Spec


class Shots(Spec):
    """`n` examples, from `data` or else from the task's own data.

    `first`: the first n rows of the pool; `sampled`: drawn for each item by its own seed; `fixed`: exactly
    these rows, in their order (all of them unless `n` says fewer). `same` keeps, for each item, the rows
    whose column equals the item's (`meta.subject`). Rows with the item's own content are never shown to it,
    whatever the rule.
    """

    n: int | None = Field(default=None, ge=0)
    rule: Literal["first", "sampled", "fixed"] = "first"
    data: Data | None = None
    same: str | None = None

    @property
    def shown(self) -> bool:
        """Whether there are any examples at all."""
        return self.n != 0 if self.rule == "fixed" else bool(self.n)
