"""A task: what it measures and what not, how it is asked, its items over the runs there are."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path

from markupsafe import Markup

from bakeoff import charts
from bakeoff.comparison.items import ItemLook, ItemsLook, editions, items_look
from bakeoff.errors import BakeoffError, TaskError
from bakeoff.run.index import Listed
from bakeoff.store import Manifest, read_samples
from bakeoff.task import Card, Finding, Task, lint, load_task, prepare
from bakeoff.task.catalog import catalog_by_capability
from bakeoff.task.data import Data
from bakeoff.web.links import Links
from bakeoff.web.reading import Kept
from bakeoff.web.runs import Runs
from bakeoff.web.said import Said, said

SIZE = 100
"""Items on a page."""
_RUNS = 100
_LINTED = 500
"""Items that the linter looks at."""
FLAGS = {
    "": "all items",
    "all right": "right for all",
    "all wrong": "right for none",
    "negative": "harder for strong models",
}
ORDERS = {"hardest": "the hardest first", "easiest": "the easiest first", "oddest": "the oddest first"}
Fact = tuple[str, str]
"""What it is, and what there is to say of it; of any origin."""


@dataclass(frozen=True, slots=True)
class Example:
    """One item as it is sent, with what is right; `source` says where it comes from."""

    item: str
    turns: tuple[tuple[Said, ...], ...]
    continuations: tuple[str, ...]
    target: str
    source: str


@dataclass(frozen=True, slots=True)
class Step:
    """Items whose mean score over the runs lies in one range; `share` of all, in [0, 1]."""

    name: str
    number: int
    share: float


@dataclass(frozen=True, slots=True)
class Items:
    """A page of the items of an edition; `sample_run` is a run in which to read them."""

    look: ItemsLook
    steps: tuple[Step, ...]
    scores: Markup
    flag: str
    order: str
    page: int
    pages: int
    found: int
    rows: tuple[ItemLook, ...]
    sample_run: Listed
    flags: Mapping[str, str]
    orders: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class TaskPage:
    """A task of the catalog, of runs, or of both. `findings` is None where the linter did not look.

    `items` is None where `no_items` says why. `editions` are the runs by the task's digest; that of `edition`
    is shown.
    """

    name: str
    capability: str
    description: str
    about: tuple[str, ...]
    card: tuple[Fact, ...]
    facts: tuple[Fact, ...]
    private: bool
    example: Example | None
    findings: tuple[Finding, ...] | None
    items: Items | None
    no_items: str
    edition: str
    editions: tuple[tuple[Listed, ...], ...]
    runs: tuple[Listed, ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which items are asked for: of an edition (a digest), with a flag, in an order, on a page."""

    edition: str = ""
    flag: str = ""
    order: str = "hardest"
    page: int = 1


def task_page(runs: Runs, name: str, wanted: Wanted, links: Links) -> TaskPage:
    """The page's data. Nothing is ever downloaded for it, and no task file outside the catalog is read.

    Raises:
        BakeoffError: neither the catalog nor a run has such a task; no such edition, flag, order or page.
    """
    known = _in_catalog(name)
    every = tuple(run for run in runs.index.runs() if run.task == name)
    if known is None and not every:
        raise TaskError(f"there is no task {name!r}", "bakeoff task list shows those of the catalog")
    by_edition = editions(every)
    edition = _edition(by_edition, wanted.edition)
    items, no_items = _items(edition, wanted, links)
    # Texts of items come from the catalog, or from a run whose task is open.
    manifest = runs.manifest(edition[0]) if edition else None
    private = any(run.private for run in every)
    made = known.made if known else None
    return TaskPage(
        name=name,
        capability=known.capability if known else "",
        description=known.task.description if known else "",
        about=tuple(" ".join(part.split()) for part in known.task.about.split("\n\n")) if known else (),
        card=tuple(_card(known.task.card)) if known and known.task.card else (),
        facts=tuple(_facts(known.task if known else None, manifest)),
        private=private,
        example=made.example if made else None if private else _recorded(edition),
        findings=made.findings if made else None,
        items=items,
        no_items=no_items,
        edition=edition[0].digest if edition else "",
        editions=by_edition,
        runs=every[:_RUNS],
    )


@dataclass(frozen=True, slots=True)
class _Made:
    """What can be said of a task whose items are made here."""

    example: Example
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class _Known:
    capability: str
    task: Task
    made: _Made | None


@cache
def _capabilities() -> Mapping[str, str]:
    """The capability of each task of the catalog, by name."""
    return {name: capability for capability, group in catalog_by_capability().items() for name in group}


def _in_catalog(name: str) -> _Known | None:
    return _known(name) if name in _capabilities() else None


@cache
def _known(name: str) -> _Known:
    task, _ = load_task(name)
    made_here = not any(map(_elsewhere, (task.data, task.shots.data)))
    return _Known(_capabilities()[name], task, _make(task) if made_here else None)


def _elsewhere(data: Data | None) -> bool:
    return data is not None and data.hub is not None


def _make(task: Task) -> _Made:
    prepared = prepare(task)
    item = next(prepared.items())
    rendered = prepared.render(item)
    target = rendered.item.target
    example = Example(
        item=item.id,
        turns=tuple(tuple(said(turn)) for turn in rendered.turns),
        continuations=rendered.continuations,
        target=rendered.item.choices[target] if isinstance(target, int) else " or ".join(target),
        source="as it is sent, with seed 0",
    )
    return _Made(example, tuple(lint(task, limit=_LINTED)))


