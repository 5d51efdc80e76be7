"""Judge the stored answers of a run anew, without asking a model."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from bakeoff.errors import BakeoffError
from bakeoff.nouns import Item, Sample
from bakeoff.run.completed import completed
from bakeoff.run.conduct import together
from bakeoff.run.execute import finish
from bakeoff.run.judging import judged
from bakeoff.run.preflight import preflight
from bakeoff.run.progress import Progress, Watch
from bakeoff.sandbox import SLOTS
from bakeoff.score import ON_SECOND_TURN, Scorer, build_scorer
from bakeoff.store import (
    Journal,
    Manifest,
    journal_path,
    new_run_folder,
    read_manifest,
    read_samples,
    write_manifest,
)
from bakeoff.task import digest_of_parts

__all__ = ["rescore"]

_AT_ONCE = SLOTS + 1
"""Answers in the hands of a scorer that waits for other processes: one for each processor, and the next."""


def rescore(
    folder: Path,
    scorer: str | Mapping[str, Any],
    *,
    out: Path,
    watch: Watch | None = None,
    refused: float | None = None,
) -> Path:
    """Score the answers of the run in `folder` with `scorer` and return the new run's folder.

    The new run names its parent, keeps every answer as it was recorded and has the task digest that the task
    would have had with this scorer.

    Raises:
        TaskError: there is no such scorer.
        BakeoffError: the scorer judges another kind of answer than the run recorded, or by PMI what was
            recorded without the log-likelihoods that PMI needs.
        SandboxError: the scorer runs answers, and there is no sandbox to run them in.
    """
    old = read_manifest(folder)
    judge_by = build_scorer(scorer)
    if judge_by.asks != old.task.ask:
        raise BakeoffError(
            f"the scorer {judge_by.id} judges {judge_by.asks} answers; {folder} holds {old.task.ask} answers",
            "choose another scorer: bakeoff rescore --help lists them",
        )
    if getattr(judge_by, "unconditional", False) and not _has_unconditional(folder):
        raise BakeoffError(
            f"{judge_by.id} needs every option's log-likelihood without its context; {folder} holds none",
            "run the task again with --pmi, or with a scorer of norm pmi, on an engine that can give them",
        )
    return completed(_rescore(folder, old, judge_by, out, watch, refused))


async def _rescore(
    folder: Path, old: Manifest, scorer: Scorer, out: Path, watch: Watch | None, refused: float | None
) -> Path:
    checked = await preflight(
        scorer,
        (_item(scorer, sample) for sample in read_samples(folder) if sample.repeat == 0),
        old.task.name,
        old.counts.get("total", 0) // old.settings.repeats,
        remember=old.settings.cache,
        watch=watch,
    )
    refusal = old.task.refused if refused is None else refused
    parts = dict(old.task.parts) | {"scorer": scorer.id, "refused": refusal}
    target = new_run_folder(out, folder.parent.parent.name, folder.parent.name)
    manifest = old.model_copy(
        update={
            "run_id": target.name,
            "status": "running",
            "parent": old.run_id,
            "files": {},
            "preflight": checked.record,
            "task": old.task.model_copy(
                update={
                    "scorer": scorer.id,
                    "refused": refusal,
                    "parts": parts,
                    "digest": digest_of_parts(parts),
                }
            ),
        }
    )
    write_manifest(target, manifest)
    progress = Progress(f"rescore {old.task.name}", total=old.counts.get("total", 0))
    if watch is not None:
        watch(progress)
    samples = read_samples(folder)
    with Journal(journal_path(target)) as journal:

        async def worker() -> None:
            for sample in samples:
                score = await judged(
                    scorer,
                    _item(scorer, sample),
                    sample.turns[-1].response,
                    refused=refusal,
                    broken=checked.broken.get(sample.item_id, ""),
                )
                if sample.score.reason.startswith(ON_SECOND_TURN):
                    score = replace(score, reason=f"{ON_SECOND_TURN}{score.reason}")
                again = replace(sample, score=score)
                journal.append(again)
                progress.add(again)

        await together(worker, _AT_ONCE if getattr(scorer, "blocking", False) else 1)
    finish(target, manifest)
    return target


def _has_unconditional(folder: Path) -> bool:
    return any(
        option.unconditional is not None
        for sample in read_samples(folder)
        for option in sample.turns[-1].response.options
    )


def _item(scorer: Scorer, sample: Sample) -> Item:
    """What of the item a scorer is given: what the run kept."""
    document = sample.continuations[0] if scorer.asks == "perplexity" else ""
    return Item(sample.item_id, document, sample.choices, sample.target, sample.group, sample.metadata)
