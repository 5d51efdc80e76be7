"""The runs under a folder by their exact ids, read again only where they changed."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from bakeoff.errors import StoreError
from bakeoff.run.estimate import Estimate
from bakeoff.run.metrics import stored_score
from bakeoff.store import Manifest, Status, caveats, read_manifest
from bakeoff.store.privacy import of_private_board


@dataclass(frozen=True, slots=True)
class Listed:
    """A run in a few words. `score` is what was measured when it ended, None before.

    `samples` counts those of a run that has ended. `version` changes whenever the manifest does.
    """

    id: str
    folder: Path
    version: str
    task: str
    variant: str
    digest: str
    ask: str
    private: bool
    model: str
    status: Status
    created: str
    samples: int
    score: Estimate | None
    judged: bool
    caveats: tuple[str, ...]

    @property
    def title(self) -> str:
        """Task and variant, as the command line names them."""
        return self.task if self.variant == "default" else f"{self.task}:{self.variant}"

    def digest_begins(self, start: str) -> bool:
        """Whether the task's digest begins so, with or without `sha256:`."""
        return self.digest.startswith((start, f"sha256:{start}"))


@dataclass(frozen=True, slots=True)
class Unlisted:
    """A folder that holds a manifest and is not among the runs, and why."""

    folder: Path
    reason: str


class RunIndex:
    """Runs of `out` (see `store.folder`) and of the submissions under it. Safe for threads.

    Runs for boards with private answers are not among them. An id is only ever looked up, so that no path can
    be made of one. Of two folders with one id the first in the order of paths counts.
    """

    def __init__(self, out: Path) -> None:
        self._out = out
        self._lock = Lock()
        self._read: dict[str, _Read] = {}
        self._known: dict[str, Listed] = {}

    def runs(self) -> tuple[Listed, ...]:
        """All runs, the newest first."""
        return self._listing()[0]

    def unlisted(self) -> tuple[Unlisted, ...]:
        """Folders whose manifest cannot be read, or has the id of another."""
        return self._listing()[1]

    def find(self, run_id: str) -> Listed:
        """The run of exactly this id, as it stands now.

        Raises:
            StoreError: there is none.
        """
        known = self._known.get(run_id)
        if known is not None and _version(known.folder / "manifest.json") == known.version:
            return known
        self._listing()
        if run_id not in self._known:
            raise StoreError(f"there is no run {run_id!r}", "the list of runs has all there are")
        return self._known[run_id]

    def of_digest(self, digest: str) -> tuple[Listed, ...]:
        """The runs of a task as frozen, the newest first."""
        return tuple(run for run in self.runs() if run.digest == digest)

    def _listing(self) -> tuple[tuple[Listed, ...], tuple[Unlisted, ...]]:
        with self._lock:
            read: dict[str, _Read] = {}
            for path, version in _manifests(self._out):
                before = self._read.get(path)
                still = before is not None and before[0] == version and _lasting(before[1])
                read[path] = before if before and still else (version, _entry(Path(path).parent, version))
            self._read = read
            known: dict[str, Listed] = {}
            unlisted = []
            for path in sorted(read):
                entry = read[path][1]
                if isinstance(entry, Listed) and entry.id in known:
                    entry = Unlisted(
                        entry.folder, f"it has the id of {known[entry.id].folder.name}, which counts"
                    )
                if isinstance(entry, Listed):
                    known[entry.id] = entry
                elif entry is not None:
                    unlisted.append(entry)
            self._known = known
        newest = sorted(known.values(), key=lambda run: (run.created, run.id), reverse=True)
        return tuple(newest), tuple(unlisted)


_Read = tuple[str, Listed | Unlisted | None]
"""The version of a manifest and what it says; None for a run that is not to be listed."""


def _lasting(entry: Listed | Unlisted | None) -> bool:
    """Whether an entry holds as long as its manifest does: calibrations expire, and files are mended."""
    return entry is None or (isinstance(entry, Listed) and not entry.judged)


def _entry(folder: Path, version: str) -> Listed | Unlisted | None:
    try:
        if of_private_board(folder):
            return None
        manifest = read_manifest(folder)
        return _listed(folder, version, manifest, stored_score(folder))
    except StoreError as error:
        return Unlisted(folder, error.message)
    except (OSError, ValueError, KeyError, TypeError) as error:
        return Unlisted(folder, f"its metrics.json cannot be read: {error}")


def _listed(folder: Path, version: str, manifest: Manifest, score: Estimate | None) -> Listed:
    task = manifest.task
    return Listed(
        id=manifest.run_id,
        folder=folder,
        version=version,
        task=task.name,
        variant=task.variant,
        digest=task.digest,
        ask=task.ask,
        private=task.private,
        model=str(manifest.model.identity.get("name", manifest.model.ref)),
        status=manifest.status,
        created=manifest.created,
        samples=manifest.counts.get("total", 0),
        score=score,
        judged=manifest.judging is not None,
        caveats=caveats(manifest),
    )


def _manifests(out: Path) -> Iterator[tuple[str, str]]:
    """Path and version of every manifest, also of the runs of submissions; dry runs of these are left out."""
    yield from _three_below(str(out))
    for folder in _folders(str(out)):
        if re.fullmatch(r"submission-\d+", Path(folder).name):
            yield from _three_below(folder)


def _three_below(out: str) -> Iterator[tuple[str, str]]:
    for task in _folders(out):
        for model in _folders(task):
            for run in _folders(model):
                path = f"{run}/manifest.json"
                if (version := _version(path)) is not None:
                    yield path, version


def _folders(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.path for entry in entries if entry.is_dir()]
    except OSError:
        return []


def _version(path: Path | str) -> str | None:
    try:
        found = os.stat(path)  # noqa: PTH116 (of thousands of paths at once)
    except OSError:
        return None
    return f"{found.st_mtime_ns:x}-{found.st_ino:x}-{found.st_size:x}"
