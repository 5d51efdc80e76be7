"""What workers do for a board: look at a model, then ask it all there is to ask.

Both are jobs of the queue. What is done lies in run folders under a place that all workers reach, one for
each submission; a worker that takes a job over goes on with the runs it finds there.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine

from bakeoff.board.definition import Board
from bakeoff.board.eligible import obstacles
from bakeoff.board.life import State
from bakeoff.board.releasing import released
from bakeoff.board.scores import measured
from bakeoff.board.submissions import Model, Submission, check_rule, get, identify, move, score
from bakeoff.board.votes import tally
from bakeoff.database import reading, writing
from bakeoff.errors import BakeoffError, ModelError, TaskError
from bakeoff.jobs import Failed, Fault, Job, LeaseLost, PutBack, Steps, add, check_held
from bakeoff.run import Job as Asked
from bakeoff.run import Progress, Stopped, planned, resume, run_jobs
from bakeoff.store import Manifest, Settings, find_runs, read_manifest
from bakeoff.task.suite import load_suite

VALIDATE, EVALUATE = "validate", "evaluate"
DRY_RUN = 5
"""Items of the board's first task that a model must answer before it is queued."""
_LOOK_S = 1.0


def enqueue(
    connection: Connection,
    board: Board,
    submission: Submission,
    *,
    model: str,
    settings: Mapping[str, str],
    actor: str,
    priority: int = 0,
) -> int:
    """Begin the way of a draft: have a worker look at `model`, a model reference. Returns the job's id."""
    payload = {
        "submission": submission.id,
        "board": board.model_dump(mode="json"),
        "model": model,
        "settings": dict(settings),
        "priority": priority,
    }
    move(connection, submission.id, State.VALIDATING, actor=actor)
    engine = model.partition(":")[0]
    made = add(
        connection,
        VALIDATE,
        payload,
        owner=submission.organisation,
        # A look is short, and tells a submitter soon what is wrong.
        priority=priority + 1,
        needs=[engine],
        key=f"validate submission {submission.id}",
    )
    tally(connection, submission.id)
    return made


def handler(engine: Engine, out: Path) -> Callable[[Job, Steps], None]:
    """What a worker does with the jobs of boards; runs go under `out`."""

    def handle(job: Job, steps: Steps) -> None:
        match job.kind:
            case "validate":
                _validate(engine, job, steps, out)
            case "evaluate":
                _evaluate(engine, job, steps, out)
            case kind:
                raise Failed(Fault.OURS, f"this worker does not know jobs of the kind {kind}")

    return handle


def _validate(engine: Engine, job: Job, steps: Steps, out: Path) -> None:
    board, number = Board(**job.payload["board"]), job.payload["submission"]
    first = load_suite(board.suites[0].suite).asked[:1]
    with reading(engine) as connection:
        found = get(connection, number)
    if found.state is not State.VALIDATING:
        return  # it was withdrawn, or another has looked already
    folder = out / f"submission-{number}" / "dry-run"
    try:
        runs = _asked(job, first, folder, steps, limit=DRY_RUN)
        manifest = read_manifest(runs[0])
        seen = _model(found.model, manifest)
        failed = [f"{manifest.counts.get('model_error', 0)} of {DRY_RUN} answers failed"]
        problems = list(obstacles(board.eligibility, seen, found.way))
        problems += failed if manifest.counts.get("model_error") else []
    except Failed as error:
        if error.fault is Fault.OURS:
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
        add(
            connection,
            EVALUATE,
            job.payload,
            owner=found.organisation,
            priority=job.payload["priority"],
            needs=[job.payload["model"].partition(":")[0]],
            key=f"evaluate submission {number}",
        )
        tally(connection, number)


