"""Where a task was written down, so that a mistake can be shown at its file and line."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bakeoff.errors import TaskError
from bakeoff.task.spec import Mistake, Place, task_error


@dataclass(frozen=True, slots=True)
class Mark:
    """A value's line in its file, and the line before its text begins (it differs for block texts)."""

    line: int
    before_text: int


@dataclass(frozen=True, slots=True)
class Origin:
    """The file of a task, or nothing for one built in Python.

    Two origins are always equal: where a task was written down is no part of what it is.
    `folder` is what relative paths in it start from. With `variant`, places are looked up in that
    variant's overlay first.
    """

    file: str = field(default="", compare=False)
    folder: Path = field(default=Path(), compare=False)
    marks: Mapping[Place, Mark] = field(default_factory=dict, compare=False)
    variant: str | None = field(default=None, compare=False)

    def error(self, found: Iterable[Mistake], label: str) -> TaskError:
        """The mistakes as one error, each with its file and line; `label` stands in for an absent file."""
        found = list(found)
        return task_error((self._located(each, label) for each in found), (each.hint for each in found))

    def _located(self, found: Mistake, label: str) -> str:
        if not self.file:
            return f"{label}: {found}"
        place = self._written(found.place)
        line = self._line(place, found.line)
        return f"{self.file}{f':{line}' if line else ''}: {Mistake(place, found.problem)}"

    def _written(self, place: Place) -> Place:
        """The place in the variant's overlay, where the overlay sets it."""
        if self.variant is None:
            return place
        overlaid = ("variants", self.variant, *place)
        return overlaid if overlaid in self.marks else place

    def _line(self, place: Place, inside: int) -> int:
        for end in range(len(place), -1, -1):
            mark = self.marks.get(place[:end])
            if mark is not None:
                return mark.before_text + inside if inside and end == len(place) else mark.line
        return 0
