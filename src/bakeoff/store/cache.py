"""Answers kept between runs, so that asking the same thing of the same model costs nothing.

The key is everything that can move an answer: the canonical request, the model's identity, the repeat and
the version of this scheme. Only whole answers are kept, never failures. A kept answer has no latency: one
that was read from a disk would be a lie.

Answers that come fast are committed together, several times a second: a commit each would cost as much as
asking for them. A killed process loses those of its last moment here, not in its journal.
"""

import os
import sqlite3
import time
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import orjson

from bakeoff.digest import digest
from bakeoff.errors import StoreError
from bakeoff.nouns import (
    FinishReason,
    Generate,
    Loglikelihood,
    Response,
    Usage,
)
from bakeoff.store.record import option_json, option_score

_SCHEME = 2
_KEPT = (
    "text",
    "reasoning",
    "finish",
    "stop",
    "refusal",
    "usage",
    "attempts",
    "served_by",
    "fingerprint",
    "stages",
)
_COMMIT_SECONDS = 0.25
_COMMIT_ANSWERS = 512


def cache_folder() -> Path:
    """`BAKEOFF_CACHE`, else `bakeoff` under `XDG_CACHE_HOME`, else `~/.cache/bakeoff`."""
    if own := os.environ.get("BAKEOFF_CACHE"):
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "bakeoff"


def cache_key(request: Generate | Loglikelihood, identity: Mapping[str, Any], repeat: int) -> str:
    """The digest that names an answer. A greedy request's seed is left out: it cannot move the answer."""
    # Not `asdict`: it copies what it finds to the last leaf, and orjson reads dataclasses as they are.
    asked = {field.name: getattr(request, field.name) for field in fields(request)}
    del asked["key"]
    if isinstance(request, Generate) and request.generation.temperature == 0:
        del asked["seed"]
    return digest([_SCHEME, type(request).__name__, asked, identity, repeat])


class ResponseCache:
    """Responses by key in a SQLite file; several processes may share it.

    Raises:
        StoreError: the file cannot be opened or is no cache of ours.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._path = (folder or cache_folder()) / "responses.sqlite"
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self._path, timeout=30, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.execute(
                "CREATE TABLE IF NOT EXISTS responses (key TEXT PRIMARY KEY, body BLOB) WITHOUT ROWID"
            )
        except (OSError, sqlite3.Error) as error:
            raise self._unusable(error) from error
        self._pending: dict[str, bytes] = {}
        self._committed = -_COMMIT_SECONDS

    def get(self, key: str) -> Response | None:
        """The response kept under `key`, or None. Its timing is empty."""
        if (body := self._pending.get(key)) is not None:
            return _decoded(body)
        try:
            row = self._db.execute("SELECT body FROM responses WHERE key = ?", (key,)).fetchone()
        except sqlite3.Error as error:
            raise self._unusable(error) from error
        return None if row is None else _decoded(row[0])

    def put(self, key: str, response: Response) -> None:
        """Keep `response`, unless it is a failure. Other processes see it at the next commit."""
        if response.failure is not None:
            return
        kept = {name: getattr(response, name) for name in _KEPT}
        kept["options"] = list(map(option_json, response.options))
        self._pending[key] = orjson.dumps(kept)
        full = len(self._pending) >= _COMMIT_ANSWERS
        if full or time.monotonic() - self._committed >= _COMMIT_SECONDS:
            self.commit()

    def commit(self) -> None:
        """Write what was put since the last commit."""
        try:
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                self._db.executemany("INSERT OR REPLACE INTO responses VALUES (?, ?)", self._pending.items())
        except sqlite3.Error as error:
            raise self._unusable(error) from error
        self._pending.clear()
        self._committed = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self._pending:
                self.commit()
        except StoreError:
            if kind is None:
                raise
        finally:
            self._db.close()

    def _unusable(self, error: Exception) -> StoreError:
        return StoreError(
            f"the response cache {self._path} cannot be used: {error}",
            "remove that file, set BAKEOFF_CACHE to another folder, or run with --no-cache",
        )


def _decoded(body: bytes) -> Response:
    value = orjson.loads(body)
    return Response(
        text=value["text"],
        reasoning=value["reasoning"],
        finish=FinishReason(value["finish"]),
        stop=value["stop"],
        refusal=value["refusal"],
        options=tuple(map(option_score, value["options"])),
        usage=Usage(**value["usage"]),
        attempts=value["attempts"],
        served_by=value["served_by"],
        fingerprint=value["fingerprint"],
        stages=value.get("stages") or {},  # answers kept before there were any have none
    )
