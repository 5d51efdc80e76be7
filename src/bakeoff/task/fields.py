"""Which columns make an item."""

from typing import Any

from pydantic import Field, field_validator

from bakeoff.task.spec import Spec, mistake


class Fields(Spec):
    """From columns to the item. None takes the column of the same name, where there is one.

    `choices` is a column that holds a list, or a list of columns. `group` is a column, or a list of columns
    whose values together name the group. Names may be dotted paths into a column
    that is a mapping (`meta.answer`). Without an id column, the id is a digest of the row. `metadata` adds
    columns to the item's metadata under names of their own: what its scorer needs beside the target, which a
    run keeps.
    """

    id: str | None = None
    input: str | None = None
    messages: str | None = None
    choices: Any = None
    target: str | None = None
    group: Any = None
    metadata: dict[str, str] = Field(default_factory=dict)

    @field_validator("choices", "group")
    @classmethod
    def _column_or_columns(cls, value: Any) -> Any:
        if value is None or isinstance(value, str):
            return value
        if (
            isinstance(value, list | tuple)
            and len(value) > 1
            and all(isinstance(name, str) for name in value)
        ):
            return tuple(value)
        raise mistake(f"must be a column, or a list of two or more columns, got {value!r}")
