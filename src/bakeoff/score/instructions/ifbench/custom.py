"""Eleven requests with a rule of their own."""

import csv
import io
import re
import string
import unicodedata
from datetime import date
from itertools import pairwise

from bakeoff.score.instructions.sentences import sentences
from bakeoff.score.instructions.words import bare, trimmed

_COUNTRIES_OF_AFRICA = 52
# Capitals of Europe north of 45 degrees, from north to south.
_CAPITALS = (  # noqa: SIM905 (words are read as words)
    "Reykjavik Helsinki Oslo Tallinn Stockholm Riga Moscow Copenhagen Vilnius Minsk Dublin Berlin Amsterdam "
    "Warsaw London Brussels Prague Luxembourg Paris Vienna Bratislava Budapest Vaduz Chisinau Bern Ljubljana "
    "Zagreb"
).split()
_NAPOLEON = range(1769, 1822)
_OPTION = re.compile(r"[A-Ea-e][.|)]\s*\w")
_CITY_HEADER = ["ID", "Country", "City", "Year", "Count"]
_PRODUCT_HEADER = ("ProductID", "Category", "Brand", "Price", "Stock")
_STUDENT_HEADER = ("StudentID", "Subject", "Grade", "Semester", "Score")


def multiples(text: str) -> bool:
    """The multiples of 7 from 10 to 50 and no other number."""
    return re.findall(r"\d+", text) == ["14", "21", "28", "35", "42", "49"]


def mcq_count_length(text: str) -> bool:
    """Four questions, each longer than the one before and with five options from a to e; no introduction."""
    if not text.startswith("Question"):
        return False
    parts = [part.strip() for part in re.split(r"Question \d+[.|):;]?", text)]
    questions = [_question(part) for part in parts if part]
    return (
        len(questions) == 4
        and all(options == 5 for _, options in questions)
        and all(left < right for (left, _), (right, _) in pairwise(questions))
    )


def reverse_newline(text: str) -> bool:
    """From Zimbabwe on, at least 52 lines in reverse alphabetical order, accents aside."""
    lines = [line for line in map(trimmed, text.split("\n")) if line]
    start = next((place for place, line in enumerate(lines) if "Zimbabwe" in line), len(lines))
    countries = [_ascii(line) for line in lines[start:]]
    return len(countries) >= _COUNTRIES_OF_AFRICA and countries == sorted(countries, reverse=True)


def word_reverse(text: str) -> bool:
    """Read backwards by words, it names the bald eagle and is one sentence."""
    backwards = " ".join(bare(text.lower()).split()[::-1])
    return "bald eagle" in backwards and backwards in sentences(backwards)


def character_reverse(text: str) -> bool:
    """It names the bald eagle backwards by letters."""
    return "bald eagle"[::-1] in text.lower()


def sentence_alphabet(text: str) -> bool:
    """26 sentences that begin with the letters from a to z."""
    return [sentence.strip()[:1].lower() for sentence in sentences(text)] == list(string.ascii_lowercase)


def european_capitals_sort(text: str) -> bool:
    """The capitals from north to south, with commas between them, accents aside."""
    return [name.strip() for name in _ascii(text).split(",") if name.strip()] == _CAPITALS


def csv_city(text: str) -> bool:
    """A header and seven rows of five fields."""
    rows = _rows(text)
    return len(rows) == 8 and rows[0] == _CITY_HEADER and all(len(row) == 5 for row in rows)


def csv_special_character(text: str) -> bool:
    """A header and fourteen rows of five fields, up to one with a special character in double quotes."""
    if not _is_header(text, _PRODUCT_HEADER, r",[ \t]*"):
        return False
    rows = _rows(text.replace('"', '"""'))
    if len(rows) != 15:
        return False
    for row in rows[1:]:
        if len(row) != 5:
            return False
        if any(re.match(r'".*[^\d\w\s].*"', field) for field in row):
            return True
    return False


def csv_quotes(text: str) -> bool:
    """A header and three rows of five fields with tabs between them, every field in double quotes."""
    if not _is_header(text, _STUDENT_HEADER, r"\t *"):
        return False
    rows = _rows(text.replace('"', '"""'), "\t")
    fields = [field.strip() for row in rows for field in row]
    return (
        len(rows) == 4
        and all(len(row) == 5 for row in rows)
        # A blank field is not quoted; the published checker fails on it with an exception.
        and all(field[:1] == field[-1:] == '"' for field in fields)
    )


def date_format_list(text: str) -> bool:
    """Dates of Napoleon's lifetime as YYYY-MM-DD, with commas between them."""
    return all(_is_date(part.strip()) for part in text.strip().split(","))


def _question(part: str) -> tuple[int, int]:
    """Its length in characters, up to its first option, and its number of options."""
    lines = [line.strip() for line in part.split("\n")]
    options = [bool(_OPTION.match(line)) for line in lines]
    first = options.index(True) if True in options else len(lines)
    return len(" ".join(lines[:first]).strip()), sum(options)


def _is_header(text: str, names: tuple[str, ...], separator: str) -> bool:
    pattern = separator.join(f'(?:{name}|"{name}")' for name in names)
    return re.fullmatch(pattern, text.partition("\n")[0].strip()) is not None


def _rows(text: str, delimiter: str = ",") -> list[list[str]]:
    """The rows of a table, none where it is not one."""
    try:
        return list(csv.reader(io.StringIO(text), delimiter=delimiter))
    except csv.Error:
        return []


def _is_date(text: str) -> bool:
    """A day of Napoleon's years. The published checker takes 29 February in each of them, and day 00."""
    if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text) is None:
        return False
    try:
        return date.fromisoformat(text).year in _NAPOLEON
    except ValueError:
        return False


def _ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
