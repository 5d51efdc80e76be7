"""Ways to compare one field that is a single value."""

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Protocol

from bakeoff.score.extras import extra
from bakeoff.score.fields.amounts import money_of
from bakeoff.score.fields.dates import Day, Order, days
from bakeoff.score.fields.decimals import Mark, number_of


class Scalar(Protocol):
    """Compares one value. Neither side is null or blank: those are fields that are not given."""

    def flaw(self, gold: Any) -> str:
        """What is wrong with a target's value; "" where it can be compared."""
        ...

    def same(self, said: Any, gold: Any) -> bool:
        """Whether the answer's value, of any JSON type, is the target's."""
        ...


@dataclass(frozen=True, slots=True)
class Exact:
    """The same JSON value: a text letter by letter (in NFC), a number by value, true is not 1."""

    def flaw(self, gold: Any) -> str:
        """Any text, number or boolean will do."""
        return "" if isinstance(gold, str | int | float) else "must be a text, a number, true or false"

    def same(self, said: Any, gold: Any) -> bool:
        """Equal, and of one JSON type."""
        if isinstance(said, str) and isinstance(gold, str):
            return _nfc(said) == _nfc(gold)
        if isinstance(said, bool) or isinstance(gold, bool):
            return said is gold
        return isinstance(said, int | float) and isinstance(gold, int | float) and said == gold


@dataclass(frozen=True, slots=True)
class Text:
    """The same words: whatever the case, the punctuation and the spaces. A whole number is its digits."""

    def flaw(self, gold: Any) -> str:
        """A text with a letter or a digit in it."""
        return "" if _words(gold) else "must be a text with a letter or a digit"

    def same(self, said: Any, gold: Any) -> bool:
        """Equal after normalisation."""
        return _words(said) == _words(gold)


@dataclass(frozen=True, slots=True)
class Fuzzy:
    """Nearly the same words: `Text`'s, of a Levenshtein similarity of at least `at_least` in (0, 1]."""

    at_least: float = 0.9

    def flaw(self, gold: Any) -> str:
        """A text with a letter or a digit in it."""
        return "" if _words(gold) else "must be a text with a letter or a digit"

    def same(self, said: Any, gold: Any) -> bool:
        """Similar enough."""
        words = _words(said)
        if not words:
            return False
        levenshtein = extra("rapidfuzz.distance", "fields").Levenshtein
        similarity: float = levenshtein.normalized_similarity(words, _words(gold))
        return similarity >= self.at_least


@dataclass(frozen=True, slots=True)
class Number:
    """The same number, up to an absolute `tolerance`; a text that is nothing but a number counts as one."""

    tolerance: float = 0.0
    decimal: Mark = "."

    def flaw(self, gold: Any) -> str:
        """A number, or a text of one."""
        return "must be a number" if number_of(gold, self.decimal) is None else ""

    def same(self, said: Any, gold: Any) -> bool:
        """Near enough."""
        found, wanted = number_of(said, self.decimal), number_of(gold, self.decimal)
        return found is not None and wanted is not None and _near(found, wanted, self.tolerance)


@dataclass(frozen=True, slots=True)
class Amount:
    """The same amount of the same currency. A target without a currency leaves it open.

    `currency`, a code such as EUR, is that of amounts on either side that state none.
    """

    tolerance: float = 0.0
    decimal: Mark = "."
    currency: str = ""

    def flaw(self, gold: Any) -> str:
        """A number, a text of an amount, or an object of value and currency."""
        return "" if money_of(gold, self.decimal) else "must be an amount such as 1204.5 or EUR 1,204.50"

    def same(self, said: Any, gold: Any) -> bool:
        """Near enough, in a currency that can be the target's."""
        found, wanted = money_of(said, self.decimal), money_of(gold, self.decimal)
        if found is None or wanted is None or not _near(found.value, wanted.value, self.tolerance):
            return False
        unstated = frozenset({self.currency}) if self.currency else frozenset()
        asked = wanted.currencies or unstated
        return not asked or bool(asked & (found.currencies or unstated))


@dataclass(frozen=True, slots=True)
class Date:
    """The same day, in any common spelling; one without a year is the same day without a year.

    `order` says how 3/4/2024 is meant, in targets and in answers. Without it, such a target is a mistake of
    the task and such an answer is wrong.
    """

    order: Order | None = None

    def flaw(self, gold: Any) -> str:
        """A text that can mean one day."""
        found = self._days(gold)
        if len(found) == 1:
            return ""
        if found:
            either = " or ".join(map(str, sorted(found)))
            return f"can be {either}: write it as 2024-12-31, or give `order: dmy` or `order: mdy`"
        return "must be a date, such as 2024-12-31 or 31 December 2024"

    def same(self, said: Any, gold: Any) -> bool:
        """One day, and the same."""
        found = self._days(said)
        return len(found) == 1 and found == self._days(gold)

    def _days(self, value: Any) -> frozenset[Day]:
        return days(value, self.order) if isinstance(value, str) else frozenset()


@dataclass(frozen=True, slots=True)
class Boolean:
    """true or false; the words true, false, yes and no stand for them."""

    def flaw(self, gold: Any) -> str:
        """true, false, or a word for one of them."""
        return "must be true or false" if _truth(gold) is None else ""

    def same(self, said: Any, gold: Any) -> bool:
        """Both true, or both false."""
        return _truth(said) is not None and _truth(said) is _truth(gold)


@dataclass(frozen=True, slots=True)
class Enum:
    """One of `values`, whatever the case, the punctuation and the spaces."""

    values: tuple[str, ...]

    def flaw(self, gold: Any) -> str:
        """One of the values."""
        return "" if _words(gold) in map(_words, self.values) else f"must be one of {', '.join(self.values)}"

    def same(self, said: Any, gold: Any) -> bool:
        """The same one."""
        return _words(said) == _words(gold)


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _words(value: Any) -> str:
    """A text's letters and digits in lower case, with a space for everything between; "" for other values."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        return ""
    # Long texts are not kept.
    return _remembered_words(value) if len(value) <= 200 else _words_of(value)


def _words_of(text: str) -> str:
    text = _nfc(_nfc(text).casefold())
    return " ".join(re.sub(r"[^\w\s]|_", " ", text).split())


_remembered_words = lru_cache(maxsize=4096)(_words_of)


def _near(found: Fraction, wanted: Fraction, tolerance: float) -> bool:
    return found == wanted or (tolerance > 0 and abs(found - wanted) <= Fraction(repr(tolerance)))


def _truth(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    return _TRUTHS.get(value.strip().casefold()) if isinstance(value, str) else None


_TRUTHS = {"true": True, "yes": True, "false": False, "no": False}