def _evaluate(engine: Engine, job: Job, steps: Steps, out: Path) -> None:
    board, number = Board(**job.payload["board"]), job.payload["submission"]
    with writing(engine) as connection:
        check_held(connection, steps.held)
        state = _registered(connection, board, number)
        if state in (State.QUEUED, State.PREEMPTED):
            move(connection, number, State.RUNNING, actor=steps.held.worker)
        elif state is not State.RUNNING:
            return  # withdrawn, or done by another whose lease had run out
    refs = list(dict.fromkeys(ref for each in board.suites for ref in load_suite(each.suite).asked))
    try:
        runs = _asked(job, refs, out / f"submission-{number}", steps, limit=board.limit)
        scores = measured(board, runs)
    except PutBack as why:
        with writing(engine) as connection:
            check_held(connection, steps.held)
            move(connection, number, State.PREEMPTED, actor=steps.held.worker, reason=why.message)
        raise
    except Failed as error:
        if error.fault is Fault.OURS and job.attempts < job.max_attempts:
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


def _registered(connection: Connection, board: Board, number: int) -> State:
    """Where a submission stands, once it is sure that this worker's suites and tasks are the board's."""
    try:
        check_rule(connection, board)
    except BakeoffError as error:
        raise Failed(Fault.OURS, error.message, error.hint) from error
    return get(connection, number).state


def _asked(job: Job, refs: Sequence[str], out: Path, steps: Steps, *, limit: int | None) -> list[Path]:
    """The complete runs of these tasks under `out`: those that are there, those to go on with, and new ones.

    Raises:
        PutBack, LeaseLost: as in `Steps.step`.
        Failed: with whose fault it was.
    """
    watch = _Watching(steps)
    try:
        jobs = planned(refs)
        there = {_key(read_manifest(folder)): folder for folder in find_runs(out)}
        missing: list[Asked] = []
        found: list[Path] = []
        for each in jobs:
            folder = there.get((each.prepared.task.name, each.prepared.variant))
            if folder is None:
                missing.append(each)
            elif read_manifest(folder).status == "complete":
                found.append(folder)
            else:
                found.append(resume(folder, watch=watch))
        if missing:
            found += run_jobs(
                missing,
                job.payload["model"],
                job.payload["settings"],
                settings=Settings(limit=limit, unscored_budget=1.0),
                out=out,
                watch=watch,
            )
        return found
    except Stopped as stopped:
        if isinstance(stopped.__cause__, PutBack | LeaseLost):
            raise stopped.__cause__ from None
        raise Failed(_fault(stopped.__cause__), stopped.message, stopped.hint) from stopped
    except BakeoffError as error:
        raise Failed(_fault(error), error.message, error.hint) from error


class _Watching:
    """Lets the lease speak between samples, once a second at most."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._done = 0
        self._looked = 0.0

    def __call__(self, progress: Progress) -> None:
        progress.each = self._each

    def _each(self) -> None:
        self._done += 1
        if self._steps.interrupted or time.monotonic() - self._looked > _LOOK_S:
            self._looked = time.monotonic()
            self._steps.step(self._done)


def _end(engine: Engine, steps: Steps, number: int, state: State, reason: str) -> None:
    with writing(engine) as connection:
        check_held(connection, steps.held)
        move(connection, number, state, actor=steps.held.worker, reason=reason)


def _fault(error: BaseException | None) -> Fault:
    if isinstance(error, TaskError):
        return Fault.OURS  # the board's own tasks
    return Fault.MODEL if isinstance(error, ModelError) else Fault.OURS


def _key(manifest: Manifest) -> tuple[str, str]:
    return manifest.task.name, manifest.task.variant


def _model(said: Model, manifest: Manifest) -> Model:
    """What the engine found, beside what only the submitter can say."""
    identity: Mapping[str, Any] = manifest.model.identity
    return Model(
        name=str(identity.get("name") or said.name),
        revision=str(identity.get("revision") or ""),
        engine=str(identity.get("engine") or ""),
        precision=str(identity.get("precision") or ""),
        weight_type=said.weight_type,
        chat_template=str(identity.get("chat_template") or ""),
        base=said.base,
        licence=said.licence,
        parameters=said.parameters,
        endpoint=str(identity.get("endpoint") or ""),
    )
