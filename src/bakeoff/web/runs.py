"""The runs that a server knows, and what was measured of them, kept in memory."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated

from fastapi import Depends

from bakeoff.errors import StoreError
from bakeoff.run import Metrics, metrics
from bakeoff.run.breakdown import Breakdown, breakdown
from bakeoff.run.columns import columns
from bakeoff.run.index import Listed, RunIndex
from bakeoff.store import Manifest, has_samples, read_manifest
from bakeoff.web.following import Following
from bakeoff.web.reading import Kept
from bakeoff.web.routes.request import Books

_COLUMNS = 4
"""Breakdowns that a page shows at most."""


@dataclass(frozen=True, slots=True)
class Runs:
    """One per server. What is measured of a run is kept until its manifest changes; of one that still
    goes on nothing is.
    """

    index: RunIndex
    _metrics: Kept[Metrics] = field(default_factory=lambda: Kept(256))
    _breakdowns: Kept[tuple[Breakdown, ...]] = field(default_factory=lambda: Kept(256))
    _following: Kept[Following] = field(default_factory=lambda: Kept(64))

    def sampled(self, run_id: str) -> Listed:
        """The run of exactly this id, which has samples.

        Raises:
            StoreError: there is no such run, or no sample of it yet.
        """
        run = self.index.find(run_id)
        if not has_samples(run.folder):
            raise StoreError(
                f"there is no sample of the run {run.id} yet", "wait for it to begin, or resume it"
            )
        return run

    def manifest(self, run: Listed) -> Manifest:
        """Its manifest, read afresh."""
        return read_manifest(run.folder)

    def metrics(self, run: Listed) -> Metrics:
        """The score with its interval, and every count beside it. The run has samples."""
        if run.status == "running":
            return metrics(run.folder)
        return self._metrics.get(_key(run), lambda: metrics(run.folder))

    def breakdowns(self, run: Listed) -> tuple[Breakdown, ...]:
        """The score by the columns with the fewest values; of a private task by its groups alone."""
        if run.status == "running":
            return ()
        return self._breakdowns.get(_key(run), lambda: _broken_down(run))

    def following(self, run: Listed) -> Following:
        """How far a run is that goes on."""
        return self._following.get(
            str(run.folder), lambda: Following(run.folder, expected(read_manifest(run.folder)))
        )


def expected(manifest: Manifest) -> int:
    """How many samples a run has when all were asked."""
    items, limit = manifest.task.n_items, manifest.settings.limit
    return (items if limit is None else min(items, limit)) * manifest.settings.repeats


def _key(run: Listed) -> str:
    return f"{run.folder} {run.version}"


def _broken_down(run: Listed) -> tuple[Breakdown, ...]:
    names = [name for name in columns(run.folder) if name == "group" or not run.private]
    return tuple(breakdown(run.folder, name) for name in names[:_COLUMNS])


@lru_cache(maxsize=8)
def runs_of(index: RunIndex) -> Runs:
    """What is kept of the runs of an index; the same object each time."""
    return Runs(index)


def _shelf(library: Books) -> Runs:
    return runs_of(library.index)


Shelf = Annotated[Runs, Depends(_shelf)]
"""The runs of the server, for a route's parameter."""
