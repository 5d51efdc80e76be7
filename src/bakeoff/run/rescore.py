"""Judge the stored answers of a run anew, without asking a model."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from bakeoff.errors import BakeoffError
from bakeoff.nouns import Item, Sample
from bakeoff.run.execute import finish
from bakeoff.run.progress import Progress
from bakeoff.score import Scorer, build_scorer, judge
from bakeoff.store import (
    Journal,
    journal_path,
    new_run_folder,
    read_manifest,
    read_samples,
    write_manifest,
)
from bakeoff.task import digest_of_parts

__all__ = ["rescore"]


def rescore(
    folder: Path,
    scorer: str | Mapping[str, Any],
    *,
    out: Path,
    watch: Any = None,
    refused: float | None = None,
) -> Path:
    """Score the answers of the run in `folder` with `scorer` and return the new run's folder.

    The new run names its parent, keeps every answer as it was recorded and has the task digest that the task
    would have had with this scorer.

    Raises:
        TaskError: there is no such scorer.
        BakeoffError: the scorer judges another kind of answer than the run recorded, or by PMI what was
            recorded without the log-likelihoods that PMI needs.
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
    refusal = old.task.refused if refused is None else refused
    parts = dict(old.task.parts) | {"scorer": judge_by.id, "refused": refusal}
    target = new_run_folder(out, folder.parent.parent.name, folder.parent.name)
    manifest = old.model_copy(
        update={
            "run_id": target.name,
            "status": "running",
            "parent": old.run_id,
            "files": {},
            "task": old.task.model_copy(
                update={
                    "scorer": judge_by.id,
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
    with Journal(journal_path(target)) as journal:
        for sample in read_samples(folder):
            judged = replace(sample, score=_judged(judge_by, sample, refusal))
            journal.append(judged)
            progress.add(judged)
    finish(target, manifest)
    return target


def _has_unconditional(folder: Path) -> bool:
    return any(
        option.unconditional is not None
        for sample in read_samples(folder)
        for option in sample.turns[-1].response.options
    )


def _judged(scorer: Scorer, sample: Sample, refused: float) -> Any:
    document = sample.continuations[0] if scorer.asks == "perplexity" else ""
    item = Item(sample.item_id, document, sample.choices, sample.target, sample.group, sample.metadata)
    return judge(scorer, item, sample.turns[-1].response, refused=refused)
