"""Runs from start to end: open the model, conduct, compact, measure. What is stopped can be resumed."""

import asyncio
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bakeoff import __version__
from bakeoff.errors import BakeoffError, StoreError
from bakeoff.model import Model, open_model
from bakeoff.nouns import Outcome
from bakeoff.run.completed import completed
from bakeoff.run.conduct import answering, conduct
from bakeoff.run.determinism import determinism
from bakeoff.run.environment import environment
from bakeoff.run.metrics import counts, measure
from bakeoff.run.preflight import Preflight, preflight
from bakeoff.run.probing import needs, probed
from bakeoff.run.progress import Progress, Watch
from bakeoff.run.until import Decider
from bakeoff.store import (
    Journal,
    JudgingRecord,
    Manifest,
    ModelRecord,
    ResponseCache,
    Settings,
    TaskRecord,
    compact,
    finished_keys,
    journal_path,
    new_run_folder,
    read_manifest,
    write_manifest,
)
from bakeoff.task import DataOverlay, Prepared, differences, load_task, prepare

RETRIED = (Outcome.MODEL_ERROR, Outcome.SCORER_ERROR)
"""Outcomes that a resume asks again: nobody's answer was wrong."""


class Stopped(BakeoffError):  # noqa: N818 (a state to resume from, not a fault)
    """A run was stopped before its end, by a person or by an error. Resume it from `folder`."""

    def __init__(self, folder: Path, cause: BakeoffError | None, command: str = "run") -> None:
        self.folder = folder
        self.exit_code = cause.exit_code if cause else 130
        message = cause.message if cause else "stopped"
        hints = [cause.hint] if cause and cause.hint else []
        super().__init__(message, "\n".join([*hints, f"resume with: bakeoff {command} --resume {folder}"]))


@dataclass(frozen=True, slots=True)
class Job:
    """A task to put to the model, and how the user named it."""

    prepared: Prepared
    ref: str
    data: str | None = None
    overlay: DataOverlay | None = None
    args: Mapping[str, Any] = field(default_factory=dict)
    """What a task made in a program needs to be made again."""
    judging: JudgingRecord | None = None
    """For a task that puts a judge to the answers of other runs; its engine says who the judge is."""


def run_jobs(
    jobs: Sequence[Job],
    model_ref: str,
    model_settings: Mapping[str, str],
    *,
    settings: Settings,
    out: Path,
    watch: Watch | None = None,
) -> list[Path]:
    """Open the model once and run every job on it. Returns the run folders, in order.

    Raises:
        ModelError: the model cannot be opened or cannot do what a job asks; nothing was written.
        Stopped: a run ended early; what was finished is kept and can be resumed.
    """
    return completed(_run_jobs(jobs, model_ref, model_settings, settings, out, watch))


def resume(folder: Path, *, watch: Watch | None = None) -> Path:
    """Go on with the run in `folder`: ask what is missing, and again what ended in an error.

    Raises:
        StoreError: the task has changed since the run began (the message says in what), or it was given as an
            object and cannot be loaded again.
        ModelError, Stopped: as in `run_jobs`.
    """
    manifest = read_manifest(folder)
    if manifest.parent is not None:
        raise StoreError(f"{folder} was rescored from {manifest.parent}", "resume that run, then rescore it")
    if not manifest.task.ref:
        raise StoreError(
            f"the task of {folder} was an object in a program, so it cannot be loaded again",
            "resume from that program: evaluate(task, model, resume=folder)",
        )
    overlay = DataOverlay(args=manifest.task.args, where=manifest.task.where)
    task, _ = load_task(manifest.task.ref, data=manifest.task.data, overlay=overlay)
    prepared = prepare(task, manifest.task.variant, seed=manifest.settings.seed)
    return resume_prepared(folder, prepared, watch=watch)


