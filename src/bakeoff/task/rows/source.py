"""A place rows come from."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from bakeoff.nouns import Item


class Row(NamedTuple):
    """One row. `place` says where it stands, for messages: `items.jsonl:12`."""

    place: str
    columns: Mapping[str, Any] | Item


@dataclass(frozen=True, slots=True)
class Source:
    """Rows that can be read again and again, without ever holding all of them.

    `facts` say where they came from (file name, commit, seed). `folder` is what image paths start from;
    None allows no image files. `typed` is False where every value is a text (CSV).
    """

    name: str
    read: Callable[[], Iterator[Row]]
    facts: Mapping[str, Any] = field(default_factory=dict)
    folder: Path | None = None
    typed: bool = True


ABSENT = object()


def column(columns: Mapping[str, Any], name: str) -> Any:
    """The value of a column, or of a dotted path into one; ABSENT where there is none."""
    if name in columns:
        return columns[name]
    value: Any = columns
    for step in name.split("."):
        if not isinstance(value, Mapping) or step not in value:
            return ABSENT
        value = value[step]
    return value
