"""Make a run the baseline of its task: the only way a baseline is ever set."""

import getpass
import hashlib
import os
import re
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from math import fsum
from pathlib import Path

import orjson

from bakeoff.errors import BakeoffError, StoreError
from bakeoff.gate.baseline import (
    Baseline,
    BaselineModel,
    BaselineRun,
    BaselineTask,
    baseline_path,
    read_baseline,
    write_baseline,
)
from bakeoff.gate.side import Side, model_name, read_side
from bakeoff.store import Manifest, read_manifest
from bakeoff.store.record import without_surrogates

LOG = "promotions.jsonl"


@dataclass(frozen=True, slots=True)
class Promotion:
    """What became the baseline, as it stands in the task's `promotions.jsonl`, which is only ever added to.

    `replaces` is the digest of the baseline that had the name before. `file` is where the baseline lies, and
    not in the log.
    """

    name: str
    promoted: str
    by: str
    reason: str
    run_id: str
    model: str
    score: float
    items: int
    digest: str
    replaces: str | None
    file: Path


def promote(
    folder: Path, *, name: str = "main", reason: str = "", by: str = "", baselines: Path = Path("baselines")
) -> Promotion:
    """Copy what the run in `folder` scored on each item to `BASELINES/TASK/NAME.json`, and log it.

    Raises:
        BakeoffError: the run is not complete, has no score, or the name is no name.
        StoreError: the run's files are not those its manifest names, or the baseline cannot be written.
    """
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]*", name) or name == "last":
        raise BakeoffError(
            f"{name!r} cannot name a baseline", "letters, digits, dot, dash, underscore; not `last`"
        )
    manifest = read_manifest(folder)
    if manifest.status != "complete":
        raise BakeoffError(
            f"the run {folder} is {manifest.status}: it cannot be a baseline",
            f"bakeoff run --resume {folder}",
        )
    side = read_side(folder)
    if side.unfinished:
        raise BakeoffError(
            f"the run {folder} {side.unfinished}: it cannot be a baseline", "promote a run of all items"
        )
    scores = [item.value for item in side.scored() if item.value is not None]
    if not scores:
        raise BakeoffError(f"the run {folder} has no scored item: it cannot be a baseline")
    path = baseline_path(baselines, side.task, side.variant, name)
    baseline = Baseline(
        name=name,
        promoted=datetime.now(UTC).isoformat(timespec="seconds"),
        by=without_surrogates(by or _who()),
        reason=without_surrogates(reason),
        replaces=read_baseline(path).digest if path.exists() else None,
        score=fsum(scores) / len(scores),
        task=_task(manifest),
        model=_model(manifest),
        run=_run(folder, manifest, side),
        items=tuple((item.id, item.value, item.outcome, item.group, item.digest) for item in side.items),
    )
    promotion = Promotion(
        name=name,
        promoted=baseline.promoted,
        by=baseline.by,
        reason=baseline.reason,
        run_id=side.run_id,
        model=model_name(manifest),
        score=baseline.score,
        items=len(scores),
        digest=write_baseline(path, baseline),
        replaces=baseline.replaces,
        file=path,
    )
    _log(path.with_name(LOG), promotion)
    return promotion


def _log(path: Path, promotion: Promotion) -> None:
    entry = {key: value for key, value in asdict(promotion).items() if key != "file"}
    line = orjson.dumps(entry, option=orjson.OPT_APPEND_NEWLINE)
    try:
        with path.open("ab") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise StoreError(
            f"the baseline was set, but {path} could not be added to: {error.strerror or error}",
            "check its permissions, then promote again",
        ) from error


def _who() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # no user name on this machine
        return "unknown"


def _task(manifest: Manifest) -> BaselineTask:
    task = manifest.task
    return BaselineTask(
        name=task.name, variant=task.variant, version=task.version, digest=task.digest, parts=task.parts
    )


def _model(manifest: Manifest) -> BaselineModel:
    # `details` count what this one run computed; they say nothing of who the model is.
    identity = {key: value for key, value in manifest.model.identity.items() if key != "details"}
    return BaselineModel(ref=manifest.model.ref, identity=identity)


def _run(folder: Path, manifest: Manifest, side: Side) -> BaselineRun:
    return BaselineRun(
        id=manifest.run_id,
        created=manifest.created,
        bakeoff=manifest.bakeoff,
        settings=manifest.settings.model_dump(mode="json"),
        counts=dict(side.counts),
        metrics=_verified(folder, manifest, "metrics.json"),
        samples=_verified(folder, manifest, "samples.parquet"),
    )


def _verified(folder: Path, manifest: Manifest, name: str) -> str:
    """The digest of one of the run's files, which must be the one its manifest names."""
    record, path = manifest.files.get(name), folder / name
    if record is None or not path.exists():
        raise StoreError(f"the run {folder} has no {name}", "a complete run has one; run the task again")
    with path.open("rb") as file:
        found = "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
    if found != record.digest:
        raise StoreError(
            f"{path} was changed after the run: it has not the digest that manifest.json names",
            "restore it from a copy, or run the task again",
        )
    return found