def _recorded(edition: Sequence[Listed]) -> Example | None:
    """The first item of the newest run that has one."""
    for run in edition:
        if run.samples:
            sample = next(read_samples(run.folder, limit=1))
            target = sample.target
            return Example(
                item=sample.item_id,
                turns=tuple(tuple(said(turn.input)) for turn in sample.turns),
                continuations=sample.continuations,
                target=sample.choices[target] if isinstance(target, int) else " or ".join(target),
                source=f"as it was sent in the run {run.id}",
            )
    return None


def _card(card: Card) -> Iterator[Fact]:
    for name, value in card.model_dump().items():
        if name == "peers":
            value = tuple(f"{peer}: {there}" for peer, there in card.peers.items())
        if value:
            yield name.replace("_", " "), value if isinstance(value, str) else "\n".join(value)


def _facts(task: Task | None, manifest: Manifest | None) -> Iterator[Fact]:
    record = manifest.task if manifest else None
    ask = task.ask if task else record.ask if record else ""
    yield (
        "asks",
        {"generate": "for an answer", "loglikelihood": "for the likelihood of each option"}.get(ask, ask),
    )
    if record:
        yield "scorer", record.scorer
        yield "items", f"{record.n_items:,}"
        yield "by chance", f"{100 * (record.chance or 0):.1f} %"
    elif task:
        yield "scorer", task.scorer if isinstance(task.scorer, str) else str(task.scorer.get("name"))
    if task:
        if task.shots.n:
            yield "examples shown", str(task.shots.n)
        yield "variants", ", ".join(["default", *task.every_variant])
        yield "data", _source(task.data)


def _source(data: Data) -> str:
    if data.hub:
        of = ", ".join(filter(None, [data.config if isinstance(data.config, str) else "", data.split]))
        return f"{data.hub} ({of}) on the hub"
    if data.generator:
        return f"made by rule, {data.n:,} items from seed {data.seed}"
    return "with the task"


def _edition(every: Sequence[tuple[Listed, ...]], digest: str) -> tuple[Listed, ...]:
    if not digest:
        return every[0] if every else ()
    for edition in every:
        if edition[0].digest_begins(digest):
            return edition
    raise BakeoffError(f"there is no edition {digest!r} of this task", "choose one of those listed")


_looks: Kept[ItemsLook] = Kept(64)


def _items(edition: Sequence[Listed], wanted: Wanted, links: Links) -> tuple[Items | None, str]:
    if wanted.flag not in FLAGS:
        raise BakeoffError(f"there is no flag {wanted.flag!r}", f"there are {', '.join(filter(None, FLAGS))}")
    if wanted.order not in ORDERS:
        raise BakeoffError(f"there is no order {wanted.order!r}", f"there are {', '.join(ORDERS)}")
    if not edition:
        return None, "The task was not run here yet."
    try:
        key = " ".join(chain.from_iterable((run.id, run.version) for run in edition))
        look = _looks.get(key, lambda: items_look(edition))
    except BakeoffError as error:
        return None, f"{error.message[:1].upper()}{error.message[1:]}."
    chosen = [item for item in look.items if _flagged(item, wanted.flag)]
    if wanted.order == "easiest":
        chosen.reverse()
    elif wanted.order == "oddest":
        chosen.sort(key=lambda item: 2.0 if item.item_rest is None else item.item_rest)
    pages = max(1, -(-len(chosen) // SIZE))
    if not 1 <= wanted.page <= pages:
        raise BakeoffError(f"there is no page {wanted.page}", f"the last is {pages}")
    by_folder = {run.folder: run for run in look.runs}
    shown = Items(
        look=look,
        steps=tuple(_steps(look.items)),
        scores=_scores(look, by_folder, links),
        flag=wanted.flag,
        order=wanted.order,
        page=wanted.page,
        pages=pages,
        found=len(chosen),
        rows=tuple(chosen[(wanted.page - 1) * SIZE : wanted.page * SIZE]),
        sample_run=by_folder[look.standings[0].runs[0]],
        flags=FLAGS,
        orders=ORDERS,
    )
    return shown, ""


def _flagged(item: ItemLook, flag: str) -> bool:
    return not flag or any(each.startswith(flag) for each in item.flags)


_ENDS = (
    (0.2, "up to 20 %"),
    (0.4, "up to 40 %"),
    (0.6, "up to 60 %"),
    (0.8, "up to 80 %"),
    (1.0, "above 80 %"),
)


def _steps(items: Sequence[ItemLook]) -> Iterator[Step]:
    """How many items lie in each range of mean scores; none and all are ranges of their own."""
    numbers = dict.fromkeys(["none", *(name for _, name in _ENDS), "all"], 0)
    for item in items:
        if item.mean == 0 or item.mean == 1:
            numbers["all" if item.mean else "none"] += 1
        else:
            numbers[next(name for end, name in _ENDS if item.mean <= end)] += 1
    for name, number in numbers.items():
        yield Step(name, number, number / len(items))


def _scores(look: ItemsLook, by_folder: Mapping[Path, Listed], links: Links) -> Markup:
    rows = tuple(
        charts.Estimate(
            each.label,
            each.score.value,
            each.score.interval.low if each.score.interval else None,
            each.score.interval.high if each.score.interval else None,
            href=links.run(by_folder[each.runs[0]].id),
            note="may be the best" if each.best and len(look.first) > 1 else "",
        )
        for each in look.standings
    )
    chance = look.chance or None
    drawn = charts.Forest(
        "Scores", rows, of="run", reference=chance, reference_name="by chance" if chance else ""
    )
    return charts.forest(drawn, "scores")
