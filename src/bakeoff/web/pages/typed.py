"""What somebody typed into a form that was not taken, and why not: shown again beside its fields."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bakeoff.errors import BakeoffError


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, and what to do."""

    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Typed:
    """`form` names the form; `problems` are by field, "" for what concerns all of them."""

    form: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    problems: Mapping[str, Problem] = field(default_factory=dict)

    def value(self, form: str, name: str, otherwise: str = "") -> str:
        """What was typed into a field."""
        return self.values.get(name, otherwise) if form == self.form else otherwise

    def problem(self, form: str, name: str = "") -> Problem | None:
        """What is wrong with a field, if anything is."""
        return self.problems.get(name) if form == self.form else None


def refused(form: str, values: Mapping[str, str], error: BakeoffError) -> Typed:
    """A form whose whole was not taken."""
    return Typed(form, values, {"": Problem(error.message, error.hint)})


NOTHING = Typed()
"""As a page is asked for at first."""
