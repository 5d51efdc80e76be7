"""A model on a board: what it is, all that was handed in by its name, where it is strong, how it stood."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from markupsafe import Markup

from bakeoff.board.definition import Board
from bakeoff.board.ranking.publishing import Dated
from bakeoff.board.ranking.snapshot import Row
from bakeoff.board.scores import Value
from bakeoff.board.submissions import Submission
from bakeoff.board.table import Column, Table, View, text, written
from bakeoff.board.table.columns import organisation, parameters
from bakeoff.charts import (
    Bar,
    Estimate,
    Forest,
    Series,
    Stacked,
    Timeline,
    Unit,
    forest,
    raw,
    share,
    stacked,
    timeline,
)
from bakeoff.errors import BakeoffError
from bakeoff.web.links import Links
from bakeoff.web.pages.board import KNOWN, margin
from bakeoff.web.pages.past import Past, Standing, State, moments

MOST_COLUMNS = 40
"""So many columns of scores are drawn; a board of hundreds is a table of its own."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One thing that was handed in, or a row that others report: its `row` where it has scores, `submission`
    where it was handed in here.
    """

    key: str
    row: Row | None
    submission: Submission | None
    rank: str
    score: str
    margin: str

    @property
    def state(self) -> str:
        """What became of it, in words."""
        if self.row is not None:
            return "ranked" if self.row.place is not None else self.row.unranked
        return self.submission.state.value if self.submission else ""


@dataclass(frozen=True, slots=True)
class Strength:
    """A column of scores: the model's value in it, its place among so many, and what else is there."""

    column: Column
    value: Value
    place: int
    of: int
    median: float
    least: float
    greatest: float

    @property
    def best(self) -> float:
        """The best value there is."""
        return self.greatest if self.column.descending else self.least


@dataclass(frozen=True, slots=True)
class Ran:
    """The run of a task: `there` says whether it can be looked at here."""

    task: str
    run_id: str
    there: bool


@dataclass(frozen=True, slots=True)
class Stood:
    """A row of the model in one state of the board."""

    state: State
    key: str
    standing: Standing


