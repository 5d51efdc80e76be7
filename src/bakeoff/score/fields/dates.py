"""A date as people write it. What can mean two days is neither of them."""

import re
import unicodedata
from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from typing import Literal, NamedTuple

from bakeoff.score.extract.characters import plain

Order = Literal["dmy", "mdy"]


class Day(NamedTuple):
    """A day; `year` is None where none is written."""

    year: int | None
    month: int
    day: int

    def __str__(self) -> str:
        return (
            f"{self.year:04}-{self.month:02}-{self.day:02}" if self.year else f"{self.month:02}-{self.day:02}"
        )


def days(text: str, order: Order | None = None) -> frozenset[Day]:
    """The days that `text` can mean: one, none if it is no date, or two where day and month could be either.

    ISO 8601 (2024-03-05, 20240305, at midnight too), 2024/3/5, 5.3.2024 and 3/5/2024, and months by name or
    abbreviation in English, German, French and Spanish: 5 March 2024, March 5th, 2024, 5-Mar-2024, 5. März.
    `order` settles numbers alone. Years have four digits: 05/03/24 is no date.
    """
    return _days(text, order) if len(text) <= _LONGEST else frozenset()


@lru_cache(maxsize=4096)
def _days(text: str, order: Order | None) -> frozenset[Day]:
    written = " ".join(_bare(plain(text)).split())
    if match := _YEAR_FIRST.fullmatch(written):
        return _valid([Day(int(match[1]), int(match[3]), int(match[4]))])
    if match := _COMPACT.fullmatch(written):
        return _valid([Day(int(match[1]), int(match[2]), int(match[3]))])
    if match := _YEAR_LAST.fullmatch(written):
        first, second, year = int(match[1]), int(match[3]), int(match[4])
        either = {"dmy": Day(year, second, first), "mdy": Day(year, first, second)}
        return _valid([either[order]] if order else either.values())
    for pattern in _NAMED:
        if match := pattern.fullmatch(written):
            year_text = match["year"]
            return _valid(
                [Day(int(year_text) if year_text else None, _MONTHS[match["month"]], int(match["day"]))]
            )
    return frozenset()


def _valid(found: Iterable[Day]) -> frozenset[Day]:
    return frozenset(each for each in found if _exists(each))


def _exists(day: Day) -> bool:
    try:
        # The 29th of February is a day where no year is said.
        date(2000 if day.year is None else day.year, day.month, day.day)
    except ValueError:
        return False
    return True


def _bare(text: str) -> str:
    """Without case and accents."""
    parts = unicodedata.normalize("NFD", text.casefold())
    return "".join(char for char in parts if not unicodedata.combining(char))


_LONGEST = 60
_NAMES = (
    "january jan januar janner janvier janv enero ene",
    "february feb februar fevrier fevr febrero",
    "march mar marz maerz mars marzo",
    "april apr avril avr abril abr",
    "may mai mayo",
    "june jun juni juin junio",
    "july jul juli juillet juil julio",
    "august aug aout agosto ago",
    "september sep sept septembre septiembre setiembre",
    "october oct oktober okt octobre octubre",
    "november nov novembre noviembre",
    "december dec dezember dez decembre diciembre dic",
)
_MONTHS = {name: month for month, names in enumerate(_NAMES, 1) for name in names.split()}
_MONTH = rf"(?P<month>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|\.|º)?"
_YEAR = r"(?P<year>\d{4})"
_NAMED = tuple(
    re.compile(pattern, re.ASCII)
    for pattern in (
        rf"(?:the )?{_DAY}(?: of | de | ?- ?| )?{_MONTH}(?:(?:,? (?:de |del )?|-){_YEAR})?",
        rf"{_MONTH}(?: the)?[ -]?{_DAY}(?:(?:, ?| ){_YEAR})?",
        rf"{_YEAR}[ -]{_MONTH}[ -]{_DAY}",
    )
)
_MIDNIGHT = r"(?:[t ]00:00(?::00(?:\.0+)?)?(?: ?z|\+00:?00)?)?"
_YEAR_FIRST = re.compile(rf"(\d{{4}})([-/.])(\d{{1,2}})\2(\d{{1,2}}){_MIDNIGHT}", re.ASCII)
_COMPACT = re.compile(r"(\d{4})(\d\d)(\d\d)", re.ASCII)
_YEAR_LAST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})", re.ASCII)
