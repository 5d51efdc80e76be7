"""ARC-AGI: grids of colours."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar

from bakeoff.errors import TaskError
from bakeoff.nouns import Item, Outcome, Response, Score
from bakeoff.score.extract.extraction import Extraction, Nothing
from bakeoff.score.options import identifier
from bakeoff.score.scorer import Ask
from bakeoff.score.verdict import settle

Grid = tuple[tuple[int, ...], ...]

_LARGEST = 30
"""Rows and columns, as in ARC-AGI."""
_LONGEST = 1_000_000
# A row in brackets: [0, 1, 2]; and one of digits on a line of its own: "0 1 2", "|0|1|2|", "012".
_BRACKETED_ROW = re.compile(r"\[([\d\s,]*)\]")
_ROW = re.compile(r"[ \t|]*(\d(?:[ \t,|]+\d)*|\d{2,30})[ \t|,]*")
_LONGEST_LINE = 300
_BETWEEN_ROWS = re.compile(r"\s*,?\s*")
_BEFORE_ROWS = re.compile(r"\[\s*\Z")
_AFTER_ROWS = re.compile(r"\s*,?\s*\]")
_NEAR = 100
"""Characters between two rows, or a row and the bracket around all."""


@dataclass(frozen=True, slots=True)
class Found:
    """A grid and where it stands in the text."""

    grid: Grid
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class GridScorer:
    """The share of the output grids that the answer gives exactly, with up to two attempts at each.

    The target is JSON: one grid (rows of whole numbers from 0 to 9), or a list of grids, one per test input.
    An answer's grids are written as JSON, or as rows of digits on lines of their own. For one test input its
    last `attempts` grids are the attempts; for several its last grids are one attempt at each, in order.
    `{"attempt_1": …, "attempt_2": …}`, alone or in a list per test input, says it outright, as ARC Prize's
    submissions do. A grid of the wrong shape is wrong, as one wrong cell is.
    """

    name: ClassVar[str] = "grid"
    version: ClassVar[int] = 1
    asks: ClassVar[Ask] = "generate"

    attempts: int = 2

    def __post_init__(self) -> None:
        if self.attempts < 1:
            raise TaskError(f"scorer grid: attempts must be 1 or more, got {self.attempts}")

    @property
    def id(self) -> str:
        """`grid@1`, with the options that differ from their defaults."""
        return identifier(self)

    def __call__(self, item: Item, response: Response) -> Score:
        """The share of test inputs of which an attempt is right."""
        if isinstance(item.target, int) or len(item.target) != 1:
            raise _wrong(item.id, item.target)
        golds = _golds(item.id, item.target[0])
        said = self._attempts(response.text, len(golds))
        if isinstance(said, Nothing):
            return settle(self.id, response, said, 0.0)
        attempts, extraction = said
        right = [gold in tried for gold, tried in zip(golds, attempts, strict=True)]
        score = settle(self.id, response, extraction, sum(right) / len(golds))
        if score.outcome is not Outcome.SCORED:
            return score
        return replace(score, reason=f"{extraction.how}: {sum(right)} of {len(golds)} grids right")

    def _attempts(self, text: str, inputs: int) -> tuple[list[list[Grid]], Extraction] | Nothing:
        """The attempts at each test input."""
        if len(text) > _LONGEST:
            return Nothing(f"longer than {_LONGEST:,} characters")
        if (submitted := _submission(text, inputs)) is not None:
            attempts = [tried[: self.attempts] for tried in submitted]
            return attempts, _extraction(text, attempts, "attempts by name", len(text) - 1)
        bracketed = list(_in_brackets(text))
        found = sorted((*bracketed, *_in_rows(_without(text, bracketed))), key=lambda each: each.start)
        wanted = self.attempts if inputs == 1 else inputs
        # A digit alone on a line may be anything; it is a grid where nothing else is.
        last = found[-wanted:] or list(_in_rows(text, smallest=1))[-wanted:]
        if not last:
            return Nothing("there is no grid in it")
        if len(last) < inputs:
            return Nothing(f"{len(last)} grids, and {inputs} were asked for")
        grids = [each.grid for each in last]
        attempts = [grids] if inputs == 1 else [[grid] for grid in grids]
        return attempts, _extraction(
            text, attempts, f"the last {len(last)} of {max(len(found), len(last))} grids", last[-1].end
        )


def read_grid(value: Any) -> Grid | None:
    """A JSON value as a grid: 1 to 30 rows of as many whole numbers from 0 to 9; None where it is none."""
    if not isinstance(value, list) or not all(isinstance(row, list) for row in value):
        return None
    widths = {len(row) for row in value}
    sized = len(widths) == 1 and 1 <= len(value) <= _LARGEST and 1 <= next(iter(widths)) <= _LARGEST
    if not sized or not all(type(cell) is int and 0 <= cell <= 9 for row in value for cell in row):
        return None
    return tuple(map(tuple, value))


def _submission(text: str, inputs: int) -> list[list[Grid]] | None:
    """The attempts of ARC Prize's submission form; None where the text is not one."""
    if "attempt_1" not in text:
        return None
    starts = [match.start() for match in re.finditer(r"\{", text)][:50]
    decoder = json.JSONDecoder()
    submitted: list[list[Grid]] = []
    end = 0
    for start in starts:
        if start < end:
            continue
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if "attempt_1" in value:
            grids = (read_grid(value.get(key)) for key in sorted(value) if key.startswith("attempt_"))
            submitted.append([grid for grid in grids if grid is not None])
    return submitted if len(submitted) == inputs else None


