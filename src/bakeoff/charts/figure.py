"""What all charts have in common: a figure with a name, a description, and its numbers as a table."""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from markupsafe import Markup

from bakeoff.visible import visible

if TYPE_CHECKING:
    from jinja2 import Environment

_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


@dataclass(frozen=True, slots=True)
class Link:
    """A name, and the page it leads to if it has one."""

    name: str
    href: str | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """The numbers of a chart as text: the first cell of a row is its name."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Link | str, ...], ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """What stands around a drawing.

    Attributes:
        key: the beginning of every id in the figure; one of its own for each chart of a page.
        title: what is drawn, in a few words.
        says: what to see in it, a sentence or more; may be empty.
        description: the drawing in words, for those who do not see it.
        table: the numbers; None where the page has them in a table anyway.
        elsewhere: the id of that table on the page, or empty.
    """

    key: str
    title: str
    says: str
    description: str
    table: Table | None
    elsewhere: str = ""


def figure(
    key: str,
    title: str,
    says: str,
    description: str,
    numbers: Table | None = None,
    table: bool | str = True,
) -> Figure:
    """The figure of a chart. `table`: whether it brings its `numbers`, or the id of the table that has them.

    Raises:
        ValueError: `key` or the id is no name for ids: a letter, then letters, digits, - and _.
    """
    elsewhere = table if isinstance(table, str) else ""
    for name in (key, *([table] if isinstance(table, str) else [])):
        if not _KEY.fullmatch(name):
            raise ValueError(f"an id begins with a letter, then letters, digits, - and _; got {name!r}")
    return Figure(key, title, says, description, numbers if table is True else None, elsewhere)


def drawn(template: str, **data: object) -> Markup:
    """The template of a chart, filled; `data` are its names there."""
    return Markup(_environment().get_template(template).render(**data))  # noqa: S704 (escaped by the template)


def stylesheet() -> str:
    """The CSS of all charts. It takes its colours from the page: --ink --mute --line --acc --pf --panel."""
    return files(__package__).joinpath("charts.css").read_text("utf-8")


def listed(names: list[str], most: int = 12) -> str:
    """Names in a sentence, the first `most` of them."""
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest:,} more" if rest > 0 else "")


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    folder = files(__package__).joinpath("templates")
    return Environment(
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=FunctionLoader(lambda name: folder.joinpath(name).read_text("utf-8")),
    )


def _shown(value: object) -> object:
    if value is None:
        raise TypeError("a chart would show None")
    return value if isinstance(value, Markup) else visible(str(value))