def resume_prepared(folder: Path, prepared: Prepared, *, watch: Watch | None = None) -> Path:
    """`resume` for a task that is already at hand."""
    manifest = read_manifest(folder)
    if prepared.digest != manifest.task.digest:
        changed = "; ".join(differences(manifest.task.parts, prepared.parts))
        raise StoreError(
            f"the task {prepared.task.name} has changed since {folder} began: {changed}",
            "undo the change to resume, or start a new run",
        )
    completed(_resume(folder, manifest, prepared, watch))
    return folder


async def _run_jobs(
    jobs: Sequence[Job],
    model_ref: str,
    model_settings: Mapping[str, str],
    settings: Settings,
    out: Path,
    watch: Watch | None,
) -> list[Path]:
    folders = []
    facts = environment()
    for job in jobs:
        _decider(
            job.prepared, settings
        )  # a baseline that does not fit is better found before the model loads
    shown = [await _preflight(job.prepared, settings, watch) for job in jobs]
    async with open_model(model_ref, model_settings) as model:
        probes, images = {}, any(job.prepared.images for job in jobs)
        for job in jobs:
            if (need := needs(job.prepared)) not in probes:
                probes[need] = await probed(model, job.prepared, images=images)
        for job, checked in zip(jobs, shown, strict=True):
            folder = new_run_folder(out, _title(job.prepared), model.identity.name)
            manifest = Manifest(
                run_id=folder.name,
                status="running",
                created=_now(),
                bakeoff=__version__,
                task=_task_record(job),
                model=ModelRecord(
                    ref=model_ref,
                    settings=dict(model_settings),
                    identity=asdict(model.identity),
                    capabilities=asdict(model.capabilities),
                    probe=asdict(probes[needs(job.prepared)]),
                ),
                settings=settings,
                environment=facts,
                preflight=checked.record,
                judging=job.judging and job.judging.model_copy(update={"judge": answering(model)}),
            )
            write_manifest(folder, manifest)
            await _conduct(folder, manifest, job.prepared, model, checked.broken, watch)
            folders.append(folder)
    return folders


async def _resume(folder: Path, manifest: Manifest, prepared: Prepared, watch: Watch | None) -> None:
    checked = await _preflight(prepared, manifest.settings, watch)
    async with open_model(manifest.model.ref, manifest.model.settings) as model:
        before, now = manifest.model.identity, asdict(model.identity)
        moved = [name for name in now if name != "details" and _plain(now[name]) != _plain(before.get(name))]
        if moved:
            raise StoreError(
                f"the model is not the one {folder} began with: {', '.join(moved)} differ",
                "start a new run: samples of two models must not be mixed",
            )
        await probed(model, prepared, images=prepared.images)
        manifest = manifest.model_copy(
            update={
                "status": "running",
                "finished": None,
                "resumed": manifest.resumed + 1,
                "preflight": checked.record,
            }
        )
        write_manifest(folder, manifest)
        await _conduct(folder, manifest, prepared, model, checked.broken, watch)


async def _preflight(prepared: Prepared, settings: Settings, watch: Watch | None) -> Preflight:
    """Better done before the model loads: what it refuses costs nothing then."""
    return await preflight(
        prepared.scorer,
        prepared.items(settings.limit),
        _title(prepared),
        prepared.n_items if settings.limit is None else min(settings.limit, prepared.n_items),
        remember=settings.cache,
        watch=watch,
    )


async def _conduct(
    folder: Path,
    manifest: Manifest,
    prepared: Prepared,
    model: Model,
    broken: Mapping[str, str],
    watch: Watch | None,
) -> None:
    settings = manifest.settings
    items = prepared.n_items if settings.limit is None else min(settings.limit, prepared.n_items)
    done = finished_keys(folder, again=RETRIED)
    decider = _decider(prepared, settings)
    if decider is not None:
        decider.take_up(folder, done)
    progress = Progress(_title(prepared), total=items * settings.repeats, done=len(done))
    if watch is not None:
        watch(progress)
    begun = model.identity.details
    try:
        with Journal(journal_path(folder)) as journal, _cache(manifest) as cache, _terminable():
            await conduct(
                prepared,
                model,
                journal,
                settings=settings,
                progress=progress,
                done=done,
                cache=cache,
                decider=decider,
                broken=broken,
            )
            served = _served(manifest, model, begun)
            record = await determinism(prepared, model, folder, settings=settings)
    except BakeoffError as error:
        _leave(folder, manifest)
        raise Stopped(folder, error, _command(manifest)) from error
    except asyncio.CancelledError as error:
        _leave(folder, manifest)
        raise Stopped(folder, None, _command(manifest)) from error
    decision = decider.record() if decider is not None else None
    finish(folder, manifest.model_copy(update={"determinism": record, "decision": decision, "model": served}))


