"""How much models are used: another question than which of them people prefer.

Shares of tokens or requests depend on prices, defaults, quotas and who integrated what. They stand beside
ratings and enter none.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal

from bakeoff.arena.votes.importing.fields import Fields
from bakeoff.arena.votes.importing.rows import rows_of

Unit = Literal["tokens", "requests"]


@dataclass(frozen=True, slots=True)
class Usage:
    """What one model was used on one day; None is "not recorded"."""

    day: date
    model: str
    tokens: int | None
    requests: int | None


@dataclass(frozen=True, slots=True)
class Share:
    """A model's part of what all models were used. `days` on which it was used at all."""

    model: str
    amount: int
    share: float
    days: int


@dataclass(frozen=True, slots=True)
class Beside:
    """A model's preference score and its share of use, each as it is; None where there is none."""

    model: str
    score: float | None
    share: float | None


def read_usage(path: Path) -> tuple[Usage, ...]:
    """Usage from a file with the columns day, model, and tokens or requests or both.

    Raises:
        BakeoffError: no such file, or a value that cannot be, with its line and column; a day and model
            that stand twice.
    """
    found: dict[tuple[date, str], Usage] = {}
    for row in rows_of(path):
        fields = Fields(row)
        said = fields.needed("day")
        try:
            day = date.fromisoformat(said)
        except ValueError:
            raise fields.error("day", f"must be a date such as 2026-01-31, got {said!r}") from None
        usage = Usage(day, fields.needed("model"), _amount(fields, "tokens"), _amount(fields, "requests"))
        if usage.tokens is None and usage.requests is None:
            raise fields.error("tokens", "is empty, and so is requests", "say at least one of them")
        if (day, usage.model) in found:
            raise fields.error("model", f"{usage.model!r} has two rows for {day}", "sum them up")
        found[day, usage.model] = usage
    return tuple(found.values())


def shares(
    usage: Iterable[Usage], unit: Unit, *, since: date | None = None, until: date | None = None
) -> tuple[Share, ...]:
    """Shares of a unit from `since` up to `until`, both included; the greatest first, then by name.

    Rows that do not record the unit count for nothing. Shares are 0 where nothing was used at all.
    """
    amounts: dict[str, int] = defaultdict(int)
    days: dict[str, int] = defaultdict(int)
    for row in usage:
        amount = row.tokens if unit == "tokens" else row.requests
        outside = (since is not None and row.day < since) or (until is not None and row.day > until)
        if amount is None or outside:
            continue
        amounts[row.model] += amount
        days[row.model] += amount > 0
    total = sum(amounts.values())
    rows = (
        Share(model, amount, amount / total if total else 0.0, days[model])
        for model, amount in amounts.items()
    )
    return tuple(sorted(rows, key=lambda row: (-row.amount, row.model)))


def beside(scores: Mapping[str, float], used: Sequence[Share]) -> tuple[Beside, ...]:
    """Scores and shares of all models that have either: in the order of scores, then of shares."""
    share = {row.model: row.share for row in used}
    rows = (Beside(model, scores.get(model), share.get(model)) for model in scores.keys() | share.keys())
    return tuple(
        sorted(
            rows,
            key=lambda row: (
                row.score is None,
                -(row.score or 0.0),
                -(row.share or 0.0),
                row.model,
            ),
        )
    )


def _amount(fields: Fields, name: str) -> int | None:
    value = fields.number(name)
    if value is not None and (value < 0 or value != int(value)):
        raise fields.error(name, f"counts something and cannot be {value:g}")
    return None if value is None else int(value)
