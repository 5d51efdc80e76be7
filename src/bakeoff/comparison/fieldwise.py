"""Two runs of the scorer `fields` side by side, field by field: constrained against free, say."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from bakeoff.comparison.align import cluster_names
from bakeoff.comparison.candidates import lineup
from bakeoff.comparison.comparison import Pair
from bakeoff.comparison.pairs import Pairs, pair, pair_tests
from bakeoff.errors import BakeoffError
from bakeoff.run.fieldwise import (
    EXPECTED,
    GIVEN,
    UNASKED,
    FieldAnswer,
    Form,
    field_answers,
    forms,
    is_as_given,
    is_exact,
)
from bakeoff.stats import Interval
from bakeoff.stats.many.multiplicity import holm
from bakeoff.stats.pair.ratios import ratio_difference


@dataclass(frozen=True, slots=True)
class ShareDifference:
    """A share of values in both runs, and the second minus the first with its interval over items.

    A share is None where the run has no such value; `interval` is None where it cannot be estimated.
    """

    first: float | None
    second: float | None
    difference: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Row:
    """What holds of an item's answer or not: the share of items in both runs, paired.

    `pair.adjusted_p` is corrected by Holm for all rows of the comparison. Of a field, what may hold is that
    all of its values are right, or rightly left out; other rows have no `precision` and `recall`.
    """

    name: str
    first: float
    second: float
    pair: Pair
    precision: ShareDifference | None = None
    recall: ShareDifference | None = None


@dataclass(frozen=True, slots=True)
class FieldComparison:
    """The second run against the first, on the `n` items for which both have an answer with a score.

    `answers` are rows on whole answers: "one JSON object"; "as it stands" (the object and nothing else, and
    valid where there is a schema); "valid", where a run has a schema; "every field right". `fields` has a row
    for each field that was asked for. `precision` and `recall` are those of all values. `forms` are each
    run's answers by how they became an object. `left_out` counts items by reason.
    """

    task: str
    first: str
    second: str
    n: int
    clusters: int | None
    level: float
    answers: tuple[Row, ...]
    fields: tuple[Row, ...]
    precision: ShareDifference
    recall: ShareDifference
    forms: tuple[Mapping[Form, int], Mapping[Form, int]]
    left_out: Mapping[str, int]
    notes: tuple[str, ...]


def compare_fields(
    first: Path, second: Path, *, level: float = 0.95, across: bool = False, incomplete: bool = False
) -> FieldComparison:
    """Compare two runs field by field. Items meet by id, and only where both runs asked the same.

    Raises:
        BakeoffError: the runs may not be compared (see `lineup`), one of them was judged by another scorer,
            they share no item with a score, or level is outside (0, 1).
        StoreError: a folder is no run, or cannot be read.
    """
    if not 0 < level < 1:
        raise BakeoffError(f"--level must lie between 0 and 1, got {level}", "95 % is --level 0.95")
    found = lineup([first, second], across=across, incomplete=incomplete)
    labels = {run: each.label for each in found.candidates for run in each.runs}
    read = field_answers([first, second])
    items, left_out = _shared(*read.runs)
    if not items:
        reasons = "; ".join(f"{reason}: {number:,}" for reason, number in left_out.items())
        raise BakeoffError(f"the runs share no item with a score ({reasons})", "compare runs of one task")
    answers = _about_answers(items)
    fields: dict[str, _Holds] = {
        name: partial(is_exact, name=name) for name in read.names if name != UNASKED and _occurs(items, name)
    }
    tables = [
        _table(items, holds, (labels[first], labels[second]), level)
        for holds in (*answers.values(), *fields.values())
    ]
    rows = _rows([*answers, *fields], tables)
    return FieldComparison(
        task=found.task,
        first=labels[first],
        second=labels[second],
        n=len(items),
        clusters=None if tables[0].clusters is None else len(set(tables[0].clusters)),
        level=level,
        answers=tuple(rows[: len(answers)]),
        fields=tuple(
            replace(
                row,
                precision=_share(items, row.name, GIVEN, level),
                recall=_share(items, row.name, EXPECTED, level),
            )
            for row in rows[len(answers) :]
        ),
        precision=_share(items, None, GIVEN, level),
        recall=_share(items, None, EXPECTED, level),
        forms=(_forms(items, 0), _forms(items, 1)),
        left_out=left_out,
        notes=found.notes,
    )


_Both = tuple[Sequence[FieldAnswer], Sequence[FieldAnswer]]
"""The answers to one item in the first run and in the second, one for each repeat."""
_Holds = Callable[[FieldAnswer], bool | None]


def _shared(
    first: Sequence[FieldAnswer], second: Sequence[FieldAnswer]
) -> tuple[list[_Both], Mapping[str, int]]:
    by_item: list[dict[str, list[FieldAnswer]]] = []
    for run in (first, second):
        grouped = defaultdict[str, list[FieldAnswer]](list)
        for answer in run:
            grouped[answer.item].append(answer)
        by_item.append(grouped)
    items: list[_Both] = []
    left_out = Counter[str]()
    for item in sorted(set(by_item[0]) | set(by_item[1])):
        if item not in by_item[0] or item not in by_item[1]:
            left_out["without a score in one of the runs"] += 1
        elif by_item[0][item][0].digest != by_item[1][item][0].digest:
            left_out["same id, other content"] += 1
        else:
            items.append((by_item[0][item], by_item[1][item]))
    return items, dict(left_out)


def _about_answers(items: Sequence[_Both]) -> dict[str, _Holds]:
    schemas = any(each.valid is not None for both in items for run in both for each in run)
    valid: dict[str, _Holds] = {"valid": lambda answer: answer.valid is True} if schemas else {}
    return {
        "one JSON object": lambda answer: answer.form != "broken",
        "as it stands": is_as_given,
        **valid,
        "every field right": lambda answer: is_exact(answer, None),
    }


def _occurs(items: Sequence[_Both], name: str) -> bool:
    return any(is_exact(answer, name) is not None for both in items for run in both for answer in run)


def _table(items: Sequence[_Both], holds: _Holds, labels: tuple[str, str], level: float) -> Pairs:
    """The share of each item's repeats for which it holds, of the items that have the field in either run."""
    kept = [both for both in items if any(holds(answer) is not None for run in both for answer in run)]
    means = [[_mean(run, holds) for run in both] for both in kept]
    groups = [both[0][0].group for both in kept]
    clusters = None if all(group is None for group in groups) else _clusters(kept)
    return Pairs(labels, np.array(means, dtype=np.float64).T, clusters, None, level, seed=0)


