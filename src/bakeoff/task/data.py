"""Where items come from, as a task states it."""

import os
from collections.abc import Mapping
from typing import Any

from pydantic import Field, field_validator, model_validator

from bakeoff.nouns import Item
from bakeoff.task.spec import Spec, Texts, mistake

_SOURCES = ("file", "hub", "generator", "items")
_ONLY_WITH = {
    "config": "hub",
    "split": "hub",
    "revision": "hub",
    "seed": "generator",
    "n": "generator",
    "args": "generator",
}


class Data(Spec):
    """Exactly one of `file`, `hub`, `generator` and `items`; then which rows of it.

    `where` keeps the rows whose column equals the value, or lies within `{from: …, to: …}`, both included
    (`rows.where`); a dotted path reaches into a column that is a mapping. `json_columns` hold JSON text and
    are decoded first. `convert` is `module:function`, `file.py:function` or, in Python, a function `f(row)`
    that gives the row its task wants; it comes before `json_columns` and `where`, and is not for the items
    that `--data` names. `generator` is `module:function`, `file.py:function` or, in Python, the function
    `f(seed, n, **args)` itself; `args` are its keyword arguments. `items` are rows or, in Python, `Item`
    objects. `revision` of a hub data set is a commit, tag or branch; without one, the newest. Of several
    configurations (`config: [a, b]`) the rows follow one another, with the name as column `config`.
    """

    file: str | None = None
    hub: str | None = None
    config: str | tuple[str, ...] | None = None
    split: str = "test"
    revision: str | None = None
    generator: Any = None
    seed: int = 0
    n: int | None = Field(default=None, ge=1)
    args: dict[str, Any] = Field(default_factory=dict)
    items: tuple[Any, ...] | None = None
    convert: Any = None
    where: dict[str, Any] = Field(default_factory=dict)
    json_columns: Texts = ()

    @model_validator(mode="before")
    @classmethod
    def _from_python(cls, value: Any) -> Any:
        """A list of items and a generator function stand for themselves."""
        if isinstance(value, list | tuple):
            return {"items": value}
        if callable(value):
            return {"generator": value}
        return value

    @field_validator("file", mode="before")
    @classmethod
    def _path_to_text(cls, value: Any) -> Any:
        return os.fspath(value) if isinstance(value, os.PathLike) else value

    @field_validator("generator", "convert")
    @classmethod
    def _named_or_callable(cls, value: Any) -> Any:
        if value is None or callable(value) or (isinstance(value, str) and value.count(":") == 1):
            return value
        raise mistake(f"must name a function, got {value!r}", "write module:function, or file.py:function")

    @field_validator("items", mode="before")
    @classmethod
    def _rows(cls, value: Any) -> Any:
        if value is None:
            return None
        if not isinstance(value, list | tuple):
            raise mistake(f"must be a list of rows, got {type(value).__name__}")
        for index, row in enumerate(value):
            if not isinstance(row, Mapping | Item):
                raise mistake(f"a row is a mapping of columns, got {row!r:.60}", at=(index,))
        return value

    @field_validator("where")
    @classmethod
    def _bounds_are_comparable(cls, value: dict[str, Any]) -> dict[str, Any]:
        for name, wanted in value.items():
            if isinstance(wanted, Mapping) and wanted and wanted.keys() <= {"from", "to"}:
                for key, bound in wanted.items():
                    if isinstance(bound, bool) or not isinstance(bound, str | int | float):
                        raise mistake(f"must be a number or a text, got {bound!r:.60}", at=(name, key))
                if len({isinstance(bound, str) for bound in wanted.values()}) > 1:
                    raise mistake("compares with a text and with a number", "write both alike", at=(name,))
        return value

    @model_validator(mode="after")
    def _one_source(self) -> "Data":
        named = [source for source in _SOURCES if getattr(self, source) is not None]
        if len(named) != 1:
            got = " and ".join(named) or "none of them"
            raise mistake(f"needs exactly one of {', '.join(_SOURCES)}; there is {got}")
        for key, source in _ONLY_WITH.items():
            if key in self.model_fields_set and source != named[0]:
                raise mistake(
                    f"has a meaning only with data.{source}, not with {named[0]}",
                    "to keep the rows of one split of a file, write where: {split: test}"
                    if key == "split"
                    else "",
                    at=(key,),
                )
        if self.generator is not None and self.n is None:
            raise mistake("a generator needs n, the number of rows", "add n: 100", at=("n",))
        return self
