"""`/runs`: the runs on this server, what was measured of each, and their samples."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import Field

from bakeoff.errors import BakeoffError, StoreError
from bakeoff.nouns import Sample
from bakeoff.run import Metrics
from bakeoff.run.index import Listed
from bakeoff.store import Manifest, read_samples
from bakeoff.store.privacy import leaving
from bakeoff.store.selection import SHOWN, Selection, sample_rows
from bakeoff.web.api.request import LARGEST, Limit, Shelf, onward, problems
from bakeoff.web.api.shape import Moment, Part, Shape

if TYPE_CHECKING:
    from bakeoff.web.runs import Runs

router = APIRouter(tags=["runs"])
RunId = Annotated[str, Path(max_length=100, description="The whole id of the run.")]
Status = Literal["running", "complete", "incomplete", "failed"]


class Limits(Shape):
    """An interval of that level, by that method."""

    low: float
    high: float
    level: float
    method: str


class Score(Shape):
    """The mean over `n` items; null where there is nothing to say, and `note` says why."""

    value: float | None
    interval: Limits | None
    n: int
    clusters: int | None
    note: str


class RunCard(Shape):
    """A run in short. `score` is null until the run has ended."""

    id: str
    task: str
    variant: str
    digest: str = Field(description="Of the task as frozen: runs of one digest were asked the same.")
    private: bool = Field(description="Whether the texts of its items and answers stay where they are.")
    model: str
    status: Status
    created: Moment
    samples: int
    score: Score | None
    caveats: list[str] = Field(description="What a reader of the score must be told beside it.")


class RunList(Part):
    """Runs, the newest first."""

    runs: list[RunCard]


class TaskFacts(Shape):
    """What was asked."""

    name: str
    version: int | str
    variant: str
    digest: str
    ask: str
    scorer: str
    n_items: int
    chance: float | None
    private: bool


class ModelFacts(Shape):
    """Who answered, as the engine saw it."""

    name: str
    engine: str
    revision: str
    precision: str
    settings: dict[str, Any]


class Run(RunCard):
    """A run and all that was measured of it; `metrics` are null before the first sample."""

    finished: Moment | None
    bakeoff: str = Field(description="The version that made it.")
    asked: TaskFacts
    answered: ModelFacts
    seed: int
    limit: int | None
    repeats: int
    metrics: Metrics | None


class SampleCard(Shape):
    """A sample in short. Seconds and US dollars; null where not known."""

    item: str
    repeat: int
    outcome: str
    value: float | None
    extracted: str | None
    tokens: int | None
    latency: float | None
    cost: float | None


class Samples(Part):
    """Samples of a run: `matching` of them."""

    run: str
    matching: int
    samples: list[SampleCard]


@router.get("/runs", responses=problems(404))
def runs(
    shelf: Shelf,
    request: Request,
    response: Response,
    q: Annotated[str, Query(max_length=200, description="Words in its task, model or id.")] = "",
    status: Annotated[Status | None, Query(description="Only those.")] = None,
    after: Annotated[str, Query(max_length=100, description="An id: the cursor in `next`.")] = "",
    limit: Limit = 100,
) -> RunList:
    """The runs that lie on this server; those for boards with private answers are not among them."""
    response.headers["cache-control"] = "no-store"
    wanted = q.lower().split()
    found = [
        run
        for run in shelf.index.runs()
        if status in (None, run.status)
        and all(word in f"{run.title} {run.model} {run.id}".lower() for word in wanted)
    ]
    if after:
        last = shelf.index.find(after)
        found = [run for run in found if (run.created, run.id) < (last.created, last.id)]
    return RunList(
        runs=[RunCard.model_validate(run) for run in found[:limit]],
        next=onward(request, {"after": found[limit - 1].id}) if len(found) > limit else None,
    )


@router.get("/runs/{run_id}", responses=problems(404))
def run(shelf: Shelf, run_id: RunId, response: Response) -> Run:
    """A run: what was asked of whom, the score with its interval, and every count beside it."""
    response.headers["cache-control"] = "no-store"
    found = shelf.index.find(run_id)
    manifest = shelf.manifest(found)
    return Run(
        **RunCard.model_validate(found).model_dump(),
        finished=manifest.finished,
        bakeoff=manifest.bakeoff,
        asked=TaskFacts.model_validate(manifest.task),
        answered=_answered(manifest),
        seed=manifest.settings.seed,
        limit=manifest.settings.limit,
        repeats=manifest.settings.repeats,
        metrics=measured(shelf, found),
    )


@router.get("/runs/{run_id}/samples", responses=problems(400, 404))
def samples(
    shelf: Shelf,
    run_id: RunId,
    request: Request,
    response: Response,
    show: Annotated[str, Query(max_length=20, description=f"Only {', '.join(SHOWN)}.")] = "",
    q: Annotated[str, Query(max_length=200, description="A part of the item's id.")] = "",
    sort: Annotated[
        str,
        Query(max_length=20, description="item, outcome, value, tokens, latency or cost; `-` turns it."),
    ] = "item",
    offset: Annotated[int, Query(ge=0, le=LARGEST, description="So many are passed over.")] = 0,
    limit: Limit = 100,
) -> Samples:
    """The samples of a run: how each ended, what was extracted, what it cost."""
    response.headers["cache-control"] = "no-store"
    found = shelf.index.find(run_id)
    chosen = Selection(show, q, sort)
    matching, rows = sample_rows(found.folder, shelf.manifest(found), chosen, limit=limit, offset=offset)
    return Samples(
        run=found.id,
        matching=matching,
        samples=[SampleCard.model_validate(each) for each in rows],
        next=onward(request, {"offset": offset + limit}) if offset + limit < matching else None,
    )


@router.get("/runs/{run_id}/samples/{item:path}", response_model=Sample, responses=problems(404))
def sample(
    shelf: Shelf,
    run_id: RunId,
    item: Annotated[str, Path(min_length=1, max_length=1000, description="The item's whole id.")],
    response: Response,
    repeat: Annotated[int, Query(ge=0, le=10**6, description="Which asking of it, from 0.")] = 0,
) -> Sample:
    """A sample: the prompt as it was sent, what came back, what was extracted from it and why.

    Of a private task texts are withheld; their lengths are told.
    """
    response.headers["cache-control"] = "no-store"
    found = shelf.index.find(run_id)
    mine = read_samples(found.folder, item_id=item)
    for each in leaving(shelf.manifest(found), mine):
        if each.repeat == repeat:
            return each
    raise BakeoffError(f"there is no sample {item!r:.200}, repeat {repeat}, in {found.id}")


def measured(shelf: "Runs", found: Listed) -> Metrics | None:
    """What was measured of a run; None before its first sample."""
    try:
        return shelf.metrics(found)
    except StoreError:
        if found.status == "complete":
            raise
        return None


def _answered(manifest: Manifest) -> ModelFacts:
    """Without what only the machine that ran it knows, such as where files lay."""
    identity = manifest.model.identity
    said = {name: str(identity.get(name) or "") for name in ("name", "engine", "revision", "precision")}
    return ModelFacts(**said, settings=identity.get("settings") or {})
