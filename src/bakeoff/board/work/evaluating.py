"""What workers do for a board: look at a model, then ask it all there is to ask.

Both are jobs of the queue. What is done lies in run folders under a place that all workers reach, one for
each submission; a worker that takes a job over goes on with the runs it finds there.
"""

import errno
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine

from bakeoff.board.community.votes import tally
from bakeoff.board.definition import Board
from bakeoff.board.entry.door import Door, Permits, door
from bakeoff.board.entry.eligible import as_found, obstacles
from bakeoff.board.life import State
from bakeoff.board.private.releasing import released, sayable
from bakeoff.board.registry import check_rule
from bakeoff.board.scores import measured
from bakeoff.board.submissions import Model, Submission, assign, get, identify, move, score
from bakeoff.board.work.memory import needed_gb
from bakeoff.board.work.settling import settle
from bakeoff.database import reading, writing
from bakeoff.errors import BakeoffError, ModelError
from bakeoff.jobs import Failed, Fault, Job, LeaseLost, PutBack, Steps, add, check_held
from bakeoff.model.errors import MachineError, NotThereError
from bakeoff.model.found import Found, found_from
from bakeoff.run import Job as Asked
from bakeoff.run import Progress, Stopped, planned, resume, run_jobs
from bakeoff.store import Manifest, Settings, find_runs, read_manifest
from bakeoff.task import load_task
from bakeoff.task.suite import load_suite

VALIDATE, EVALUATE = "validate", "evaluate"
DRY_RUN = 5
"""Items that a model must answer before it is queued, of the board's task with the shortest answers."""
_LOOK_S = 1.0
_OF_MACHINES = frozenset(
    {
        errno.EDQUOT,
        errno.EIO,
        errno.EMFILE,
        errno.ENETDOWN,
        errno.ENETUNREACH,
        errno.ENFILE,
        errno.ENOSPC,
        errno.EROFS,
    }
)
"""What says nothing of a model that could not be read: a disk, a limit of this machine, its network."""


def enqueue(
    connection: Connection,
    board: Board,
    submission: Submission,
    *,
    model: str,
    settings: Mapping[str, str],
    actor: str,
    priority: int = 0,
    lent: str = "",
    max_attempts: int = 5,
) -> int:
    """Begin the way of a draft: have a worker look at `model`, a model reference. Returns the job's id.

    `lent` is what a worker must offer to open the key that was lent with it (`keys.lend`); `max_attempts` is
    as in `jobs.add`.
    """
    payload = {
        "submission": submission.id,
        "board": board.model_dump(mode="json"),
        "model": model,
        "settings": dict(settings),
        "priority": priority,
    } | ({"lent": lent} if lent else {})
    move(connection, submission.id, State.VALIDATING, actor=actor)
    made = add(
        connection,
        VALIDATE,
        payload,
        owner=submission.organisation,
        # A look is short, and tells a submitter soon what is wrong.
        priority=priority + 1,
        needs=_needs(payload),
        memory=needed_gb(submission.model),
        key=f"validate submission {submission.id}",
        max_attempts=max_attempts,
    )
    assign(connection, submission.id, made)
    tally(connection, submission.id)
    return made


def handler(engine: Engine, out: Path, permits: Permits | None = None) -> Callable[[Job, Steps], None]:
    """What a worker does with the jobs of boards; runs go under `out`.

    Without `permits` whoever submits is trusted with all that the process may use (`entry.door`).
    """
    enter = door(out, permits)

    def handle(job: Job, steps: Steps) -> None:
        with writing(engine) as connection:
            settle(connection)
        match job.kind:
            case "validate":
                _validate(engine, job, steps, out, enter)
            case "evaluate":
                _evaluate(engine, job, steps, out, enter)
            case kind:
                raise Failed(Fault.OURS, f"this worker does not know jobs of the kind {kind}")

    return handle


