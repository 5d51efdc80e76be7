"""One call of a function, as data."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Call:
    """A function's name and its arguments by name. Values are JSON values; Python notation adds tuples."""

    name: str
    arguments: Mapping[str, Any]
    notation: Literal["python", "json"]

    def __str__(self) -> str:
        return f"{self.name}({', '.join(f'{name}={value!r}' for name, value in self.arguments.items())})"


class UnreadableError(ValueError):
    """A text that is not calls, and why."""