@dataclass(frozen=True, slots=True)
class ModelPage:
    """What a board knows of the models of one name. `row` is the one that stands highest; `name` is as it was
    handed in.
    """

    board: Board
    state: Dated
    newest: bool
    table: Table
    name: str
    key: str
    row: Row
    attempts: tuple[Attempt, ...]
    strengths: tuple[Strength, ...]
    outcomes: tuple[tuple[str, float, float], ...]
    """How answers ended: the share of the model's, and the mean share on the board."""
    runs: tuple[Ran, ...]
    stood: tuple[Stood, ...]
    relatives: tuple[tuple[str, str], ...]
    """Other rows of the board, and what they are to this one."""
    others: int
    """How many rows of other names its organisation has."""

    @property
    def submission(self) -> Submission | None:
        """What was handed in, of the row that stands highest."""
        return next((each.submission for each in self.attempts if each.key == self.key), None)

    @property
    def first_seen(self) -> str:
        """The day since when it is known: of what others report, that of the first state it stood in, where
        they say no earlier one.
        """
        states = [each.state.made for each in self.stood] if self.row.entrant.provenance == "reported" else []
        return min([self.row.entrant.first_seen, *states])[:10]

    @property
    def known(self) -> str:
        """How its score is known."""
        return KNOWN[self.row.entrant.provenance]

    @property
    def rank(self) -> str:
        """Its range of ranks, or its place."""
        return text(self.table.column("ranks"), self.row)

    @property
    def ranked(self) -> int:
        """How many rows have a rank."""
        return int(self.table.ranked.sum())

    @property
    def tied(self) -> int:
        """How many other rows it cannot be told from."""
        found = int(self.table.told.tied(self.table.place(self.key)).sum())
        return max(0, found - 1)

    @property
    def tied_query(self) -> str:
        """The view of the board that shows those."""
        return View(tied=self.key, at="" if self.newest else self.state.digest[7:23]).query()

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """What it is: words and what is said, without what is not."""
        entrant, handed = self.row.entrant, self.submission.model if self.submission else None
        found = (
            ("Organisation", organisation(self.row)),
            ("Revision", entrant.revision),
            ("Precision", entrant.precision),
            ("Parameters", written(parameters(self.row), "billions")),
            ("Licence", entrant.licence),
            ("Weights", handed.weight_type if handed else ""),
            ("Made from", handed.base if handed else ""),
            ("Engine", handed.engine if handed else ""),
            ("Endpoint", handed.endpoint if handed else ""),
            ("Chat template", handed.chat_template[:19] if handed else ""),
            ("First seen", self.first_seen),
            ("Cost", written(entrant.scores.cost, "dollars")),
            ("Latency", written(entrant.scores.latency_p50, "seconds")),
            ("Items", f"{entrant.scores.score.n:,}" if entrant.scores.score.n else ""),
            (
                "Attempt",
                ""
                if entrant.provenance == "reported"
                else f"{entrant.attempt} of {entrant.attempts} of its organisation",
            ),
            (
                "Supersedes",
                f"submission {self.submission.supersedes}"
                if self.submission and self.submission.supersedes
                else "",
            ),
            ("Said by its submitter alone", handed.stated if handed else ""),
        )
        return tuple((words, said) for words, said in found if said)

    @property
    def several(self) -> bool:
        """Whether several rows have this name."""
        return len({each.key for each in self.stood}) > 1

    @property
    def states(self) -> frozenset[str]:
        """The digests of the states in which it was there."""
        return frozenset(each.state.digest for each in self.stood)

    @property
    def level(self) -> str:
        """The level of intervals: `95 %`."""
        return f"{100 * self.table.snapshot.level:g} %"

    @property
    def one_scale(self) -> bool:
        """Whether all columns are on one scale: other numbers than shares may be of anything."""
        return self.table.snapshot.unit == "share"

    def strengths_chart(self, links: Links) -> Markup:
        """Its scores, column by column, on one scale."""
        rows = tuple(
            Estimate(
                each.column.title if each.column.key != "score" else "Score of the board",
                each.value.value,
                each.value.low,
                each.value.high,
                href=links.column(self.board.name, each.column.key) or None,
                note=f"place {each.place:,} of {each.of:,}, where the middle is {self.unit(each.median)} and "
                f"the best {self.unit(each.best)}",
            )
            for each in self.strengths
        )
        return forest(
            Forest(title="Strengths by task", rows=rows, of="task", value_name="score", unit=self.unit),
            "strengths",
        )

    def outcomes_chart(self) -> Markup:
        """How its answers ended, beside what is usual on the board."""
        names = tuple(name.replace("_", " ") for name, _, _ in self.outcomes)
        return stacked(
            Stacked(
                title="How answers ended",
                parts=names,
                bars=(
                    Bar("This model", tuple(own for _, own, _ in self.outcomes)),
                    Bar("The mean of the board", tuple(usual for _, _, usual in self.outcomes)),
                ),
                of="whose",
                says="Of all that was asked. What was cut off, refused or empty counts as no answer.",
            ),
            "outcomes",
        )

    def history_chart(self) -> Markup:
        """Its score over the states of the board."""
        keys = list(dict.fromkeys(each.key for each in self.stood))[:5]
        series = tuple(
            Series(
                self.row.entrant.model if len(keys) == 1 else key,
                moments((each.state, each.standing) for each in self.stood if each.key == key),
            )
            for key in keys
        )
        return timeline(
            Timeline(title="Score over time", series=series, unit=self.unit), "time", table="states"
        )

    @property
    def unit(self) -> Unit:
        """How scores are written."""
        return share if self.table.snapshot.unit == "share" else raw


