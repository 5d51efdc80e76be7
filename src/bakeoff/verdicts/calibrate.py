"""Calibrate a judge on a run it judged, and hold calibrations against runs."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bakeoff.digest import digest
from bakeoff.errors import BakeoffError
from bakeoff.judging.calibration import (
    Calibration,
    Measured,
    calibration_of,
    fitting,
    measured,
    read_calibration,
)
from bakeoff.judging.labels import Label
from bakeoff.judging.prompt import orders
from bakeoff.judging.rubric import Criterion
from bakeoff.run.metrics import measure
from bakeoff.store import CalibrationRecord, Manifest, read_manifest, write_manifest
from bakeoff.verdicts.labelled import (
    Case,
    Labelled,
    categories_of,
    choice_of,
    judges_run,
    labelled,
    said_of,
)
from bakeoff.verdicts.opinions import Opinion


def calibrate(
    folder: Path,
    files: Sequence[Path],
    *,
    days: float = 90,
    out: Path,
    level: float = 0.95,
    seed: int = 0,
    now: datetime | None = None,
) -> Calibration:
    """Measure the judge of a run, its own or a judged one, by people's labels in `files`.

    Of a pair the verdict in an order drawn by item counts, of several times the first. It expires after
    `days`: judges behind an address change, and so do the answers they are asked about.

    Raises:
        BakeoffError: no language model judged the run, fewer than 30 items are labelled, or days not above 0.
        StoreError: a run or a file cannot be read.
        TaskError: a line that is no label by the judge's rubric.
    """
    if not 0 < days <= 3660:
        raise BakeoffError(f"a calibration expires after 1 to 3660 days, got {days:g}", "--expires 90d")
    found = labelled(folder, files, out=out)
    cases = list(found.labelled)
    made = (now or datetime.now(UTC)).replace(microsecond=0)
    return calibration_of(
        [_measured(found, cases, each, level, seed) for each in found.rubric.criteria],
        judge=found.judging.judge,
        rubric=found.judging.rubric_digest,
        task=judged_task(found.manifest.task.args, [read_manifest(Path(at)) for at in found.judging.folders]),
        labels=digest([_content(label) for case in cases for label in case.labels.values()]),
        made=made.isoformat(),
        expires=(made + timedelta(days=days)).isoformat(),
        level=level,
    )


def days_of(text: str) -> float:
    """`90d`, or `90`, as days.

    Raises:
        BakeoffError: it is neither.
    """
    try:
        return float(text.removesuffix("d"))
    except ValueError:
        raise BakeoffError(
            f"--expires must be a number of days, got {text!r:.40}", "for example 90d"
        ) from None


def judged_task(asked: Mapping[str, Any], judged: Sequence[Manifest]) -> str:
    """The digest of what a judge was asked about: the items, and what of them it was shown and how.

    Who answered, and by which prompt, is not in it, so that a calibration serves to compare them; nor is how
    many of the items were judged. `asked` are the arguments of the judge's own task.
    """
    data = sorted({str(manifest.task.parts.get("data", manifest.task.digest)) for manifest in judged})
    shown = {name: asked.get(name) for name in ("question", "context", "constrain", "temperature")}
    return digest({"data": data, "shown": shown})


def fitting_record(path: Path, folder: Path, *, out: Path) -> CalibrationRecord:
    """The calibration in the file `path`, for the manifest of a judge's run or of a judged one.

    Raises:
        BakeoffError: it is of another judge, rubric or task, or no language model judged the run.
        StoreError: a run or the file cannot be read.
    """
    manifest = read_manifest(judges_run(folder, out))
    judging = manifest.judging
    assert judging is not None
    return fitting(
        read_calibration(path),
        rubric=judging.rubric_digest,
        task=judged_task(manifest.task.args, [read_manifest(Path(each)) for each in judging.folders]),
        judge=judging.judge,
    )


def apply(record: CalibrationRecord, folder: Path, *, out: Path) -> tuple[Path, ...]:
    """Write a calibration into the manifests of a run and of its judge's own, and their `metrics.json` anew.

    Raises:
        BakeoffError: no language model judged the run.
        StoreError: a run cannot be read or written.
    """
    folders = tuple(dict.fromkeys((folder, judges_run(folder, out))))
    for each in folders:
        manifest = read_manifest(each)
        assert manifest.judging is not None
        judging = manifest.judging.model_copy(update={"calibration": record})
        changed = manifest.model_copy(update={"judging": judging})
        files = dict(manifest.files)
        if "metrics.json" in files:
            files["metrics.json"] = measure(each, changed)
        write_manifest(each, changed.model_copy(update={"files": files}))
    return folders


def drawn(case: Case, seed: int) -> Opinion:
    """The first opinion, of a pair the first in the order drawn for it."""
    of_item = orders(seed, "judge audit", case.item)[0]
    return next((each for each in case.opinions if each.order == of_item), case.opinions[0])


def _measured(
    found: Labelled, cases: Sequence[Case], criterion: Criterion, level: float, seed: int
) -> Measured:
    categories = categories_of(criterion, found.rubric)
    said = [case.labels[criterion.name].said if criterion.name in case.labels else () for case in cases]
    return measured(
        criterion.name,
        [choice_of(drawn(case, seed), criterion, found.rubric) for case in cases],
        [said_of(each, found.rubric) for each in said],
        [case.item for case in cases],
        categories,
        passing=None if found.rubric.kind == "pairwise" else categories[-1],
        ordered=found.rubric.kind == "grades",
        level=level,
        seed=seed,
    )


def _content(label: Label) -> list[Any]:
    return [label.item, label.repeat, label.criterion, list(label.said)]
