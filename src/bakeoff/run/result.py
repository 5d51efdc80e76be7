"""One task on one model, from Python."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bakeoff.nouns import Sample
from bakeoff.run.execute import Job, resume_prepared, run_jobs
from bakeoff.run.metrics import Metrics, metrics
from bakeoff.store import Manifest, Settings, Until, read_manifest, read_samples
from bakeoff.task import Task, load_task, prepare


@dataclass(frozen=True, slots=True)
class Result:
    """A finished run, read from its folder: `Result(folder)` opens one made earlier."""

    folder: Path

    @property
    def manifest(self) -> Manifest:
        """What was run, on what, and how it ended."""
        return read_manifest(self.folder)

    @property
    def metrics(self) -> Metrics:
        """The score with its interval, and every count beside it."""
        return metrics(self.folder)

    def samples(self, outcome: str | None = None) -> Iterator[Sample]:
        """The samples in the order of their ids, all or those with one outcome."""
        return read_samples(self.folder, outcome=outcome)


def evaluate(
    task: Task | str,
    model: str,
    *,
    variant: str = "default",
    limit: int | None = None,
    repeats: int = 1,
    seed: int = 0,
    settings: Mapping[str, str] | None = None,
    out: Path | str = "runs",
    cache: bool = True,
    pmi: bool = False,
    determinism: int = 0,
    until_decided: Path | str | None = None,
    margin: float | None = None,
    level: float = 0.95,
    resume: Path | str | None = None,
) -> Result:
    """Put `task` (an object, or a name as on the command line) to `model` and return the run.

    `settings` are the engine's. With `pmi`, every option is also scored without its context, so that the run
    can be rescored by PMI. The first `determinism` items are asked three times more after the run, and what
    changed is in `manifest.determinism`. With `until_decided`, the folder of a run of the same task, items
    are asked in a shuffled order and only until it is known which of the two is better, or with a `margin` in
    (0, 1) that they differ by less; `manifest.decision` says so, and each kind of false decision has
    probability 1 - `level` at most. With `resume`, go on with that run instead: it must be of the same
    task.

    Raises:
        TaskError: the task or its data is wrong.
        ModelError: the model cannot be opened or cannot do what the task asks.
        Stopped: the run ended early; pass its `folder` as `resume` to go on.
    """
    ref, loaded = "", task
    if isinstance(loaded, str):
        ref = loaded
        loaded, named = load_task(loaded)
        if named != "default":
            ref, variant = ref.removesuffix(f":{named}"), named
    prepared = prepare(loaded, variant, seed=seed)
    if resume is not None:
        return Result(resume_prepared(Path(resume), prepared))
    until = None
    if until_decided is not None:
        until = Until(baseline=str(until_decided), level=level, margin=margin)
    folders = run_jobs(
        [Job(prepared, ref)],
        model,
        settings or {},
        settings=Settings(
            seed=seed,
            limit=limit,
            repeats=repeats,
            cache=cache,
            pmi=pmi,
            determinism=determinism,
            until=until,
        ),
        out=Path(out),
    )
    return Result(folders[0])
