"""What answers are made of: frozen, described, and made from the data of the rooms by their names."""

from datetime import UTC, datetime
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema


class Shape(BaseModel):
    """A part of an answer."""

    model_config = ConfigDict(frozen=True, from_attributes=True)


class Problem(Shape):
    """What was wrong, and what to do."""

    status: int
    title: str
    hint: str = ""


class Part(Shape):
    """A part of a list."""

    next: str | None = Field(None, description="The path of the next part of the list; null on the last.")


def _moment(value: object) -> object:
    """ISO 8601 in UTC, of seconds since 1970."""
    if isinstance(value, int | float):
        return datetime.fromtimestamp(value, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return value


Moment = Annotated[str, BeforeValidator(_moment), WithJsonSchema({"type": "string", "format": "date-time"})]
"""A moment in UTC, ISO 8601; made from seconds since 1970 or from such a text."""
