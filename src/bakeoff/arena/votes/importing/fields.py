"""One row as it was published, read field by field; a mistake names file, line and field."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from math import isfinite
from typing import TYPE_CHECKING, Any

import orjson

from bakeoff.arena.votes.pseudonym import pseudonym
from bakeoff.digest import canonical_json
from bakeoff.errors import BakeoffError

if TYPE_CHECKING:
    from bakeoff.task.rows.source import Row

ANONYMOUS = "row-"
"""What the id of a battle begins with where its row has none."""


class Fields:
    """The fields of a row. In CSV everything is a text, so numbers, flags and lists may come as texts too."""

    def __init__(self, row: "Row", salt: str = "") -> None:
        columns = row.columns
        assert isinstance(columns, Mapping)
        self._place, self._salt = row.place, salt
        self._columns: Mapping[str, Any] = columns

    def error(self, name: str, what: str, hint: str = "") -> BakeoffError:
        """What to raise about a field."""
        return BakeoffError(f"{self._place}: {name}: {what}", hint)

    def has(self, name: str) -> bool:
        """Whether there is something in the field."""
        return self._columns.get(name) not in (None, "")

    def text(self, name: str) -> str | None:
        """A text, or a number as one; None where the field is missing or empty."""
        value = self._columns.get(name)
        if value is None or value == "":
            return None
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise self.error(name, f"must be a text, got {type(value).__name__}")
        return str(value)

    def needed(self, name: str) -> str:
        """A text that must be there."""
        found = self.text(name)
        if found is None or not found.strip():
            raise self.error(name, "is missing" if name not in self._columns else "is empty")
        return found

    def number(self, name: str) -> float | None:
        """A finite number, or None."""
        value = self._columns.get(name)
        if value is None or value == "":
            return None
        try:
            found = float(value) if not isinstance(value, bool) else None
        except (TypeError, ValueError):
            found = None
        if found is None or not isfinite(found):
            raise self.error(name, f"must be a number, got {value!r}")
        return found

    def flag(self, name: str) -> bool | None:
        """True or false, or None."""
        value = self._columns.get(name)
        if value is None or value == "":
            return None
        found = _FLAGS.get(str(value).lower())
        if found is None:
            raise self.error(name, f"must be true or false, got {value!r}")
        return found

    def moment(self, name: str) -> datetime | None:
        """Seconds since 1970, or an ISO date and time; UTC where no zone is said. None where empty."""
        value = self._columns.get(name)
        if value is None or value == "":
            return None
        try:
            if isinstance(value, str) and not value.replace(".", "", 1).isdigit():
                found = datetime.fromisoformat(value)
                return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
            return datetime.fromtimestamp(float(value), UTC)
        except (TypeError, ValueError, OverflowError, OSError):
            raise self.error(name, f"must be seconds since 1970 or a date and time, got {value!r}") from None

    def word(self, name: str, words: Mapping[str, Any]) -> Any:
        """What a word stands for; None where the field is empty.

        Raises:
            BakeoffError: a word that is none of these.
        """
        value = self.text(name)
        if value is None:
            return None
        if value not in words:
            raise self.error(name, f"must be one of {', '.join(words)}, got {value!r}")
        return words[value]

    def structure(self, name: str) -> Any:
        """A list or an object, as it is or as JSON in a text; None where empty."""
        value = self._columns.get(name)
        if value is None or value == "":
            return None
        if isinstance(value, str):
            try:
                value = orjson.loads(value)
            except orjson.JSONDecodeError:
                raise self.error(name, "must be a list or an object, as JSON") from None
        if not isinstance(value, list | dict):
            raise self.error(name, f"must be a list or an object, got {type(value).__name__}")
        return value

    def mapping(self, name: str) -> dict[str, Any]:
        """An object; an empty one where the field is empty."""
        value = self.structure(name)
        if isinstance(value, list):
            raise self.error(name, "must be an object, got a list")
        return value or {}

    def voter(self, *names: str) -> str | None:
        """The pseudonym of whoever the first field that is there names; judges may be lists."""
        for name in names:
            value = self._columns.get(name)
            if value not in (None, "", []):
                return pseudonym(
                    value if isinstance(value, str) else orjson.dumps(value).decode(), self._salt
                )
        return None

    def identity(self, names: Iterable[str] | None = None) -> str:
        """An id made of what the row says, so that it does not depend on where the row stands."""
        said = {name: self._columns.get(name) for name in names or self._columns}
        return ANONYMOUS + pseudonym(canonical_json(said).decode())


_FLAGS = {"true": True, "false": False, "1": True, "0": False, "1.0": True, "0.0": False}