def _in_brackets(text: str) -> Iterator[Found]:
    """Grids as lists of lists, with commas or, as numpy prints them, without."""
    rows: list[list[int]] = []
    start = end = 0
    for match in _BRACKETED_ROW.finditer(text):
        if rows and not _BETWEEN_ROWS.fullmatch(text, end, max(end, min(match.start(), end + _NEAR))):
            yield from _bracketed(text, rows, start, end)
            rows = []
        elif rows and match.start() > end + _NEAR:
            rows = []
        start = start if rows else match.start()
        rows.append([int(cell) if len(cell) == 1 else -1 for cell in re.findall(r"\d+", match[1])])
        end = match.end()
    yield from _bracketed(text, rows, start, end)


def _bracketed(text: str, rows: list[list[int]], start: int, end: int) -> Iterator[Found]:
    """The grid of consecutive rows, if there are brackets around them all: [1] may be a footnote."""
    grid = read_grid(rows)
    enclosed = _BEFORE_ROWS.search(text, max(0, start - _NEAR), start) and _AFTER_ROWS.match(
        text, end, end + _NEAR
    )
    if grid is not None and enclosed:
        yield Found(grid, start, end)


def _without(text: str, found: list[Found]) -> str:
    """`text` with spaces in place of what was found: no column of an indented list is a grid of its own."""
    pieces, position = [], 0
    for each in found:
        pieces += [text[position : each.start], " " * (each.end - each.start)]
        position = each.end
    return "".join((*pieces, text[position:]))


def _in_rows(text: str, smallest: int = 2) -> Iterator[Found]:
    """Grids as consecutive lines of equally many digits, of `smallest` cells or more."""
    rows: list[list[int]] = []
    start = end = position = 0
    for line in (*text.splitlines(keepends=True), ""):
        match = _ROW.fullmatch(line.rstrip("\r\n")) if len(line) <= _LONGEST_LINE else None
        cells = [int(digit) for digit in re.findall(r"\d", match[1])] if match else []
        if rows and len(cells) != len(rows[0]):
            grid = read_grid(rows) if len(rows) * len(rows[0]) >= smallest else None
            if grid is not None:
                yield Found(grid, start, end)
            rows = []
        if cells:
            start = start if rows else position
            rows.append(cells)
            end = position + len(line)
        position += len(line)


def _extraction(text: str, attempts: list[list[Grid]], how: str, end: int) -> Extraction:
    written = json.dumps(attempts, separators=(",", ":"))
    return Extraction(written, "explicit", how, 0, min(end, len(text)))


@lru_cache(maxsize=1024)
def _golds(item_id: str, text: str) -> tuple[Grid, ...]:
    try:
        value = json.loads(text)
    except ValueError:
        raise _wrong(item_id, text) from None
    single = read_grid(value)
    several = [read_grid(each) for each in value] if isinstance(value, list) else []
    grids = [single] if single is not None else several
    if not grids or None in grids:
        raise _wrong(item_id, text)
    return tuple(grid for grid in grids if grid is not None)


def _wrong(item_id: str, target: object) -> TaskError:
    return TaskError(
        f"item {item_id}: the grid scorer needs one grid or a list of grids as JSON, got {target!r:.80}",
        "A grid is a list of rows of whole numbers from 0 to 9: [[0, 1], [2, 3]].",
    )
