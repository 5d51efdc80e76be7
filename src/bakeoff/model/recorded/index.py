"""Recorded answers by item and repeat, on disk: memory does not grow with the file."""

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import chain, islice
from pathlib import Path

import orjson

from bakeoff.errors import ModelError
from bakeoff.model.recorded.answer import Answer, choose_columns, read_answer
from bakeoff.model.recorded.rows import place, rows
from bakeoff.nouns import FinishReason

_LOOK_AHEAD = 100
_MOST_MODELS = 20
_Record = tuple[str, int, int, bytes]


@dataclass(frozen=True, slots=True)
class Found:
    """An answer and where it stands in the file."""

    answer: Answer
    place: str


class AnswerIndex:
    """The answers of one model in one file, held in a temporary SQLite database until `close`."""

    def __init__(self, path: Path, model: str, settings: Mapping[str, str]) -> None:
        """Read the whole of `path`.

        Raises:
            ModelError: a bad file, row or column; several models and none chosen; the chosen one absent; two
                answers for one item and repeat; repeats that do not count from 0.
        """
        self._path = path
        # An empty name is a temporary file that SQLite has unlinked already: a kill leaves nothing behind.
        self._database = sqlite3.connect("", check_same_thread=False)
        try:
            self._load(model, settings)
        except BaseException:
            self.close()
            raise

    def _load(self, model: str, settings: Mapping[str, str]) -> None:
        stream = rows(self._path)
        # Rows may differ in their keys (an error row has no output), so the first few name the columns.
        head = list(islice(stream, _LOOK_AHEAD))
        if not head:
            raise ModelError(f"{self._path} holds no answers")
        self.columns = choose_columns(self._path, chain.from_iterable(row for _, row in head), settings)
        if model and self.columns.model is None:
            raise ModelError(f"{self._path.name} has no column 'model' to choose {model!r} by")
        models: dict[str, None] = {}
        answers = (
            (line, read_answer(self._path, line, row, self.columns)) for line, row in chain(head, stream)
        )
        self._fill(_of_model(answers, model, models))
        self.model = self._check_models(model, list(models))
        self._check_repeats()
        self.count: int = self._database.execute("SELECT count(*) FROM answers").fetchone()[0]
        self._asked = bytearray(self.count + 1)

    def _fill(self, records: Iterator[_Record]) -> None:
        run = self._database.execute
        # The file is a scratch copy: no need to survive a crash.
        run("PRAGMA journal_mode = OFF")
        run("PRAGMA synchronous = OFF")
        run("CREATE TABLE answers (item_id TEXT, repeat INTEGER, line INTEGER, body BLOB)")
        self._database.executemany("INSERT INTO answers VALUES (?, ?, ?, ?)", records)
        run("CREATE INDEX by_item ON answers (item_id, repeat)")
        self._database.commit()

    def _check_models(self, model: str, models: list[str]) -> str:
        if model and model not in models:
            near = get_close_matches(model, models, n=1)
            guess = f"Did you mean {near[0]!r}? " if near else ""
            raise ModelError(
                f"{self._path.name} has no answers of the model {model!r}", f"{guess}It has: {_list(models)}."
            )
        if not model and len(models) > 1:
            raise ModelError(
                f"{self._path.name} has answers of {len(models)} models: {_list(models)}",
                f"Choose one: recorded:{self._path}#{models[0] or models[1]}",
            )
        return model or models[0]

    def _check_repeats(self) -> None:
        twice = self._database.execute(
            "SELECT item_id, repeat, min(line), max(line) FROM answers "
            "GROUP BY item_id, repeat HAVING count(*) > 1 ORDER BY min(line) LIMIT 1"
        ).fetchone()
        if twice:
            item_id, repeat, first, last = twice
            several = "Number several answers to one item in a column `repeat`, from 0."
            raise ModelError(
                f"{place(self._path, first)} and {place(self._path, last)} both answer "
                f"item {item_id!r}, repeat {repeat}",
                "" if self.columns.repeat else several,
            )
        least = self._database.execute("SELECT min(repeat) FROM answers").fetchone()[0]
        if least:
            raise ModelError(
                f"{self._path.name}: the smallest {self.columns.repeat} is {least}; repeats count from 0"
            )

    @property
    def unasked(self) -> int:
        """Answers that `find` has not been asked for."""
        return self.count - sum(self._asked)

    def find(self, item_id: str, repeat: int) -> Found | None:
        """The answer to an item's repeat, if the file holds one."""
        row = self._database.execute(
            "SELECT rowid, line, body FROM answers WHERE item_id = ? AND repeat = ?", (item_id, repeat)
        ).fetchone()
        if row is None:
            return None
        rowid, line, body = row
        self._asked[rowid] = 1
        return Found(_unpack(item_id, repeat, self.model, body), place(self._path, line))

    def close(self) -> None:
        """Delete the temporary database."""
        self._database.close()


def _of_model(
    answers: Iterator[tuple[int, Answer]], model: str, models: dict[str, None]
) -> Iterator[_Record]:
    """What to store of the chosen model's answers (of all, if none is chosen); notes every model it meets."""
    for line, answer in answers:
        if len(models) <= _MOST_MODELS or answer.model == model:
            models.setdefault(answer.model)
        if not model or answer.model == model:
            yield answer.item_id, answer.repeat, line, _pack(answer)


def _pack(answer: Answer) -> bytes:
    return orjson.dumps(
        [
            answer.output,
            answer.reasoning,
            answer.finish,
            answer.prompt_tokens,
            answer.completion_tokens,
            answer.latency_s,
            answer.error,
            answer.logprobs,
            answer.stages,
        ]
    )


def _unpack(item_id: str, repeat: int, model: str, body: bytes) -> Answer:
    output, reasoning, finish, prompt, completion, latency, error, logprobs, stages = orjson.loads(body)
    return Answer(
        item_id=item_id,
        repeat=repeat,
        model=model,
        output=output,
        reasoning=reasoning,
        finish=FinishReason(finish),
        prompt_tokens=prompt,
        completion_tokens=completion,
        latency_s=latency,
        error=error,
        logprobs=None if logprobs is None else tuple(logprobs),
        stages=stages,
    )


def _list(models: list[str]) -> str:
    shown = ", ".join(name or "(none)" for name in models[:_MOST_MODELS])
    return shown + (" and more" if len(models) > _MOST_MODELS else "")
