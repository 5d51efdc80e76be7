"""One run: what was asked of whom, how it went, and the samples behind it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from bakeoff import charts
from bakeoff.errors import BakeoffError
from bakeoff.nouns import Outcome
from bakeoff.run import Estimate, Metrics
from bakeoff.run.breakdown import Breakdown, Part
from bakeoff.run.index import Listed
from bakeoff.run.remarks import Remark, remarks
from bakeoff.store import Manifest, has_samples
from bakeoff.store.selection import SHOWN, SampleRow, Selection, sample_rows
from bakeoff.web.following import Sight
from bakeoff.web.runs import Runs, expected

SIZE = 100
"""Samples on a page."""
_OTHERS = 50
MEANINGS: Mapping[str, str] = {
    Outcome.SCORED: "an answer was found and judged",
    Outcome.NO_ANSWER: "no answer could be found in the text, or more than one; counts as wrong",
    Outcome.TRUNCATED: "cut off by the token limit before an answer; counts as wrong",
    Outcome.REFUSED: "the model declined; counts as wrong unless the task says otherwise",
    Outcome.EMPTY: "no text came back; counts as wrong",
    Outcome.TOO_LONG: "the prompt does not fit the context; not in the score",
    Outcome.MODEL_ERROR: "the model could not be reached; not in the score",
    Outcome.SCORER_ERROR: "the answer could not be judged; not in the score",
}
_ASKS = {
    "generate": "to write an answer",
    "loglikelihood": "how likely each option is (log-likelihoods)",
    "perplexity": "how likely the text is (perplexity)",
}
Fact = tuple[str, str]
"""What it is, and what there is to say of it; of any origin."""


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    """How many samples ended so; `share` of all, in [0, 1]."""

    outcome: str
    meaning: str
    number: int
    share: float


@dataclass(frozen=True, slots=True)
class SamplesTable:
    """A page of the samples chosen; `found` of them in all, `page` counts from 1."""

    chosen: Selection
    page: int
    pages: int
    found: int
    rows: tuple[SampleRow, ...]
    shown: tuple[str, ...] = SHOWN


@dataclass(frozen=True, slots=True)
class RunPage:
    """A run. `metrics` and `samples` are None where there are no samples yet.

    `others` are runs of the same task as frozen, the newest first; `progress` is that of a run that goes on.
    """

    run: Listed
    manifest: Manifest
    progress: Sight | None
    metrics: Metrics | None
    outcomes: tuple[OutcomeRow, ...]
    task: tuple[Fact, ...]
    model: tuple[Fact, ...]
    remarks: tuple[Remark, ...]
    whisker: Markup
    charts: tuple[Markup, ...]
    samples: SamplesTable | None
    others: tuple[Listed, ...]


def run_page(runs: Runs, run_id: str, chosen: Selection, page: int = 1) -> RunPage:
    """The page's data.

    Raises:
        BakeoffError: there is no such run, or no such page of samples.
    """
    run = runs.index.find(run_id)
    manifest = runs.manifest(run)
    metrics = runs.metrics(run) if has_samples(run.folder) else None
    return RunPage(
        run=run,
        manifest=manifest,
        progress=runs.following(run).look() if run.status == "running" else None,
        metrics=metrics,
        outcomes=() if metrics is None else tuple(_outcomes(metrics.counts)),
        task=tuple(_task(manifest)),
        model=tuple(_model(manifest)),
        remarks=() if metrics is None else tuple(remarks(manifest, metrics)),
        whisker=Markup() if metrics is None else _whisker(metrics.score),
        charts=() if metrics is None else tuple(_charts(runs.breakdowns(run), metrics.score.value)),
        samples=None if metrics is None else _samples(run, manifest, chosen, page),
        others=tuple(other for other in runs.index.of_digest(run.digest) if other.id != run.id)[:_OTHERS],
    )


def _outcomes(counts: Mapping[str, int]) -> Iterator[OutcomeRow]:
    total = counts["total"]
    for outcome in Outcome:
        number = counts[outcome]
        yield OutcomeRow(outcome.value, MEANINGS[outcome], number, number / total if total else 0.0)


def _whisker(score: Estimate) -> Markup:
    return charts.whisker(charts.Scale(0.0, 1.0, ()), score.value, *_ends(score))


def _charts(breakdowns: Sequence[Breakdown], whole: float | None) -> Iterator[Markup]:
    for number, found in enumerate(breakdowns, 1):
        about = found.column.removeprefix("meta.")
        drawn = charts.Forest(
            f"Score by {about}",
            tuple(map(_part, found.parts)),
            of=about,
            reference=whole,
            reference_name="all" if whole is not None else "",
        )
        yield charts.forest(drawn, f"by-{number}")


def _part(part: Part) -> charts.Estimate:
    low, high = _ends(part.score)
    note = ", ".join([f"n = {part.score.n:,}", *_failed(part.counts)])
    return charts.Estimate(part.value, part.score.value, low, high, note=note)


def _ends(score: Estimate) -> tuple[float | None, float | None]:
    return (score.interval.low, score.interval.high) if score.interval else (None, None)


def _failed(counts: Mapping[str, int]) -> Iterator[str]:
    """What became of samples of a part, but for those that were scored."""
    for outcome in Outcome:
        if outcome is not Outcome.SCORED and counts[outcome]:
            yield f"{counts[outcome]:,} {outcome.replace('_', ' ')}"


def _samples(run: Listed, manifest: Manifest, chosen: Selection, page: int) -> SamplesTable:
    if page < 1:
        raise BakeoffError(f"there is no page {page}", "pages count from 1")
    found, rows = sample_rows(run.folder, manifest, chosen, limit=SIZE, offset=(page - 1) * SIZE)
    pages = max(1, -(-found // SIZE))
    if page > pages:
        raise BakeoffError(f"there is no page {page}", f"the last is {pages}")
    return SamplesTable(chosen, page, pages, found, tuple(rows))


def _task(manifest: Manifest) -> Iterator[Fact]:
    task, settings = manifest.task, manifest.settings
    yield "asks", _ASKS.get(task.ask, task.ask)
    yield "scorer", task.scorer
    asked = f"{expected(manifest) // max(1, settings.repeats):,} of {task.n_items:,}"
    yield "items", asked + (f", {settings.repeats} times each" if settings.repeats > 1 else "")
    if shots := task.parts.get("shots", {}).get("n"):
        yield "examples shown", str(shots)
    if task.ask == "generate":
        yield "generation", _listed(task.parts.get("generation", {}))
    if task.chance:
        yield "by chance", f"{100 * task.chance:.1f} %"
    if task.source and not task.private:
        yield "data", _listed(task.source)
    if task.private:
        yield "texts", "private: they stay in the folder of the run"
    yield "seed", str(settings.seed)
    yield "digest", task.digest


def _model(manifest: Manifest) -> Iterator[Fact]:
    identity = manifest.model.identity
    yield "engine", " ".join(str(identity[key]) for key in ("engine", "engine_version") if identity.get(key))
    for key in ("precision", "revision", "endpoint", "chat_template", "tokenizer"):
        if identity.get(key):
            yield key.replace("_", " "), str(identity[key])
    for name in ("settings", "details"):
        if values := identity.get(name):
            yield name, _listed(values)
    yield "made with", f"bakeoff {manifest.bakeoff}"


def _listed(value: Any) -> str:
    """A mapping on one line: `seed 0, n 36`; what is empty is left out."""
    if not isinstance(value, Mapping):
        return str(value)
    return ", ".join(f"{key} {_flat(each)}" for key, each in value.items() if each not in ([], {}, "", None))


def _flat(value: Any) -> str:
    return f"({_listed(value)})" if isinstance(value, Mapping) else str(value)
