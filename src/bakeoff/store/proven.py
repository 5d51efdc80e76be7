"""What was once shown on this machine and need not be shown again."""

from contextlib import suppress
from pathlib import Path

from bakeoff.errors import StoreError
from bakeoff.store.cache import cache_folder


class Proven:
    """A set of keys that only grows: a file of one key a line, which processes may share.

    Raises:
        StoreError: the file cannot be read or written.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._path = (folder or cache_folder()) / "proven.txt"
        self._keys: set[str] = set()
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with suppress(FileNotFoundError):
                self._keys.update(self._path.read_text("utf-8", errors="replace").split())
        except OSError as error:
            raise self._unusable(error) from error

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def add(self, key: str) -> None:
        """Keep `key`, which has no white space in it."""
        if key in self._keys:
            return
        try:
            # One write of a short line at the end: whole, whoever else writes. The break before it ends a
            # line that a killed process left open.
            with self._path.open("ab", buffering=0) as file:
                file.write(f"\n{key}\n".encode())
        except OSError as error:
            raise self._unusable(error) from error
        self._keys.add(key)

    def _unusable(self, error: OSError) -> StoreError:
        return StoreError(
            f"{self._path} cannot be used: {error}",
            "remove that file, set BAKEOFF_CACHE to another folder, or run with --no-cache",
        )