def finish(folder: Path, manifest: Manifest) -> Manifest:
    """Compact the samples of a run, measure it and close its manifest."""
    samples = compact(folder)
    count = counts(folder)
    unscored = sum(count.get(outcome, 0) for outcome in Outcome if outcome.unscored)
    share = unscored / count["total"] if count["total"] else 1.0
    metrics = measure(folder, manifest)
    closed = manifest.model_copy(
        update={
            "status": "complete" if share <= manifest.settings.unscored_budget else "incomplete",
            "finished": _now(),
            "counts": count,
            "files": {"samples.parquet": samples, "metrics.json": metrics},
        }
    )
    write_manifest(folder, closed)
    return closed


def _decider(prepared: Prepared, settings: Settings) -> Decider | None:
    return Decider(prepared, settings, settings.until) if settings.until is not None else None


def _served(manifest: Manifest, model: Model, begun: Mapping[str, str]) -> ModelRecord:
    """The model's record with the details that only the run could tell.

    Counters (`tokens_...`) run on from task to task; what they stood at when this run `begun` is taken off.
    """
    details = {
        name: str(int(value) - int(begun.get(name, 0))) if name.startswith("tokens_") else value
        for name, value in model.identity.details.items()
    }
    identity = manifest.model.identity | {"details": details}
    return manifest.model.model_copy(update={"identity": identity})


def _command(manifest: Manifest) -> str:
    """What goes on with such a run: a judge's run is more than its verdicts."""
    return "run" if manifest.judging is None else "judge run"


def _leave(folder: Path, manifest: Manifest) -> None:
    """Mark a stopped run. Its samples stay in the journal."""
    with suppress(StoreError):
        # On a full disk the manifest stays as it was, `running`, which can be resumed just as well; the error
        # that stopped the run is the one to show.
        write_manifest(folder, manifest.model_copy(update={"status": "incomplete", "finished": _now()}))


@contextmanager
def _cache(manifest: Manifest) -> Iterator[ResponseCache | None]:
    if not manifest.settings.cache or manifest.task.private:
        yield None
        return
    with ResponseCache() as cache:
        yield cache


@contextmanager
def _terminable() -> Iterator[None]:
    """Let SIGINT and SIGTERM (a preempted machine) end the run like Ctrl-C: in order, and resumable."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    signals = (signal.SIGINT, signal.SIGTERM)
    try:
        for number in signals:
            loop.add_signal_handler(number, task.cancel)
    except (ValueError, RuntimeError):  # not in the main thread: whoever runs us there handles signals
        yield
        return
    try:
        yield
    finally:
        for number in signals:
            loop.remove_signal_handler(number)


def _task_record(job: Job) -> TaskRecord:
    prepared = job.prepared
    return TaskRecord(
        name=prepared.task.name,
        version=prepared.task.version,
        ref=job.ref,
        data=job.data,
        args=job.overlay.args if job.overlay else dict(job.args),
        where=job.overlay.where if job.overlay else {},
        variant=prepared.variant,
        digest=prepared.digest,
        parts=dict(prepared.parts),
        ask=prepared.task.ask,
        scorer=prepared.scorer.id,
        n_items=prepared.n_items,
        chance=prepared.chance,
        refused=prepared.task.refused,
        private=prepared.task.private,
        source=dict(prepared.source),
    )


def _title(prepared: Prepared) -> str:
    name = prepared.task.name
    return name if prepared.variant == "default" else f"{name}:{prepared.variant}"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else value
