"""A dated state of a board: who is on it, with which scores, and which ranks the scores can bear.

A snapshot is data alone, named by its digest, and never changed. What it was made from is in it: the rule's
digest, each run's samples by digest, and where the log stood.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import orjson
from scipy.special import ndtri

from bakeoff.board.ranking.provenance import Provenance
from bakeoff.board.scores import Scores, Value, scores_from
from bakeoff.digest import digest
from bakeoff.stats.many.independent_ranks import independent_rank_sets

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Entrant:
    """What may stand on a board: the scores of one submission, and what is known of the model."""

    submission: int
    organisation: str
    model: str
    revision: str
    precision: str
    licence: str
    parameters: float | None
    provenance: Provenance
    first_seen: str
    attempt: int
    attempts: int
    state: str
    scores: Scores
    flags: tuple[str, ...] = ()
    removed: str = ""
    """The rule under which it lost its rank, and why."""
    duplicate_of: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """An entrant with its range of ranks, and why it has none where it has none (`unranked`).

    With the snapshot's level all ranges hold at once. Without errors of the scores there is a `place` in the
    order and no range: the number says more than it knows.
    """

    entrant: Entrant
    place: int | None
    low: int | None
    high: int | None
    unranked: str = ""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """`rows` are ordered by score, those without a rank behind; `made` is UTC, ISO 8601. `unit` says whether
    scores are shares of 1, or numbers on a scale of their own, such as ratings.
    """

    board: str
    version: int
    rule: str
    level: float
    made: str
    log: str
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    unit: Literal["share", "raw"] = "share"
    schema: int = SCHEMA

    def as_json(self) -> dict[str, Any]:
        """As JSON, from which `snapshot_from` makes it again."""
        found: dict[str, Any] = orjson.loads(orjson.dumps(self))
        for row in found["rows"]:
            entrant = row["entrant"]
            for part, name in ((entrant, "removed"), (entrant["scores"], "tasks")):
                if not part[name]:  # as before there were these, or older snapshots would change their names
                    del part[name]
        return found

    @property
    def digest(self) -> str:
        """Names the snapshot: whoever has the digest can tell whether it was changed."""
        return digest(self.as_json())


def ranked(
    entrants: Sequence[Entrant], *, level: float = 0.95, per_organisation: int | None = None
) -> tuple[Row, ...]:
    """The rows of a board. Only what is published, complete and scored has a rank.

    Of an organisation with more than `per_organisation` such rows the newest are ranked. Ranks are
    simultaneous sets (Tukey's range test on independent errors). A score without an interval has a place
    alone, and may belong above any other: the ranges of those go one rank further down for it.
    """
    reasons = _reasons(entrants, per_organisation)
    able = [each for each in entrants if not reasons[each.submission]]
    able.sort(key=lambda each: (-_value(each), each.model, each.submission))
    sets = _rank_sets(able, level)
    # Equal scores have one place, the first of theirs.
    places = {_value(each): 1 + index for index, each in reversed(list(enumerate(able)))}
    rows = [
        Row(entrant, places[_value(entrant)], *sets.get(entrant.submission, (None, None))) for entrant in able
    ]
    left = sorted(
        (each for each in entrants if reasons[each.submission]),
        key=lambda each: (each.model, each.submission),
    )
    return (*rows, *(Row(each, None, None, None, reasons[each.submission]) for each in left))


def snapshot_from(value: Mapping[str, Any]) -> Snapshot:
    """The snapshot in the JSON of `as_json`."""
    return Snapshot(
        **(dict(value) | {"rows": tuple(map(_row, value["rows"])), "notes": tuple(value["notes"])})
    )


def _row(value: Mapping[str, Any]) -> Row:
    entrant = dict(value["entrant"])
    entrant |= {"scores": scores_from(entrant["scores"]), "flags": tuple(entrant["flags"])}
    return Row(**(dict(value) | {"entrant": Entrant(**entrant)}))


def _rank_sets(able: Sequence[Entrant], level: float) -> dict[int, tuple[int, int]]:
    """The lowest and highest rank of each submission whose score has an interval."""
    errors = {each.submission: _error(each.scores.score, level) for each in able}
    known = [each for each in able if errors[each.submission] is not None]
    if not known:
        return {}
    found = independent_rank_sets(
        [_value(each) for each in known], [errors[each.submission] or 0.0 for each in known], level=level
    )
    unknown = len(able) - len(known)
    return {each.submission: (set_.low, set_.high + unknown) for each, set_ in zip(known, found, strict=True)}


def _reasons(entrants: Sequence[Entrant], per_organisation: int | None) -> dict[int, str]:
    """Why each entrant has no rank; empty where it has one."""
    found = {each.submission: _reason(each) for each in entrants}
    tasks = _tasks(entrants)
    for each in entrants:
        if not found[each.submission]:
            found[each.submission] = _asked_otherwise(each, tasks)
    if per_organisation is not None:
        counted: dict[str, int] = {}
        for each in sorted(entrants, key=lambda each: (each.first_seen, each.submission), reverse=True):
            if found[each.submission]:
                continue
            counted[each.organisation] = counted.get(each.organisation, 0) + 1
            if counted[each.organisation] > per_organisation:
                found[each.submission] = f"{per_organisation} newer rows of {each.organisation} are ranked"
    return found


def _reason(entrant: Entrant) -> str:
    if entrant.state != "published":
        return entrant.state
    if entrant.removed:
        return f"removed: {entrant.removed}"
    if entrant.duplicate_of is not None:
        return f"the same weights as submission {entrant.duplicate_of}"
    if entrant.scores.score.value is None:
        return entrant.scores.incomplete or "a score is missing"
    return ""


def _tasks(entrants: Sequence[Entrant]) -> dict[str, tuple[str, int]]:
    """Each task's digest, and the submission that was the first to be asked it: what all must be asked."""
    found: dict[str, tuple[str, int]] = {}
    for each in sorted(entrants, key=lambda each: each.submission):
        for ref, asked in each.scores.tasks.items():
            found.setdefault(ref, (asked, each.submission))
    return found


def _asked_otherwise(entrant: Entrant, tasks: Mapping[str, tuple[str, int]]) -> str:
    """Why its scores are not of what the others were asked; empty where they are."""
    others = [ref for ref, asked in entrant.scores.tasks.items() if asked != tasks[ref][0]]
    if not others:
        return ""
    return f"{', '.join(others)} was another task than submission {tasks[others[0]][1]} was asked"


def _value(entrant: Entrant) -> float:
    value = entrant.scores.score.value
    assert value is not None
    return value


def _error(value: Value, level: float) -> float | None:
    """The standard error that an interval of that level stands for."""
    if value.low is None or value.high is None:
        return None
    return float((value.high - value.low) / (2 * ndtri(0.5 + level / 2)))
