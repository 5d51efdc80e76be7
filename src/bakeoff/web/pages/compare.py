"""Runs of one task side by side: differences, ranks, and the items that make them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from markupsafe import Markup

from bakeoff import charts
from bakeoff.comparison.align import Aligned, align
from bakeoff.comparison.comparison import Comparison, Pair
from bakeoff.comparison.page_finding import finding
from bakeoff.comparison.page_method import method
from bakeoff.comparison.page_words import apart, best, corrected
from bakeoff.comparison.pairs import Pairs
from bakeoff.comparison.runs import compared
from bakeoff.comparison.spending import spending
from bakeoff.errors import BakeoffError
from bakeoff.run.index import Listed
from bakeoff.stats import Interval
from bakeoff.stats.arrays import FloatArray
from bakeoff.store import read_manifest
from bakeoff.task import differences
from bakeoff.web.links import Links
from bakeoff.web.runs import Runs

MOST = 8
"""Runs that are compared at most."""
SIZE = 100
"""Items on a page."""
_LEVEL = 0.95
SHOWN = {
    "differ": "where these two differ",
    "won": "won by the second",
    "lost": "won by the first",
    "tied": "tied",
    "all": "all",
}
"""Which items are listed, of two runs."""


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An item and the score of each run on it, in the order of the columns."""

    item: str
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Items:
    """A page of the items of two runs, `first` and `second` by id; `counts` by what is shown."""

    first: str
    second: str
    show: str
    page: int
    pages: int
    found: int
    rows: tuple[ItemRow, ...]
    counts: Mapping[str, int]
    kinds: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ComparePage:
    """A comparison. `runs` stand in the order of its standings.

    `against` is the id of the run that the others are compared with, "" for the leader.
    """

    runs: tuple[Listed, ...]
    against: str
    comparison: Comparison
    finding: Markup
    sentences: tuple[Markup, ...]
    method: tuple[Markup, ...]
    scores: Markup
    differences: Markup
    ranks: Markup
    heat_map: Markup
    pairs: tuple[tuple[Listed, Pair], ...]
    reference: Listed
    items: Items

    @property
    def spent(self) -> bool:
        """Whether anything is known of what an answer takes."""
        known = (each.spending for each in self.comparison.standings)
        return any(each and (each.prompt_tokens or each.completion_tokens or each.p50) for each in known)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of the page: runs by id, the one they are compared with, and which items are listed."""

    runs: tuple[str, ...]
    against: str = ""
    first: str = ""
    second: str = ""
    show: str = "differ"
    page: int = 1


def compare_page(runs: Runs, wanted: Wanted, links: Links) -> ComparePage:
    """The page's data.

    Raises:
        BakeoffError: not two to eight runs, runs of several tasks, which share no scored item, or a run, a
            kind of items or a page that is not there.
    """
    listed = _runs(runs, wanted.runs)
    aligned = align([run.folder for run in listed], incomplete=True)
    by_folder = {run.folder: run for run in listed}
    by_label = {each.label: by_folder[each.runs[0]] for each in aligned.candidates}
    found = compared(
        aligned,
        baseline=_label(by_label, wanted.against),
        level=_LEVEL,
        items=0,
        spent={each.label: spending(each, aligned.items, {}, _LEVEL) for each in aligned.candidates},
    )
    order = tuple(by_label[each.label] for each in found.standings)
    return ComparePage(
        runs=order,
        against=wanted.against,
        comparison=found,
        finding=finding(found),
        sentences=tuple(filter(None, (best(found), apart(found), corrected(found)))),
        method=method(found),
        scores=_scores(found, by_label, links),
        differences=_differences(found, by_label, links),
        ranks=_ranks(found, by_label, links),
        heat_map=_heat_map(found, aligned, by_label, links),
        pairs=tuple((by_label[pair.second], pair) for pair in found.pairs),
        reference=by_label[found.pairs[0].first],
        items=_items(aligned, order, by_label, found, wanted),
    )


def _runs(runs: Runs, ids: Sequence[str]) -> tuple[Listed, ...]:
    listed = tuple(runs.sampled(run_id) for run_id in dict.fromkeys(ids))
    if not 2 <= len(listed) <= MOST:
        raise BakeoffError(
            f"a comparison needs two to {MOST} runs, got {len(listed) or 'none'}",
            "choose them in the list of runs",
        )
    first = listed[0]
    for other in listed[1:]:
        if other.digest != first.digest:
            raise BakeoffError(
                f"the runs {first.id} and {other.id} are of tasks that differ: {_difference(first, other)}",
                "compare runs of one task; bakeoff compare --across compares them all the same",
            )
    return listed


def _difference(first: Listed, second: Listed) -> str:
    names = [f"name: {first.title} → {second.title}"] if first.title != second.title else []
    parts = differences(read_manifest(first.folder).task.parts, read_manifest(second.folder).task.parts)
    if first.private or second.private:
        parts = [part.partition(":")[0] for part in parts]
    return "; ".join(names + parts) or "digest"


def _label(by_label: Mapping[str, Listed], run_id: str) -> str | None:
    if not run_id:
        return None
    found = [label for label, run in by_label.items() if run.id == run_id]
    if not found:
        raise BakeoffError(f"there is no run {run_id!r} among those compared", "choose one of them")
    return found[0]


def _ends(interval: Interval | None) -> tuple[float | None, float | None]:
    return (interval.low, interval.high) if interval else (None, None)


def _scores(found: Comparison, by_label: Mapping[str, Listed], links: Links) -> Markup:
    rows = tuple(
        charts.Estimate(
            each.label, each.score.value, *_ends(each.score.interval), links.run(by_label[each.label].id)
        )
        for each in found.standings
    )
    chance = found.chance or None
    says = f"Each with its own {100 * found.level:g} % interval, on the {found.n:,} items that all have."
    drawn = charts.Forest(
        "Scores", rows, of="run", says=says, reference=chance, reference_name="by chance" if chance else ""
    )
    return charts.forest(drawn, "scores")


def _differences(found: Comparison, by_label: Mapping[str, Listed], links: Links) -> Markup:
    rows = tuple(
        charts.Estimate(
            pair.second, pair.difference, *_ends(pair.interval), links.run(by_label[pair.second].id)
        )
        for pair in found.pairs
    )
    drawn = charts.Forest(
        f"Differences from {found.pairs[0].first}",
        rows,
        of="run",
        value_name="difference",
        unit=charts.points,
        says="Paired item by item: an interval that leaves out 0 is a difference that is more than noise.",
        reference=0.0,
        sides=("worse", "better"),
    )
    return charts.forest(drawn, "differences")


def _ranks(found: Comparison, by_label: Mapping[str, Listed], links: Links) -> Markup:
    if len(found.standings) < 3:
        return Markup()
    rows = tuple(
        charts.Ranked(
            each.label,
            each.ranks[0] if each.ranks else None,
            each.ranks[1] if each.ranks else None,
            links.run(by_label[each.label].id),
        )
        for each in found.standings
    )
    says = f"At {100 * found.level:g} % confidence all true ranks lie within their bars, all at once."
    return charts.rank_ranges(charts.RankRanges("Ranks", rows, of="run", says=says), "ranks")


def _heat_map(found: Comparison, aligned: Aligned, by_label: Mapping[str, Listed], links: Links) -> Markup:
    if len(found.standings) < 3:
        return Markup()
    labels = tuple(candidate.label for candidate in aligned.candidates)
    pairs = Pairs(labels, aligned.means, aligned.clusters, None, found.level, found.seed)
    place = [labels.index(each.label) for each in found.standings]
    # Two that cannot be told apart stand together in one group or more.
    tied = {frozenset(two) for group in found.groups for two in combinations(group, 2)}
    cells = {}
    for row, column in combinations(range(len(place)), 2):
        one, other = labels[place[row]], labels[place[column]]
        interval = pairs.interval(place[column], place[row], found.level)
        cells[row, column] = charts.Difference(
            float(pairs.differences(place[column], place[row]).mean()),
            *_ends(interval),
            apart=bool(found.groups) and frozenset((one, other)) not in tied,
            href=links.compare(by_label[other].id, by_label[one].id),
        )
    names = tuple(charts.Link(each.label, links.run(by_label[each.label].id)) for each in found.standings)
    says = "The row's score less the column's, in points. Those in plain type cannot be told apart."
    return charts.heat_map(charts.HeatMap("Every two", names, cells, of="run", says=says), "every-two")


def _items(
    aligned: Aligned,
    order: Sequence[Listed],
    by_label: Mapping[str, Listed],
    found: Comparison,
    wanted: Wanted,
) -> Items:
    place = {by_label[candidate.label].id: number for number, candidate in enumerate(aligned.candidates)}
    pair = found.pairs[0]
    first, second = wanted.first or by_label[pair.first].id, wanted.second or by_label[pair.second].id
    for each in (first, second):
        if each not in place:
            raise BakeoffError(f"there is no run {each!r} among those compared", "choose one of them")
    if wanted.show not in SHOWN:
        raise BakeoffError(f"there is no kind of items {wanted.show!r}", f"there are {', '.join(SHOWN)}")
    kinds = dict(_kinds(aligned.means[place[second]] - aligned.means[place[first]]))
    chosen = kinds[wanted.show]
    pages = max(1, -(-len(chosen) // SIZE))
    if not 1 <= wanted.page <= pages:
        raise BakeoffError(f"there is no page {wanted.page}", f"the last is {pages}")
    columns = [place[run.id] for run in order]
    rows = tuple(
        ItemRow(aligned.items[number], tuple(aligned.means[columns, number].tolist()))
        for number in chosen[(wanted.page - 1) * SIZE : wanted.page * SIZE]
    )
    counts = {kind: len(numbers) for kind, numbers in kinds.items()}
    return Items(first, second, wanted.show, wanted.page, pages, len(chosen), rows, counts, SHOWN)


def _kinds(difference: FloatArray) -> Iterator[tuple[str, Sequence[int]]]:
    """Items by number: of those that differ, the ones that differ most come first."""
    steps = np.where(np.abs(difference) < 1e-12, 0.0, difference)
    far = np.argsort(-np.abs(steps), kind="stable")
    yield "differ", far[steps[far] != 0].tolist()
    yield "won", far[steps[far] > 0].tolist()
    yield "lost", far[steps[far] < 0].tolist()
    yield "tied", np.flatnonzero(steps == 0).tolist()
    yield "all", list(range(len(steps)))
