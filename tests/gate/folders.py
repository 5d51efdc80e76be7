"""Finished run folders, written without a model."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bakeoff.nouns import Outcome, Response, Sample, Score, Timing, Turn
from bakeoff.run.metrics import counts, measure
from bakeoff.store import (
    FileRecord,
    Journal,
    Manifest,
    ModelRecord,
    Settings,
    TaskRecord,
    Until,
    compact,
    journal_path,
    write_manifest,
)


@dataclass(frozen=True)
class Answer:
    """One sample. `value` None is a model_error."""

    item: str
    value: float | None = 1.0
    repeat: int = 0
    group: str | None = None
    asked: str = ""
    latency: float | None = None
    cost: float | None = None
    cached: bool = False
    metadata: dict = field(default_factory=dict)
    target: tuple[str, ...] = ("1",)


def scores(values: Sequence[float | None], **facts) -> list[Answer]:
    """Answers to q0000 and so on."""
    return [Answer(f"q{i:04}", value, **facts) for i, value in enumerate(values)]


def write_run(
    folder: Path,
    answers: Sequence[Answer],
    *,
    task: str = "sums",
    variant: str = "default",
    digest: str = "sha256:same",
    parts: dict | None = None,
    model: str = "model",
    status: str = "complete",
    n_items: int | None = None,
    repeats: int = 1,
    until: Until | None = None,
    chance: float | None = None,
) -> Path:
    """A run folder with these answers; returns `folder`, whose name is the run's id."""
    folder.mkdir(parents=True)
    with Journal(journal_path(folder)) as journal:
        for answer in answers:
            journal.append(_sample(answer))
    manifest = Manifest(
        run_id=folder.name,
        status=status,
        created="2026-01-01T00:00:00+00:00",
        bakeoff="0",
        task=TaskRecord(
            name=task,
            version=1,
            ref="",
            variant=variant,
            digest=digest,
            parts=parts or {},
            ask="generate",
            scorer="number@1",
            chance=chance,
            n_items=len({answer.item for answer in answers}) if n_items is None else n_items,
        ),
        model=ModelRecord(ref=f"recorded:{model}", identity={"name": model, "details": {"seconds": "3"}}),
        settings=Settings(repeats=repeats, until=until),
    )
    write_manifest(folder, manifest)
    files: dict[str, FileRecord] = {"samples.parquet": compact(folder)}
    files["metrics.json"] = measure(folder, manifest)
    write_manifest(folder, manifest.model_copy(update={"files": files, "counts": counts(folder)}))
    return folder


def _sample(answer: Answer) -> Sample:
    outcome = Outcome.MODEL_ERROR if answer.value is None else Outcome.SCORED
    return Sample(
        item_id=answer.item,
        repeat=answer.repeat,
        group=answer.group,
        choices=(),
        target=answer.target,
        continuations=(),
        shots=(),
        seed=0,
        turns=(Turn("SECRET PROMPT", Response(text="SECRET ANSWER", timing=Timing(answer.latency, None))),),
        score=Score(outcome, answer.value, "1", "because", "number@1"),
        cached=answer.cached,
        cost=answer.cost,
        metadata=answer.metadata,
        item_digest=f"sha256:{answer.asked:0<64}" if answer.asked else "",
    )
