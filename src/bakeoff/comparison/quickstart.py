"""The first five minutes: a small real model on small generated tasks, each under two prompts."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bakeoff.comparison.comparison import Pair
from bakeoff.comparison.runs import compare
from bakeoff.run import Metrics, Watch, metrics, planned, run_jobs
from bakeoff.store import Settings, read_manifest

FAMILIES = ("arithmetic", "format", "mystery", "extraction")


@dataclass(frozen=True, slots=True)
class Row:
    """One task under its default prompt and under one variant; `pair` is the variant minus the default."""

    task: str
    variant: str
    folders: tuple[Path, Path]
    default: Metrics
    other: Metrics
    pair: Pair
    complete: bool


def quickstart(
    *,
    model: str,
    limit: int | None = None,
    seed: int = 0,
    out: Path = Path("runs"),
    cache: bool = True,
    families: Sequence[str] = FAMILIES,
    level: float = 0.95,
    watch: Watch | None = None,
) -> list[Row]:
    """Run every family under its prompts and compare the prompts on the same items.

    The intervals of the differences hold together: with k differences each has level 1 - (1 - `level`) / k
    (Bonferroni), so that the chance that any verdict is noise stays below 1 - `level`.
    """
    jobs = planned(families, variants=["all"], seed=seed)
    settings = Settings(seed=seed, limit=limit, cache=cache)
    folders = run_jobs(jobs, model, {}, settings=settings, out=out, watch=watch)
    by_task: dict[str, list[tuple[str, Path]]] = {}
    for job, folder in zip(jobs, folders, strict=True):
        by_task.setdefault(job.prepared.task.name, []).append((job.prepared.variant, folder))
    pairs = [
        (task, runs[0][1], variant, folder) for task, runs in by_task.items() for variant, folder in runs[1:]
    ]
    each = 1 - (1 - level) / max(1, len(pairs))
    return [
        Row(
            task=task,
            variant=variant,
            folders=(first, second),
            default=metrics(first),
            other=metrics(second),
            pair=_pair(first, second, each),
            complete=all(read_manifest(folder).status == "complete" for folder in (first, second)),
        )
        for task, first, variant, second in pairs
    ]


def _pair(first: Path, second: Path, level: float) -> Pair:
    found = compare([first, second], baseline=first, level=level, incomplete=True)
    return found.pairs[0]
