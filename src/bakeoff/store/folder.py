"""Where runs lie: `runs/<task>/<model>/<UTC time>-<short id>/`."""

import re
import secrets
from datetime import UTC, datetime
from pathlib import Path

from bakeoff.errors import StoreError
from bakeoff.store.files import unwritable
from bakeoff.store.privacy import of_private_board


def new_run_folder(out: Path, task: str, model: str) -> Path:
    """Make a folder for one run of `task` on `model` and return it; its name is the run's id.

    Raises:
        StoreError: the folder cannot be made.
    """
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    folder = out / slug(task) / slug(model) / f"{stamp}-{secrets.token_hex(3)}"
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        raise unwritable(folder, error) from error
    return folder


def slug(name: str) -> str:
    """`name` with all but letters, digits, dot, dash and underscore replaced, for use as a folder name."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.") or "unnamed"


def find_runs(out: Path) -> list[Path]:
    """All run folders under `out`, oldest first."""
    return sorted((path.parent for path in out.glob("*/*/*/manifest.json")), key=lambda path: path.name)


def find_run(reference: str, out: Path, *, reveal: bool = False) -> Path:
    """The run folder meant by `reference`: a path, the end of a run's id, or `last`.

    Raises:
        StoreError: nothing or more than one run matches; the message lists what there is. Or the run is of a
            board with private answers, and these are not to be revealed.
    """
    found = _matching(reference, out)
    if not reveal and of_private_board(found):
        raise StoreError(
            f"{found} was asked for a board with private answers",
            "what may be told of it is on the board; on a terminal: bakeoff show RUN --reveal",
        )
    return found


def _matching(reference: str, out: Path) -> Path:
    path = Path(reference)
    if (path / "manifest.json").exists():
        return path
    if path.name == "manifest.json" and path.exists():
        return path.parent
    runs = find_runs(out)
    if reference == "last" and runs:
        return runs[-1]
    matches = [run for run in runs if run.name.endswith(reference) or run.name == reference]
    if len(matches) == 1:
        return matches[0]
    if matches:
        names = ", ".join(str(run) for run in matches[:5])
        raise StoreError(
            f"{reference!r} is the end of {len(matches)} run ids: {names}", "give more of the id"
        )
    if runs:
        newest = "\n".join(f"  {run}" for run in runs[-5:][::-1])
        raise StoreError(f"no run {reference!r} under {out}", f"the newest runs are:\n{newest}")
    raise StoreError(f"no run {reference!r}: there are no runs under {out}", "make one: bakeoff quickstart")
