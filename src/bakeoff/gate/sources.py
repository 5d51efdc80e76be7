"""Which baseline a run is held against."""

import re
from collections.abc import Sequence
from pathlib import Path

from bakeoff.errors import BakeoffError, StoreError
from bakeoff.gate.baseline import baseline_path, read_baseline
from bakeoff.gate.side import Side, read_side
from bakeoff.store import find_run


def run_folder(reference: str, out: Path) -> Path:
    """The run folder meant by `reference`: a path, the end of a run's id, or `last`.

    Raises:
        BakeoffError: no run or more than one. Unlike elsewhere that is wrong input, not a file that cannot be
            read: a gate's exit code must not depend on where a name was mistyped.
    """
    try:
        return find_run(reference, out)
    except StoreError as error:
        raise BakeoffError(error.message, error.hint) from error


def baseline_of(
    run: Side, references: Sequence[str], *, name: str, folder: Path, out: Path, alone: bool
) -> Side | None:
    """The baseline of `run` among `references`, else the promoted one called `name`; None without any.

    A reference is the name of a promoted baseline, its file, a run's folder, or the end of a run's id. It is
    the run's if it is of the same task and variant, or, with `alone`, whatever it is of.

    Raises:
        BakeoffError: a reference is nothing, none is of the run's task, or several are.
        StoreError: a baseline's file cannot be read or was changed.
    """
    if not references:
        path = baseline_path(folder, run.task, run.variant, name)
        return read_baseline(path).side() if path.exists() else None
    found = [side for each in references if (side := _meant(each, run, folder, out)) is not None]
    fitting = [side for side in found if side.title == run.title]
    if not fitting and alone and len(found) == 1:
        fitting = found
    if len(fitting) > 1:
        raise BakeoffError(
            f"{run.title} has {len(fitting)} baselines: {', '.join(side.label for side in fitting)}",
            "name one for each task",
        )
    if not fitting:
        there = (
            ", ".join(f"{side.label} is of {side.title}" for side in found) or "none of the name is promoted"
        )
        raise BakeoffError(
            f"no baseline given is of the task {run.title}: {there}",
            f"--baseline takes a run of {run.title}, or a name that `bakeoff gate promote` gave",
        )
    return fitting[0]


def _meant(reference: str, run: Side, folder: Path, out: Path) -> Side | None:
    """What `reference` means for `run`; None for a name that is promoted for other tasks only."""
    path = Path(reference)
    if path.suffix == ".json" and path.name != "manifest.json":
        return read_baseline(path).side()
    if re.fullmatch(r"[A-Za-z0-9._-]+", reference):
        promoted = baseline_path(folder, run.task, run.variant, reference)
        if promoted.exists():
            return read_baseline(promoted).side()
        if any(folder.glob(f"*/{reference}.json")):
            return None
    return read_side(run_folder(reference, out))
