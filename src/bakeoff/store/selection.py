"""Some samples of a run in an order: what a table of them shows, and what comes before and after one."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from bakeoff.errors import BakeoffError
from bakeoff.nouns import Outcome
from bakeoff.store.manifest import Manifest
from bakeoff.store.privacy import withheld, without_texts
from bakeoff.store.record import COLUMNS, Row, from_row, to_row
from bakeoff.store.samples import query, stream

_CONDITIONS = {"right": "outcome = 'scored' AND value = 1", "wrong": "outcome = 'scored' AND value < 1"}
_ORDERS = {
    "item": "item_id",
    "outcome": "outcome",
    "value": "value",
    "tokens": "completion_tokens",
    "latency": "latency_s",
    "cost": "cost",
}
SHOWN = (*_CONDITIONS, *(outcome.value for outcome in Outcome))
"""What `Selection.show` can be, besides nothing."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The samples of one outcome, or `right` (scored 1) or `wrong` (scored below 1), or all.

    `search` is a part of the item's id, whatever the case of letters; `item` the whole of it. They are sorted
    by a column of `item`, `outcome`, `value`, `tokens`, `latency`, `cost`, descending with a `-` before it.
    What is missing comes last either way.

    Raises:
        BakeoffError: there is no such outcome, or no such column.
    """

    show: str = ""
    search: str = ""
    sort: str = "item"
    item: str = ""

    def __post_init__(self) -> None:
        if self.show and self.show not in SHOWN:
            raise BakeoffError(f"there is no outcome {self.show!r}", f"outcomes are: {', '.join(SHOWN)}")
        if self.sort.removeprefix("-") not in _ORDERS:
            raise BakeoffError(
                f"samples cannot be sorted by {self.sort!r}", f"they can by {', '.join(_ORDERS)}"
            )

    @property
    def where(self) -> tuple[str, list[str]]:
        """A condition in SQL and its parameters."""
        conditions, parameters = ["true"], []
        if self.show in _CONDITIONS:
            conditions.append(_CONDITIONS[self.show])
        elif self.show:
            conditions.append("outcome = ?")
            parameters.append(self.show)
        if self.search:
            conditions.append("contains(lower(item_id), lower(?))")
            parameters.append(self.search)
        if self.item:
            conditions.append("item_id = ?")
            parameters.append(self.item)
        return " AND ".join(conditions), parameters

    @property
    def order(self) -> str:
        """An order in SQL, the same each time."""
        direction = "DESC" if self.sort.startswith("-") else "ASC"
        return f"{_ORDERS[self.sort.removeprefix('-')]} {direction} NULLS LAST, item_id, repeat"


class SampleRow(NamedTuple):
    """A sample in a line. Seconds, US dollars; None where not known."""

    item: str
    repeat: int
    outcome: str
    value: float | None
    extracted: str | None
    tokens: int | None
    latency: float | None
    cost: float | None


def sample_rows(
    folder: Path, manifest: Manifest, chosen: Selection, *, limit: int, offset: int = 0
) -> tuple[int, list[SampleRow]]:
    """How many samples are chosen, and those from `offset` on; extracted texts of a private task withheld.

    Raises:
        StoreError: the run holds no samples yet.
    """
    where, parameters = chosen.where
    ((total,),) = query(folder, f"SELECT count(*) FROM samples WHERE {where}", parameters)  # noqa: S608
    found = query(
        folder,
        "SELECT item_id, repeat, outcome, value, extracted, completion_tokens, latency_s, cost "  # noqa: S608
        f"FROM samples WHERE {where} ORDER BY {chosen.order} LIMIT {int(limit)} OFFSET {int(offset)}",
        parameters,
    )
    rows = [SampleRow(*row) for row in found]
    if manifest.task.private:
        rows = [row._replace(extracted=row.extracted and withheld(row.extracted)) for row in rows]
    return total, rows


class Place(NamedTuple):
    """Where a sample stands among those chosen: the `number`th of `of`, with its neighbours' items and
    repeats."""

    number: int
    of: int
    before: tuple[str, int] | None
    after: tuple[str, int] | None


def place_of(folder: Path, chosen: Selection, item: str, repeat: int) -> Place | None:
    """Where a sample stands; None where it is not among those chosen."""
    where, parameters = chosen.where
    found = query(
        folder,
        "SELECT number, every, item_before, repeat_before, item_after, repeat_after FROM ("  # noqa: S608
        "SELECT item_id, repeat, row_number() OVER w AS number, count(*) OVER () AS every, "
        "lag(item_id) OVER w AS item_before, lag(repeat) OVER w AS repeat_before, "
        "lead(item_id) OVER w AS item_after, lead(repeat) OVER w AS repeat_after "
        f"FROM samples WHERE {where} WINDOW w AS (ORDER BY {chosen.order})) WHERE item_id = ? AND repeat = ?",
        [*parameters, item, str(repeat)],
    )
    if not found:
        return None
    number, every, item_before, repeat_before, item_after, repeat_after = found[0]
    return Place(
        number,
        every,
        None if item_before is None else (item_before, repeat_before),
        None if item_after is None else (item_after, repeat_after),
    )


def leaving_rows(folder: Path, manifest: Manifest, chosen: Selection) -> Iterator[Row]:
    """Whole rows of the samples chosen (`record.COLUMNS`), as they may leave the folder of their run."""
    where, parameters = chosen.where
    columns = ", ".join(f'"{name}"' for name in COLUMNS)
    sql = f"SELECT {columns} FROM samples WHERE {where} ORDER BY {chosen.order}"  # noqa: S608
    rows = stream(folder, sql, parameters)
    if not manifest.task.private:
        return rows
    return (to_row(without_texts(from_row(row)), row["finished_at"]) for row in rows)