def model_page(
    board: Board,
    dates: tuple[Dated, ...],
    state: Dated,
    table: Table,
    past: Past,
    name: str,
    *,
    handed_in: Sequence[Submission] = (),
    here: Callable[[str], bool] = lambda _run: False,
) -> ModelPage:
    """The page's data: `handed_in` is everything on the board, `here` whether a run can be looked at.

    Raises:
        BakeoffError: no row has that name.
    """
    places = [place for place, row in enumerate(table.snapshot.rows) if row.entrant.model == name]
    if not places:
        raise BakeoffError(
            f"there is no model {name!r:.120} on {board.name} as of {state.made[:10]}",
            "search the board for it; what has no scores yet stands in the queue",
        )
    row, key = table.snapshot.rows[places[0]], table.keys[places[0]]
    entrant = row.entrant
    return ModelPage(
        board=board,
        state=state,
        newest=state == dates[0],
        table=table,
        name=name,
        key=key,
        row=row,
        attempts=tuple(_attempts(table, places, [each for each in handed_in if each.model.name == name])),
        strengths=tuple(_strengths(table, row)),
        outcomes=_outcomes(table, row),
        runs=tuple(
            Ran(task, run.partition(" ")[0], here(run.partition(" ")[0]))
            for task, run in sorted(entrant.scores.runs.items())
        ),
        stood=tuple(
            sorted(
                (
                    Stood(past.states[each.state], key, each)
                    for key, standings in past.of_model(name).items()
                    for each in standings
                ),
                key=lambda each: (each.state.made, each.key),
            )
        ),
        relatives=tuple(_relatives(table, row)),
        others=sum(
            each.entrant.organisation == entrant.organisation and each.entrant.model != name
            for each in table.snapshot.rows
        )
        if entrant.organisation
        else 0,
    )


def _attempts(table: Table, places: Sequence[int], handed_in: Sequence[Submission]) -> Iterator[Attempt]:
    by_number = {each.id: each for each in handed_in}
    ranks, score = table.column("ranks"), table.column("score")
    for place in places:
        row = table.snapshot.rows[place]
        measured = row.entrant.provenance != "reported"
        submission = by_number.pop(row.entrant.submission, None) if measured else None
        yield Attempt(
            table.keys[place], row, submission, text(ranks, row), text(score, row), margin(score, row)
        )
    for each in by_number.values():
        yield Attempt(str(each.id), None, each, "", "", "")


def _strengths(table: Table, row: Row) -> Iterator[Strength]:
    for column in [each for each in table.columns if each.score][:MOST_COLUMNS]:
        assert column.score is not None
        value = column.score(row)
        if value.value is None:
            continue
        values = [
            float(found)
            for each in table.snapshot.rows
            if isinstance(found := column.value(each), int | float)
            and (each.place is not None or each is row)
        ]
        better = sum(each > value.value if column.descending else each < value.value for each in values)
        middle = median(values)
        yield Strength(column, value, better + 1, len(values), middle, min(values), max(values))


def _outcomes(table: Table, row: Row) -> tuple[tuple[str, float, float], ...]:
    known = [each.entrant.scores.outcomes for each in table.snapshot.rows if each.entrant.scores.outcomes]
    found = []
    for name, own in row.entrant.scores.outcomes.items():
        usual = fmean(each.get(name, 0.0) for each in known)  # medians would not add up to all
        if own or usual:
            found.append((name, own, usual))
    return tuple(sorted(found, key=lambda each: -each[2]))


def _relatives(table: Table, row: Row) -> Iterator[tuple[str, str]]:
    """Rows of other names with the same weights, by their digests, and what was found to be the same."""
    own = row.entrant
    for each in table.snapshot.rows:
        other = each.entrant
        if other.model == own.model:
            continue
        if own.duplicate_of == other.submission and own.duplicate_of is not None:
            yield other.model, "was handed in first with these weights"
        elif other.duplicate_of == own.submission and other.provenance != "reported":
            yield other.model, "has the same weights, and was handed in later"
        elif own.revision and own.provenance != "reported" and other.revision == own.revision:
            yield other.model, "is of the same revision"
