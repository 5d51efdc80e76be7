"""The scores of one model on a board, as they are kept with its submission."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bakeoff.board.definition import Board
from bakeoff.errors import BakeoffError
from bakeoff.nouns import Outcome
from bakeoff.run import metrics
from bakeoff.run.suite import ColumnScore, suite_scores
from bakeoff.stats import Interval
from bakeoff.stats.board.combined import combined
from bakeoff.store import read_manifest
from bakeoff.task.suite import load_suite


@dataclass(frozen=True, slots=True)
class Value:
    """A score with its interval over `n` items; None where it is missing, which is never a zero.

    `raw` is the mean before floors were taken off, where there is such a thing.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0
    raw: float | None = None


@dataclass(frozen=True, slots=True)
class Scores:
    """What is known of a model: the board's score, each column's, how answers ended, what they cost.

    `score` and `columns` are normalised as the suites say (0 is their floor); a column's name is
    `suite/column`. `outcomes` are shares of all samples. `runs` are, by task, the run's id and the digest of
    its samples, and `tasks` the digests of what was asked. `incomplete` says why it has no rank, if it has
    none.
    """

    score: Value
    columns: Mapping[str, Value]
    outcomes: Mapping[str, float] = field(default_factory=dict)
    latency_p50: float | None = None
    cost: float | None = None
    runs: Mapping[str, str] = field(default_factory=dict)
    tasks: Mapping[str, str] = field(default_factory=dict)
    incomplete: str = ""
    improved: bool | None = None
    """On a board with private answers: whether the score is this submission's own, or the best before."""

    def as_json(self) -> dict[str, Any]:
        """As JSON, from which `scores_from` makes it again."""
        return asdict(self)


def scores_from(value: Mapping[str, Any]) -> Scores:
    """The scores in the JSON of `as_json`."""
    columns = {name: Value(**each) for name, each in value["columns"].items()}
    return Scores(**(dict(value) | {"score": Value(**value["score"]), "columns": columns}))


def measured(board: Board, folders: Iterable[Path]) -> Scores:
    """The scores of the runs of one model in `folders`. A suite with a task that is missing has no score, and
    then the board has none.

    Raises:
        BakeoffError: the runs are of several models, or none is of the board's suites.
    """
    paths = list(folders)
    columns: dict[str, Value] = {}
    parts: list[tuple[float, Interval | None, float]] = []
    problems: list[str] = []
    total = sum(each.weight for each in board.suites)
    for each in board.suites:
        suite = load_suite(each.suite)
        rows = suite_scores(suite, paths, board.level)
        if len(rows) != 1:
            raise BakeoffError(
                f"runs of {len(rows) or 'no'} models are on the tasks of {suite.name}",
                "a submission is one model, revision and precision, on every task of its board",
            )
        (row,) = rows
        columns |= {f"{suite.name}/{column.name}": _column(column) for column in row.columns}
        problems += [f"{suite.name}: {ref} is missing" for column in row.columns for ref in column.missing]
        if row.value is not None:
            parts.append((row.value, row.interval, each.weight / total))
    problems += _unscored(board, paths)
    whole = not problems and len(parts) == len(board.suites)
    return Scores(
        score=_combined(parts, columns) if whole else Value(None),
        columns=columns,
        outcomes=_outcomes(paths),
        latency_p50=_latency(paths),
        cost=_cost(paths),
        runs={_ref(path): _samples(path) for path in paths},
        tasks={_ref(path): read_manifest(path).task.digest for path in paths},
        incomplete="; ".join(problems),
    )


def _column(column: ColumnScore) -> Value:
    if column.value is None:
        return Value(None)
    raw = [cell.score.value for cell in column.cells if cell.score.value is not None]
    mean = sum(raw) / len(raw) if raw else None
    if column.interval is None:
        return Value(column.value, n=column.n, raw=mean)
    return Value(column.value, column.interval.low, column.interval.high, column.n, mean)


def _combined(parts: list[tuple[float, Interval | None, float]], columns: Mapping[str, Value]) -> Value:
    """The mean; without limits where a suite has none, such as of items that are all about one text."""
    value = sum(value * weight for value, _, weight in parts)
    n = sum(each.n for each in columns.values())
    intervals = [interval for _, interval, _ in parts if interval is not None]
    if len(intervals) < len(parts):
        return Value(value, n=n)
    found = combined([v for v, _, _ in parts], intervals, [w for _, _, w in parts])
    return Value(value, found.low, found.high, n)


def _unscored(board: Board, folders: Iterable[Path]) -> list[str]:
    found = []
    for folder in folders:
        counts = read_manifest(folder).counts
        unscored = sum(counts.get(outcome, 0) for outcome in Outcome if outcome.unscored)
        if counts.get("total", 0) == 0 or unscored / counts["total"] > board.policy.unscored_budget:
            found.append(f"{_ref(folder)}: {unscored:,} of {counts.get('total', 0):,} samples have no score")
    return found


def _outcomes(folders: Iterable[Path]) -> dict[str, float]:
    counts = [read_manifest(folder).counts for folder in folders]
    total = sum(each.get("total", 0) for each in counts)
    if not total:
        return {}
    return {outcome.value: sum(each.get(outcome, 0) for each in counts) / total for outcome in Outcome}


def _latency(folders: Iterable[Path]) -> float | None:
    """The median over tasks of their medians: tasks with long answers must not be all that is seen."""
    found = sorted(value for folder in folders if (value := metrics(folder).latency.p50) is not None)
    return found[len(found) // 2] if found else None


def _cost(folders: Iterable[Path]) -> float | None:
    costs = [metrics(folder).cost for folder in folders]
    return None if any(cost is None for cost in costs) else sum(cost or 0.0 for cost in costs)


def _ref(folder: Path) -> str:
    task = read_manifest(folder).task
    return task.name if task.variant == "default" else f"{task.name}:{task.variant}"


def _samples(folder: Path) -> str:
    manifest = read_manifest(folder)
    return f"{manifest.run_id} {manifest.files['samples.parquet'].digest}"