def _mean(run: Sequence[FieldAnswer], holds: _Holds) -> float:
    # Where the other run alone has the field, this one is right to leave it out, if it answered at all.
    found = [answer.form != "broken" if (held := holds(answer)) is None else held for answer in run]
    return sum(found) / len(found)


def _clusters(items: Sequence[_Both]) -> tuple[str, ...]:
    return cluster_names([both[0][0].item for both in items], [both[0][0].group for both in items])


def _rows(names: Sequence[str], tables: Sequence[Pairs]) -> list[Row]:
    """Paired, tested, and corrected for one another."""
    tests = [pair_tests(table)[0, 1] for table in tables]
    known = [test.p for test in tests if test.p is not None]
    corrected = iter(holm(known) if known else [])
    family = len(tables)
    rows = []
    for name, table, test in zip(names, tables, tests, strict=True):
        p = None if test.p is None else next(corrected)
        first, second = table.means.mean(axis=1).tolist()
        rows.append(Row(name, first, second, pair(table, 0, 1, test, p, family=family, margin=None)))
    return rows


def _share(items: Sequence[_Both], name: str | None, among: frozenset[str], level: float) -> ShareDifference:
    """Right values of those with a verdict `among`; of all fields where `name` is None."""
    first, second = ([_counted(both[n], name, among) for both in items] for n in (0, 1))
    (y1, x1), (y2, x2) = (tuple(zip(*run, strict=True)) for run in (first, second))
    if not sum(x1) or not sum(x2):
        return ShareDifference(_ratio(y1, x1), _ratio(y2, x2), None, None)
    interval = ratio_difference((y1, x1), (y2, x2), _clusters(items), level)
    shares = sum(y1) / sum(x1), sum(y2) / sum(x2)
    return ShareDifference(*shares, shares[1] - shares[0], interval)


def _ratio(numerators: Sequence[float], denominators: Sequence[float]) -> float | None:
    total = sum(denominators)
    return sum(numerators) / total if total else None


def _counted(run: Sequence[FieldAnswer], name: str | None, among: frozenset[str]) -> tuple[float, float]:
    """Right values, and those with a verdict `among`, for each repeat of an item."""
    verdicts = [v for each in run for field, v in each.judged if name is None or field == name]
    return verdicts.count("right") / len(run), sum(v in among for v in verdicts) / len(run)


def _forms(items: Sequence[_Both], run: int) -> Mapping[Form, int]:
    return forms([answer for both in items for answer in both[run]])
