"""The runs there are."""

from dataclasses import dataclass

from bakeoff.errors import BakeoffError
from bakeoff.run.index import Listed, RunIndex, Unlisted

SIZE = 100
"""Runs on a page."""
STATES = ("running", "complete", "incomplete", "failed")


@dataclass(frozen=True, slots=True)
class RunsPage:
    """A page of the runs, the newest first; `found` of `total` match. `page` counts from 1.

    `unlisted` are folders by name and why they are not among the runs.
    """

    words: str
    status: str
    page: int
    pages: int
    found: int
    total: int
    rows: tuple[Listed, ...]
    unlisted: tuple[tuple[str, str], ...]
    states: tuple[str, ...] = STATES


def runs_page(index: RunIndex, *, words: str = "", status: str = "", page: int = 1) -> RunsPage:
    """The page's data: runs in whose task, model or id every word occurs, whatever the case of letters.

    Raises:
        BakeoffError: there is no such status, or no such page.
    """
    if status and status not in STATES:
        raise BakeoffError(f"there is no status {status!r}", f"runs are {', '.join(STATES)}")
    every = index.runs()
    wanted = words.lower().split()
    found = [
        run
        for run in every
        if (not status or run.status == status)
        and all(word in f"{run.title} {run.model} {run.id}".lower() for word in wanted)
    ]
    pages = max(1, -(-len(found) // SIZE))
    if not 1 <= page <= pages:
        raise BakeoffError(f"there is no page {page}", f"the last is {pages}")
    rows = tuple(found[(page - 1) * SIZE : page * SIZE])
    unlisted = tuple(map(_said, index.unlisted()))
    return RunsPage(words, status, page, pages, len(found), len(every), rows, unlisted)


def _said(folder: Unlisted) -> tuple[str, str]:
    """Without the path to it, which is nobody's business."""
    return folder.folder.name, folder.reason.replace(str(folder.folder), folder.folder.name)
