"""The columns in which a snapshot can be shown."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from math import isnan
from typing import Literal

from bakeoff.board.ranking.snapshot import Row, Snapshot
from bakeoff.board.reported.importing import LOWER
from bakeoff.board.scores import Value

Cell = str | float | int | None
Kind = Literal["text", "ranks", "number", "share", "raw", "date", "dollars", "seconds", "billions"]
Reader = Callable[[Row], Cell]


@dataclass(frozen=True, slots=True)
class Column:
    """One thing that is said of every row.

    `key` names it in addresses and on the command line; the columns of suites are `score.<their name>`.
    `title` is short, `name` the whole name. `value` is what it is sorted by, None where it is missing, which
    is never a zero. `descending` says that the greatest come first unless one asks for the other way.
    `cells` are what a download holds of it, by name: a score is three numbers there. `limits` are those of a
    score's interval.
    """

    key: str
    title: str
    kind: Kind
    tip: str
    value: Reader
    cells: tuple[tuple[str, Reader], ...]
    descending: bool = False
    name: str = ""
    score: Callable[[Row], Value] | None = field(default=None, repr=False)

    def limits(self, row: Row) -> tuple[float, float] | None:
        """The interval of a score; None where there is none, or the column holds something else."""
        value = self.score(row) if self.score else None
        if value is None or value.low is None or value.high is None:
            return None
        return value.low, value.high


def columns_of(snapshot: Snapshot) -> tuple[Column, ...]:
    """Every column that a snapshot can have, in the order in which they are offered. Some may say nothing of
    any row.
    """
    return (*_standing(), *_scores(snapshot), *_facts(), *_outcomes(snapshot))


def organisation(row: Row) -> str:
    """Who handed it in; where that is not said, the first part of a name such as `org/model`."""
    if row.entrant.organisation:
        return row.entrant.organisation
    first, slash, _ = row.entrant.model.partition("/")
    return first if slash else ""


def label(model: str) -> str:
    """The short name of `org/model`: `model`. Other names stay as they are."""
    first, slash, rest = model.partition("/")
    return rest if slash and first and rest and "/" not in rest else model


def parameters(row: Row) -> float | None:
    """In billions. Nothing has none of them: published tables write 0 or -1 where they do not know."""
    found = _number(row.entrant.parameters)
    return found if found is not None and found > 0 else None


def standing(row: Row) -> str:
    """`ranked`, or why it has no rank."""
    return "ranked" if row.place is not None else row.unranked


def _standing() -> Iterator[Column]:
    yield Column(
        "ranks",
        "Rank",
        "ranks",
        "The ranks that the scores can bear, all at once; a place in brackets where they come without errors",
        lambda row: row.place if row.low is None else row.low,
        (
            ("rank_low", lambda row: row.low),
            ("rank_high", lambda row: row.high),
            ("place", lambda row: row.place),
        ),
        name="Rank",
    )
    yield _plain("place", "Place", "number", "The place in the order of scores", lambda row: row.place)
    yield _text("model", "Model", "The model's name", lambda row: row.entrant.model)
    yield _text(
        "organisation",
        "Organisation",
        "Who handed it in; where that is not said, the first part of the model's name",
        organisation,
    )


def _scores(snapshot: Snapshot) -> Iterator[Column]:
    greatest = LOWER not in snapshot.notes
    kind = snapshot.unit
    rows = snapshot.rows
    names = list(dict.fromkeys(name for row in rows for name in row.entrant.scores.columns))
    better = "Higher is better" if greatest else "Lower is better"
    yield _score(rows, "score", "Score", kind, f"The score of the board. {better}", _board_score, greatest)
    for name, key in zip(names, _keys(names), strict=True):
        yield _score(rows, f"score.{key}", name, kind, name, _column_score(name), greatest)
    yield _plain(
        "n", "Items", "number", "How many items or votes it is of", lambda row: _n(row) or None, True
    )


def _facts() -> Iterator[Column]:
    yield _plain("cost", "Cost", "dollars", "Dollars for all of it", lambda row: row.entrant.scores.cost)
    yield _plain(
        "latency",
        "Latency",
        "seconds",
        "Seconds for half of the answers; the median over tasks",
        lambda row: row.entrant.scores.latency_p50,
    )
    yield _plain("parameters", "Parameters", "billions", "Billions of parameters", parameters)
    yield _text("precision", "Precision", "Of the weights", lambda row: row.entrant.precision)
    yield _text("licence", "Licence", "Of the weights, as stated", lambda row: row.entrant.licence)
    yield _text("provenance", "Known from", "How the score is known", lambda row: row.entrant.provenance)
    yield _plain(
        "first_seen",
        "First seen",
        "date",
        "The day on which these weights were handed in first",
        lambda row: row.entrant.first_seen[:10] or None,
        True,
    )
    yield Column(
        "attempt",
        "Attempt",
        "number",
        "Which attempt of its organisation this is",
        lambda row: row.entrant.attempt,
        (("attempt", lambda row: row.entrant.attempt), ("attempts", lambda row: row.entrant.attempts)),
        name="Attempt",
    )
    yield _text("state", "State", "Whether it is ranked, or why not", standing)
    yield _text("flags", "Remarks", "What is to be said of the row", lambda row: "; ".join(row.entrant.flags))
    yield _text("revision", "Revision", "Of the weights", lambda row: row.entrant.revision)
    yield _plain(
        "submission", "Submission", "number", "Its number on the board", lambda row: row.entrant.submission
    )


def _outcomes(snapshot: Snapshot) -> Iterator[Column]:
    names = dict.fromkeys(name for row in snapshot.rows for name in row.entrant.scores.outcomes)
    for name in names:
        words = name.replace("_", " ")
        yield _plain(
            f"outcome.{name}",
            words.capitalize(),
            "share",
            f"The share of samples that ended so: {words}",
            _outcome(name),
            name == "scored",
        )


def _board_score(row: Row) -> Value:
    return row.entrant.scores.score


def _column_score(name: str) -> Callable[[Row], Value]:
    missing = Value(None)
    return lambda row: row.entrant.scores.columns.get(name, missing)


def _outcome(name: str) -> Reader:
    return lambda row: row.entrant.scores.outcomes.get(name)


def _n(row: Row) -> int:
    return row.entrant.scores.score.n


def _score(
    rows: Iterable[Row],
    key: str,
    name: str,
    kind: Kind,
    tip: str,
    of: Callable[[Row], Value],
    descending: bool,
) -> Column:
    """A score; its limits are written only where some row has them."""
    cells: tuple[tuple[str, Reader], ...] = (
        (key, lambda row: _number(of(row).value)),
        (f"{key}_low", lambda row: _number(of(row).low)),
        (f"{key}_high", lambda row: _number(of(row).high)),
    )
    limited = any(of(row).low is not None for row in rows)
    title = name.rpartition("/")[2] or name
    value = cells[0][1]
    return Column(key, title, kind, tip, value, cells if limited else cells[:1], descending, name, of)


def _plain(key: str, title: str, kind: Kind, tip: str, value: Reader, descending: bool = False) -> Column:
    return Column(key, title, kind, tip, value, ((key, value),), descending, title)


def _text(key: str, title: str, tip: str, value: Callable[[Row], str]) -> Column:
    return _plain(key, title, "text", tip, lambda row: value(row) or None)


def _number(value: float | None) -> float | None:
    return None if value is None or isnan(value) else value


def _keys(names: Iterable[str]) -> list[str]:
    """A name for addresses for each, all of them different: `core/Maths` is `core-maths`."""
    found: list[str] = []
    for name in names:
        plain = re.sub(r"[^a-z0-9_.]+", "-", name.lower()).strip("-.") or "column"
        key, number = plain, 1
        while key in found:
            number += 1
            key = f"{plain}-{number}"
        found.append(key)
    return found
