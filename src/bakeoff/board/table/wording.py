"""What a cell says, in the same words on a page and on a terminal."""

from bakeoff.board.ranking.difference import raw
from bakeoff.board.ranking.snapshot import Row
from bakeoff.board.table.columns import Cell, Column, Kind


def text(column: Column, row: Row) -> str:
    """What a column says of a row; empty where that is not known. It may hold text of unknown origin."""
    match column.key:
        case "ranks":
            return _ranks(row)
        case "attempt":
            return f"{row.entrant.attempt} of {row.entrant.attempts}"
        case _:
            return written(column.value(row), column.kind)


def written(value: Cell, kind: Kind) -> str:
    """A value of that kind: a share as a percentage with one decimal, 7 billions as `7 B`."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    match kind:
        case "share":
            return f"{100 * value:.1f}"
        case "raw":
            return raw(value)
        case "dollars":
            return f"${value:,.2f}" if value >= 0.01 or value == 0 else f"${value:.2g}"
        case "seconds":
            return f"{value:,.2f} s"
        case "billions":
            return f"{value:.4g} B"
        case _:
            return f"{value:,}"


def _ranks(row: Row) -> str:
    if row.place is None:
        return ""
    if row.low is None or row.high is None:
        return f"({row.place:,})"
    return f"{row.low:,}" if row.low == row.high else f"{row.low:,}–{row.high:,}"
