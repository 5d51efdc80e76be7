"""The journal of a run: one whole line per finished sample, written before the next is trusted.

A line is written by a single `write` with O_APPEND and synced to disk about once a second, so that killing
the process at any moment loses only what was in flight, and a power cut at most the last seconds. Syncing
takes as long as the disk takes, so a thread does it. A torn last line, if the kill fell inside a write, is
cut off when the run is resumed.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Self

import orjson

from bakeoff.errors import StoreError
from bakeoff.nouns import Sample
from bakeoff.store.files import unwritable
from bakeoff.store.record import Row, to_row, without_surrogates

_SYNC_SECONDS = 1.0


class Journal:
    """The one writer of a journal file. Opening it cuts a torn last line and locks out a second writer.

    Raises:
        StoreError: another process is writing this run, or the file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise unwritable(path, error) from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(self._file)
            raise StoreError(
                f"another process is writing {path.parent}", "wait for it to end, or stop it, then resume"
            ) from error
        os.ftruncate(self._file, _whole_length(path))
        self._synced = time.monotonic()
        self._syncs = ThreadPoolExecutor(1, "journal sync")
        self._sync: Future[None] | None = None

    def append(self, sample: Sample) -> None:
        """Write one sample.

        Raises:
            StoreError: the disk is full, or failed in syncing what came before; the line is taken back.
        """
        line = _line(to_row(sample, time.time()))
        start = os.fstat(self._file).st_size
        try:
            written = os.write(self._file, line)
            while written < len(line):  # a short write precedes the error that explains it
                written += os.write(self._file, line[written:])
            if time.monotonic() - self._synced > _SYNC_SECONDS:
                self._sync_beside()
        except OSError as error:
            os.ftruncate(self._file, start)
            raise unwritable(self.path, error) from error

    def sync(self) -> None:
        """Wait until everything written is on the disk."""
        os.fsync(self._file)
        self._synced = time.monotonic()

    def _sync_beside(self) -> None:
        """Have the thread sync, once it is done with the sync before; an error of that one is raised here."""
        if self._sync is not None:
            if not self._sync.done():
                return
            self._sync.result()
        self._sync = self._syncs.submit(os.fsync, self._file)
        self._synced = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._syncs.shutdown()
        try:
            if self._sync is not None:
                self._sync.result()
            os.fsync(self._file)
        except OSError as problem:
            if kind is None:
                raise unwritable(self.path, problem) from problem
        finally:
            os.close(self._file)


def journal_rows(path: Path) -> Iterator[Row]:
    """The rows of a journal in the order they were written, without a torn last line.

    Raises:
        StoreError: a line before the last is not JSON; names the line.
    """
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n"):
                return
            try:
                yield orjson.loads(line)
            except orjson.JSONDecodeError as error:
                raise StoreError(
                    f"{path}, line {number}: not a sample record ({error})",
                    "the file was damaged after it was written; remove that line to go on without it",
                ) from error


def _line(row: Row) -> bytes:
    try:
        return orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:
        return orjson.dumps(without_surrogates(row), option=orjson.OPT_APPEND_NEWLINE)


def _whole_length(path: Path) -> int:
    """Bytes up to and including the last line end."""
    size = path.stat().st_size
    with path.open("rb") as file:
        end = size
        while end > 0:
            start = max(0, end - 65536)
            file.seek(start)
            found = file.read(end - start).rfind(b"\n")
            if found >= 0:
                return start + found + 1
            end = start
    return 0
