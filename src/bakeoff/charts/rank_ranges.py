"""The ranks that the data allow, a bar from the best to the worst for each row."""

from dataclasses import dataclass

from markupsafe import Markup

from bakeoff.charts.figure import drawn, figure
from bakeoff.charts.rows import Axis, Place, Row
from bakeoff.charts.scale import Scale, labelled, round_values
from bakeoff.charts.units import raw


@dataclass(frozen=True, slots=True)
class Ranked:
    """A name with its best and its worst rank, whole numbers from 1; None where it has none.

    `key` is the row's `data-key`.
    """

    name: str
    best: int | None
    worst: int | None
    href: str | None = None
    key: str = ""


@dataclass(frozen=True, slots=True)
class RankRanges:
    """Rank ranges in the order of their rows. `of` names what the rows are."""

    title: str
    rows: tuple[Ranked, ...]
    of: str = "model"
    says: str = ""


@dataclass(frozen=True, slots=True)
class Layout:
    """Rank ranges in their places: rank 1 left."""

    axis: Axis
    rows: tuple[Row, ...]


def rank_ranges(data: RankRanges, key: str) -> Markup:
    """The figure: a table with a bar in each row, so that it is its own text alternative.

    Raises:
        ValueError: ranks below 1 or in the wrong order, one end without the other, or a `key` that is no
            name for ids.
    """
    view = layout(data)
    frame = figure(key, data.title, data.says, _description(data))
    return drawn("rank_ranges.svg.j2", f=frame, view=view, data=data)


def layout(data: RankRanges) -> Layout:
    """Where everything goes: a bar covers its ranks whole, so that one rank has a width too."""
    last = max((row.worst for row in data.rows if row.worst is not None), default=1)
    ticks = sorted(
        {1, *(int(tick) for tick in round_values(1, last) if tick % 1 == 0 and tick >= 1)}
        if last > 1
        else {1}
    )
    if len(ticks) > 2 and ticks[1] - ticks[0] < (ticks[2] - ticks[1]) / 2:
        del ticks[1]
    on = Scale(0.5, last + 0.5, tuple(float(tick) for tick in ticks))
    return Layout(Axis(labelled(on, raw), (), ()), tuple(_row(row, on) for row in data.rows))


def _row(row: Ranked, on: Scale) -> Row:
    if row.best is None and row.worst is None:
        return Row(row.name, row.href, row.key, raw(None), "", None)
    if row.best is None or row.worst is None or not 1 <= row.best <= row.worst:
        raise ValueError(
            f"the ranks of {row.name!r} must be 1 or more, the best first: {row.best} to {row.worst}"
        )
    words = f"{row.best:,}" if row.best == row.worst else f"{row.best:,}–{row.worst:,}"
    low, high = on.at(row.best - 0.5), on.at(row.worst + 0.5)
    return Row(row.name, row.href, row.key, words, "", Place(round((low + high) / 2, 2), low, high))


def _description(data: RankRanges) -> str:
    known = [row for row in data.rows if row.best is not None]
    first = sum(row.best == 1 for row in known)
    return f"{len(known):,} rank ranges; {first:,} of them hold rank 1."
