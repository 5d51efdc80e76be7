"""A run as retrieval and generation: apart, together, and what it does where there is no answer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bakeoff.errors import BakeoffError
from bakeoff.rag.answers import Answer, Answers, read_answers
from bakeoff.rag.behaviour import Behaviour, behaviours
from bakeoff.rag.floor import floor_measures
from bakeoff.rag.judged import judged_measures
from bakeoff.rag.measure import Measure, Without, measure
from bakeoff.rag.retrieved import Together, retrieval_measures, together
from bakeoff.run.metrics import Latency, metrics
from bakeoff.store import Manifest, caveats, read_manifest

if TYPE_CHECKING:
    from bakeoff.rag.nli import Entailment


@dataclass(frozen=True, slots=True)
class Report:
    """All that is measured of one run, over the first answer to each of its `items`.

    `latency` and `cost` (US dollars, None without prices) are of all answers. `notes` say what a reader must
    know.
    """

    run: str
    task: str
    model: str
    level: float
    items: int
    measures: tuple[Measure, ...]
    behaviours: tuple[Behaviour, ...]
    together: Together | None
    latency: Latency
    cost: float | None
    notes: tuple[str, ...]


def rag_report(
    folder: Path,
    judged: Sequence[Path] = (),
    *,
    out: Path = Path("runs"),
    nli: str | None = None,
    level: float = 0.95,
) -> Report:
    """Measure a run that answers from passages, with what judges said of it in `judged` runs.

    `nli` is a model of entailment, a folder or a name on the hub. The judges' own runs are looked for in
    `out`.

    Raises:
        BakeoffError: the run has no written answers, a judged run is none or of other answers, or level
            outside (0, 1).
        ModelError: the model of entailment cannot be loaded.
        StoreError: a run cannot be read.
    """
    if not 0 < level < 1:
        raise BakeoffError(f"--level must lie between 0 and 1, got {level:g}", "95 % is 0.95")
    manifest = read_manifest(folder)
    if manifest.task.ask != "generate":
        raise BakeoffError(
            f"{folder} holds log-likelihoods and no written answers", "ask the task with `ask: generate`"
        )
    read = read_answers(folder)
    if not read.answers:
        raise BakeoffError(f"{folder} has no answers yet", "bakeoff run --resume goes on with it")
    answers, measured = read.answers, metrics(folder, level=level)
    found = [
        *retrieval_measures(answers, level),
        *floor_measures(answers, _entailment(nli), level),
        *(each for one in judged for each in judged_measures(one, answers, out, level)),
        measure("together", manifest.task.scorer, "the run's scorer", answers, _own, level=level),
    ]
    order = ("retrieval", "generation", "together")
    return Report(
        run=str(folder),
        task=manifest.task.name,
        model=str(manifest.model.identity.get("name", manifest.model.ref)),
        level=level,
        items=len(answers),
        measures=tuple(sorted(found, key=lambda each: order.index(each.part))),
        behaviours=behaviours(answers, level),
        together=together(answers, level),
        latency=measured.latency,
        cost=measured.cost,
        notes=tuple(_notes(manifest, read, judged)),
    )


def _entailment(nli: str | None) -> "Entailment | None":
    if nli is None:
        return None
    from bakeoff.rag.nli import open_entailment

    return open_entailment(nli)


def _own(answer: Answer) -> float | Without:
    return "failed" if answer.value is None else answer.value


def _notes(manifest: Manifest, read: Answers, judged: Sequence[Path]) -> Iterator[str]:
    yield from caveats(manifest)
    if manifest.status != "complete":
        yield f"the run is {manifest.status}"
    if read.repeats > 1:
        yield f"of {read.repeats} answers to each item the first counts"
    if not any(each.gains for each in read.answers):
        yield "no item says which passages are needed (metadata.relevant): retrieval has no gold measures"
    elif not any(each.ranking is not None for each in read.answers):
        yield "the answers name no passages: a pipeline that reports them is measured as a retriever too"
    if not any(each.answerable is False for each in read.answers):
        yield (
            "no item is marked metadata.answerable: false, so nothing shows what the system does where there "
            "is no answer"
        )
    if not judged:
        yield "no judged run was named (--judged): groundedness is by the words alone"
