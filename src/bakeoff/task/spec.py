"""What the parts of a task file have in common: frozen, strict about names, clear about mistakes."""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from bakeoff.errors import TaskError

Place = tuple[str | int, ...]
"""Where in a task: `("prompt", "template")`."""


class Spec(BaseModel):
    """A part of a task. An unknown key is a mistake, answered with the nearest known one."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    def __init__(self, /, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            found = mistakes(error)
            label = f"task {values['name']!r}" if "name" in values else type(self).__name__
            raise task_error((f"{label}: {each}" for each in found), (each.hint for each in found)) from None

    # Without this mark pydantic would call `__init__` for nested parts too, and their mistakes would
    # no longer know where in the task they stand.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    @model_validator(mode="before")
    @classmethod
    def _known_keys_only(cls, value: Any) -> Any:
        if isinstance(value, Mapping):
            for key in value:
                if key not in cls.model_fields:
                    raise mistake("there is no such key", nearest(str(key), cls.model_fields), at=(key,))
        return value


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing wrong in a task. `line` counts from 1 inside a text of several lines; 0 means no line."""

    place: Place
    problem: str
    hint: str = ""
    line: int = 0

    def __str__(self) -> str:
        return f"{dotted(self.place)}: {self.problem}" if self.place else self.problem


def mistake(problem: str, hint: str = "", *, at: Place = (), line: int = 0) -> PydanticCustomError:
    """A mistake as pydantic validators raise it; `at` leads from the validated value to the culprit."""
    return PydanticCustomError(
        "mistake", "{problem}", {"problem": problem, "hint": hint, "at": at, "line": line}
    )


def mistakes(error: ValidationError) -> list[Mistake]:
    """What pydantic found, in our words."""
    return [_mistake(dict(each)) for each in error.errors(include_url=False)]


def task_error(problems: Iterable[str], hints: Iterable[str]) -> TaskError:
    """One error for all mistakes found: a line each, then what to do."""
    return TaskError("\n".join(problems), " ".join(dict.fromkeys(hint for hint in hints if hint)))


def nearest(word: str, known: Iterable[str], what: str = "the keys here are") -> str:
    """A hint: the known word nearest to `word`, if any is near, and all known words."""
    known = list(known)
    near = difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    did_you_mean = f"did you mean {near[0]!r}? " if near else ""
    return f"{did_you_mean}{what} {', '.join(known)}" if known else did_you_mean.strip()


def dotted(place: Place) -> str:
    """`prompt.template`, `data.items[3]`."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place)
    return text.removeprefix(".")


def _mistake(error: dict[str, Any]) -> Mistake:
    place: Place = tuple(error["loc"])
    if error["type"] == "mistake":
        context = error["ctx"]
        return Mistake(place + tuple(context["at"]), context["problem"], context["hint"], context["line"])
    if error["type"] == "missing":
        return Mistake(place, "is missing")
    message = error["msg"][:1].lower() + error["msg"][1:]
    return Mistake(place, f"{message}, got {_short(error['input'])}")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"


def _list_not_text(value: Any) -> Any:
    if isinstance(value, str):
        raise mistake(f"must be a list, got the text {value!r}", f"write [{value!r}]")
    return value


Texts = Annotated[tuple[str, ...], BeforeValidator(_list_not_text)]
"""A list of texts. A bare text is refused: read as a list it would be its letters."""