def _validate(engine: Engine, job: Job, steps: Steps, out: Path, enter: Door) -> None:
    board, number = Board(**job.payload["board"]), job.payload["submission"]
    shortest = min(_refs(board), key=_longest_answer)
    with reading(engine) as connection:
        found = _registered(connection, board, number)
    if found.state is not State.VALIDATING:
        return  # it was withdrawn, or another has looked already
    folder = out / f"submission-{number}" / "dry-run"
    try:
        runs = _asked(job, [shortest], folder, steps, enter, limit=DRY_RUN)
        manifest = read_manifest(runs[0])
        seen = _model(found.model, manifest)
        failed = [f"{manifest.counts.get('model_error', 0)} of {DRY_RUN} answers failed"]
        problems = list(
            obstacles(
                board.eligibility, found.model, found.way, ref=job.payload["model"], found=_found(manifest)
            )
        )
        problems += failed if manifest.counts.get("model_error") else []
    except Failed as error:
        if error.fault is Fault.OURS:  # tried again, or settled once it was often enough
            raise
        _end(engine, steps, number, State.FAILED, str(error))
        raise
    if problems:
        _end(engine, steps, number, State.REJECTED, "; ".join(problems))
        return
    with writing(engine) as connection:
        check_held(connection, steps.held)
        identify(connection, number, seen, actor=steps.held.worker)
        move(connection, number, State.QUEUED, actor=steps.held.worker)
        evaluation = add(
            connection,
            EVALUATE,
            job.payload,
            owner=found.organisation,
            priority=job.payload["priority"],
            needs=_needs(job.payload),
            memory=needed_gb(seen),
            key=f"evaluate submission {number}, after job {job.id}",
            max_attempts=job.max_attempts,
        )
        assign(connection, number, evaluation)
        tally(connection, number)


def _evaluate(engine: Engine, job: Job, steps: Steps, out: Path, enter: Door) -> None:
    board, number = Board(**job.payload["board"]), job.payload["submission"]
    with writing(engine) as connection:
        check_held(connection, steps.held)
        found = _registered(connection, board, number)
        if found.state in (State.QUEUED, State.PREEMPTED):
            move(connection, number, State.RUNNING, actor=steps.held.worker)
        elif found.state is not State.RUNNING:
            return  # withdrawn, or done by another whose lease had run out
    try:
        runs = _asked(job, _refs(board), out / f"submission-{number}", steps, enter, limit=board.limit)
        _check_same(found.model, runs)
        scores = measured(board, runs)
    except PutBack as why:
        with writing(engine) as connection:
            check_held(connection, steps.held)
            move(connection, number, State.PREEMPTED, actor=steps.held.worker, reason=why.message)
        raise
    except Failed as error:
        if error.fault is Fault.OURS:  # tried again, or settled once it was often enough
            raise
        _end(engine, steps, number, State.FAILED, str(error))
        raise
    with writing(engine) as connection:
        check_held(connection, steps.held)
        move(connection, number, State.SCORING, actor=steps.held.worker)
        if board.policy.private:
            scores = released(connection, get(connection, number), runs, scores, out)
        score(connection, number, scores.as_json(), actor=steps.held.worker)
        move(connection, number, State.REVIEW, actor=steps.held.worker)


def _registered(connection: Connection, board: Board, number: int) -> Submission:
    """A submission, once it is sure that this worker's suites and tasks are the board's."""
    try:
        check_rule(connection, board)
    except BakeoffError as error:
        raise Failed(Fault.OURS, error.message, error.hint) from error
    return get(connection, number)


def _needs(payload: Mapping[str, Any]) -> list[str]:
    """The engine, a graphics card where one is asked for, and the key that opens a lent one."""
    card = "cuda" if payload["settings"].get("device", "").startswith("cuda") else ""
    return [payload["model"].partition(":")[0], *filter(None, (card, payload.get("lent")))]


def _refs(board: Board) -> list[str]:
    return list(dict.fromkeys(ref for each in board.suites for ref in load_suite(each.suite).asked))


def _longest_answer(ref: str) -> int:
    """Tokens, 0 for likelihoods: a look should not take long."""
    named, variant = load_task(ref)
    task = named.with_variant(variant)
    return task.generation.max_tokens if task.ask == "generate" else 0


