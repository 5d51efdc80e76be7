"""Why the order is another than before, line by line."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Literal

from bakeoff.board.ranking.snapshot import Row, Snapshot

Kind = Literal["rule", "added", "removed", "rescored", "moved"]


@dataclass(frozen=True, slots=True)
class Change:
    """One line: what became of a row, and why. `submission` is None for what concerns all rows."""

    kind: Kind
    submission: int | None
    model: str
    text: str


def differences(old: Snapshot, new: Snapshot) -> tuple[Change, ...]:
    """What changed between two snapshots of a board: its rule, rows added and removed, scores, then ranks
    that changed because of those.
    """
    return tuple(_changes(old, new))


def _changes(old: Snapshot, new: Snapshot) -> Iterator[Change]:
    if old.rule != new.rule:
        yield Change(
            "rule",
            None,
            "",
            f"the rule is that of version {new.version}, before of {old.version}: every score may be another",
        )
    before, after = _keyed(old), _keyed(new)
    for number, row in after.items():
        if number not in before:
            yield _change("added", row, f"new: {_standing(row)}")
    for number, row in before.items():
        if number not in after:
            yield _change("removed", row, f"gone without a trace, was {_standing(row)}")
        elif row.place is not None and after[number].place is None:
            yield _change(
                "removed", row, f"has no rank any more: {after[number].unranked}; was {_standing(row)}"
            )
        elif row.place is None and after[number].place is not None:
            yield _change("added", after[number], f"has a rank now: {_standing(after[number])}")
    for number, row in after.items():
        if number in before and before[number].entrant.scores.score != row.entrant.scores.score:
            was, now = (each.entrant.scores.score.value for each in (before[number], row))
            why = _why_rescored(before[number], row)
            yield _change("rescored", row, f"{_number(was, old.unit)} → {_number(now, new.unit)} {why}")
    for number, row in after.items():
        if number in before and None not in (before[number].place, row.place):
            was_range, is_range = _standing(before[number]), _standing(row)
            same = before[number].entrant.scores.score == row.entrant.scores.score
            if was_range != is_range and same:
                yield _change("moved", row, f"{was_range} → {is_range}, because of the others")


def _change(kind: Kind, row: Row, text: str) -> Change:
    return Change(kind, row.entrant.submission, row.entrant.model, text)


def _standing(row: Row) -> str:
    if row.place is None:
        return f"without a rank ({row.unranked})"
    if row.low is None:
        return f"place {row.place}"
    return f"rank {row.low}" if row.low == row.high else f"rank {row.low}–{row.high}"


def _keyed(found: Snapshot) -> dict[Hashable, Row]:
    """The rows by what they are the same in from one snapshot to the next: a submission, or what is reported
    under one name and precision, the first where that is there twice.
    """
    keyed: dict[Hashable, Row] = {}
    for row in found.rows:
        entrant = row.entrant
        reported = (entrant.model, entrant.precision)
        keyed.setdefault(reported if entrant.provenance == "reported" else entrant.submission, row)
    return keyed


def _why_rescored(was: Row, now: Row) -> str:
    if now.entrant.provenance == "reported":
        return "as reported"
    same = was.entrant.scores.runs == now.entrant.scores.runs
    return "of the same runs, by another rule" if same else "from other runs"


def _number(value: float | None, unit: str) -> str:
    if value is None:
        return "–"
    return raw(value) if unit == "raw" else f"{100 * value:.1f} %"


def raw(value: float) -> str:
    """A number on a scale of its own, to about three places: 1,432, 57.3, 8.99."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
