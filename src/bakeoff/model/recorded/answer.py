"""One row of a recorded file, checked."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import orjson

from bakeoff.errors import ModelError
from bakeoff.model.pipeline.reply import ReplyError, read_stages
from bakeoff.model.recorded.rows import place
from bakeoff.nouns import FinishReason

_IDS = ("item_id", "id")
_REPEATS = ("repeat", "sample")
_OTHER_OUTPUTS = ("response", "completion", "text")
_FINISH = {
    "stop": FinishReason.STOP,
    "eos": FinishReason.STOP,
    "end_turn": FinishReason.STOP,
    "stop_sequence": FinishReason.STOP,
    "length": FinishReason.LENGTH,
    "max_tokens": FinishReason.LENGTH,
    "content_filter": FinishReason.CONTENT_FILTER,
    "refusal": FinishReason.CONTENT_FILTER,
    "tool_calls": FinishReason.TOOL_CALLS,
    "tool_use": FinishReason.TOOL_CALLS,
}


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns of a file hold what; None where it has no such column."""

    id: str
    output: str | None
    repeat: str | None
    model: str | None
    logprobs: str | None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a row says. A None `output` is no answer; an empty one is an empty answer."""

    item_id: str
    repeat: int
    model: str
    output: str | None
    reasoning: str
    finish: FinishReason
    prompt_tokens: int | None
    completion_tokens: int | None
    latency_s: float | None
    error: str
    logprobs: tuple[float, ...] | None
    stages: Mapping[str, Any]


def choose_columns(path: Path, names: Iterable[str], settings: Mapping[str, str]) -> Columns:
    """The columns to read, from the file's own `names` and the settings `id` and `output`.

    Raises:
        ModelError: no id, nothing to answer with, a chosen column that is absent, or two columns that may
            both be the answer.
    """
    names = list(dict.fromkeys(names))
    return Columns(
        id=_chosen(path, names, settings, "id") or _first(names, _IDS) or _no_id(path, names),
        output=_chosen(path, names, settings, "output") or _output(path, names),
        repeat=_first(names, _REPEATS),
        model=_first(names, ("model",)),
        logprobs=_first(names, ("logprobs",)),
    )


def read_answer(path: Path, line: int, row: Mapping[str, Any], columns: Columns) -> Answer:
    """The answer in `row`.

    Raises:
        ModelError: a cell holds what its column cannot mean; names the line and the column.
    """
    cell = _Cells(place(path, line), row)
    finish = cell.text("finish_reason") or ""
    output = cell.text(columns.output)
    return Answer(
        item_id=cell.item_id(columns.id),
        repeat=cell.whole(columns.repeat) or 0,
        model=cell.text(columns.model) or "",
        output=output,
        reasoning=cell.text("reasoning") or "",
        finish=_FINISH.get(finish.lower(), FinishReason.UNKNOWN),
        prompt_tokens=cell.whole("prompt_tokens"),
        completion_tokens=cell.whole("completion_tokens"),
        latency_s=cell.seconds("latency_s"),
        error=cell.error(),
        logprobs=cell.logprobs(columns.logprobs),
        stages=cell.stages(),
    )


@dataclass(frozen=True, slots=True)
class _Cells:
    """The cells of one row, read by kind. Absent, null and (but for texts) empty cells are None."""

    place: str
    row: Mapping[str, Any]

    def text(self, column: str | None) -> str | None:
        value = self.row.get(column) if column else None
        if value is None or isinstance(value, str):
            return value
        raise self._wrong(column, "a text", value)

    def item_id(self, column: str) -> str:
        value = self.row.get(column)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if isinstance(value, str) and value:
            return value
        raise self._wrong(column, "an item id (a text or a whole number)", value)

    def whole(self, column: str | None) -> int | None:
        value = self._number(column)
        if value is None:
            return None
        if value < 0 or value != int(value):
            raise self._wrong(column, "a whole number from 0", value)
        return int(value)

    def seconds(self, column: str) -> float | None:
        value = self._number(column)
        if value is not None and value < 0:
            raise self._wrong(column, "seconds", value)
        return value

    def error(self) -> str:
        value = self.row.get("error")
        if not value:
            return ""
        return value if isinstance(value, str) else orjson.dumps(value, default=str).decode()

    def logprobs(self, column: str | None) -> tuple[float, ...] | None:
        value = self.row.get(column) if column else None
        if value is None or value == "":
            return None
        if isinstance(value, str):
            try:
                value = orjson.loads(value)
            except orjson.JSONDecodeError:
                raise self._wrong(column, "a JSON list of log-probabilities", value) from None
        if not isinstance(value, (list, tuple)) or not all(_is_logprob(number) for number in value):
            raise self._wrong(column, "a list of log-probabilities (finite, none above 0)", value)
        return tuple(map(float, value))

    def stages(self) -> Mapping[str, Any]:
        passages, stages = (self._json(column) for column in ("passages", "stages"))
        if passages is None and stages is None:
            return {}
        try:
            return read_stages(passages, stages)
        except ReplyError as error:
            raise ModelError(f"{self.place}, columns 'passages' and 'stages': {error}") from None

    def _json(self, column: str) -> Any:
        """The value of a cell, or of the JSON text in it."""
        value = self.row.get(column)
        if not isinstance(value, str):
            return value
        try:
            return orjson.loads(value) if value else None
        except orjson.JSONDecodeError:
            raise self._wrong(column, "JSON", value) from None

    def _number(self, column: str | None) -> float | None:
        value = self.row.get(column) if column else None
        if value is None or value == "":
            return None
        try:
            number = float(value) if not isinstance(value, bool) else math.nan
        except (TypeError, ValueError):
            number = math.nan
        if not math.isfinite(number):
            raise self._wrong(column, "a number", value)
        return number

    def _wrong(self, column: str | None, expected: str, value: object) -> ModelError:
        return ModelError(f"{self.place}, column {column!r}: expected {expected}, got {str(value)[:80]!r}")


def _is_logprob(value: Any) -> bool:
    return (
        isinstance(value, (int, float))
        and not isinstance(value, bool)
        and math.isfinite(value)
        and value <= 0
    )


def _first(names: list[str], candidates: tuple[str, ...]) -> str | None:
    return next((name for name in candidates if name in names), None)


def _chosen(path: Path, names: list[str], settings: Mapping[str, str], role: str) -> str | None:
    """The column that a setting names, once it is known to exist."""
    column = settings.get(role)
    if column is not None and column not in names:
        near = get_close_matches(column, names, n=1)
        guess = f"Did you mean {near[0]!r}? " if near else ""
        raise ModelError(
            f"{path.name} has no column {column!r}, which the setting {role} names",
            f"{guess}It has: {', '.join(names)}.",
        )
    return column


def _output(path: Path, names: list[str]) -> str | None:
    if "output" in names:
        return "output"
    found = [name for name in _OTHER_OUTPUTS if name in names]
    if len(found) > 1:
        raise ModelError(
            f"{path.name} has the columns {' and '.join(found)}: either may be the answer",
            f"Say which with the setting output={found[0]}.",
        )
    if not found and "logprobs" not in names:
        raise ModelError(
            f"{path.name} has no column of answers (output, {', '.join(_OTHER_OUTPUTS)} or logprobs)",
            f"It has: {', '.join(names)}. Name one with the setting output=COLUMN.",
        )
    return found[0] if found else None


def _no_id(path: Path, names: list[str]) -> str:
    raise ModelError(
        f"{path.name} has no column of item ids ({' or '.join(_IDS)})",
        f"It has: {', '.join(names)}. Name one with the setting id=COLUMN.",
    )