def _asked(
    job: Job, refs: Sequence[str], out: Path, steps: Steps, enter: Door, *, limit: int | None
) -> list[Path]:
    """The complete runs of these tasks under `out`: those that are there, those to go on with, and new ones.

    Raises:
        PutBack, LeaseLost: as in `Steps.step`.
        Failed: with whose fault it was.
    """
    watch = _Watching(steps)
    private = job.payload["board"]["policy"]["private"]
    try:
        with enter(job, steps) as model:
            there = {_key(read_manifest(folder)): folder for folder in find_runs(out)}
            missing: list[Asked] = []
            found: list[Path] = []
            for each in planned(refs):
                folder = there.get((each.prepared.task.name, each.prepared.variant))
                if folder is None:
                    missing.append(each)
                elif read_manifest(folder).status == "complete":
                    found.append(folder)
                    watch.complete += read_manifest(folder).counts["total"]
                else:
                    found.append(resume(folder, watch=watch))
            if missing:
                found += run_jobs(
                    missing,
                    model,
                    job.payload["settings"],
                    # From no cache: what was measured again must be measured, and what it took too.
                    settings=Settings(limit=limit, unscored_budget=1.0, cache=False),
                    out=out,
                    watch=watch,
                )
            return found
    except Stopped as stopped:
        if isinstance(stopped.__cause__, PutBack | LeaseLost):
            raise stopped.__cause__ from None
        said = sayable(stopped) if private else (stopped.message, stopped.hint)
        raise Failed(_fault(stopped.__cause__), *said) from stopped
    except BakeoffError as error:
        said = sayable(error) if private else (error.message, error.hint)
        raise Failed(_fault(error), *said) from error


class _Watching:
    """Lets the lease speak between samples, once a second at most."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._runs: list[Progress] = []
        self._looked = 0.0
        self.complete = 0
        """Samples of runs that were complete before."""

    def __call__(self, progress: Progress) -> None:
        progress.each = self._each
        self._runs.append(progress)

    def _each(self) -> None:
        if self._steps.interrupted or time.monotonic() - self._looked > _LOOK_S:
            self._looked = time.monotonic()
            self._steps.step(self.complete + sum(run.done for run in self._runs))


def _end(engine: Engine, steps: Steps, number: int, state: State, reason: str) -> None:
    with writing(engine) as connection:
        check_held(connection, steps.held)
        move(connection, number, state, actor=steps.held.worker, reason=reason)


def _fault(error: BaseException | None) -> Fault:
    match error:
        case NotThereError():
            return Fault.SUBMITTER
        case MachineError():
            return Fault.OURS
        case ModelError():
            cause = error.__cause__
            return Fault.OURS if isinstance(cause, OSError) and cause.errno in _OF_MACHINES else Fault.MODEL
        case _:
            return Fault.OURS  # the store, or the board's own tasks


def _key(manifest: Manifest) -> tuple[str, str]:
    return manifest.task.name, manifest.task.variant


def _model(said: Model, manifest: Manifest) -> Model:
    """What the engine found, beside what only the submitter can say."""
    identity: Mapping[str, Any] = manifest.model.identity
    known = as_found(said, _found(manifest))
    return replace(
        known,
        name=str(identity.get("name") or said.name),
        revision=str(identity.get("revision") or ""),
        engine=str(identity.get("engine") or ""),
        precision=str(identity.get("precision") or ""),
        chat_template=str(identity.get("chat_template") or ""),
        endpoint=str(identity.get("endpoint") or ""),
    )


def _check_same(model: Model, runs: Sequence[Path]) -> None:
    """That those who answered are the model that was looked at: a folder or a server can change meanwhile.

    Raises:
        Failed: they are another.
    """
    for run in runs:
        if _model(model, read_manifest(run)).identity != model.identity:
            raise Failed(
                Fault.SUBMITTER,
                f"{model.name} is not what it was when it was looked at: weights or settings differ",
                "hand it in anew",
            )


def _found(manifest: Manifest) -> Found:
    details: Mapping[str, str] = manifest.model.identity.get("details") or {}
    return found_from(details)
