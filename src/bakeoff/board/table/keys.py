"""Names of rows, for addresses."""

from collections.abc import Sequence

from bakeoff.board.ranking.snapshot import Row


def row_keys(rows: Sequence[Row]) -> tuple[str, ...]:
    """A key for each row, all of them different: the submission's number, or for what others report the
    model's name with its precision.

    What is reported is numbered anew on each date, so a number would be another model's in the next snapshot.
    Where a name is there several times with one precision, the later rows get `~2`, `~3`, in the order of
    their numbers.
    """
    keys = [""] * len(rows)
    taken: set[str] = set()
    for place in sorted(range(len(rows)), key=lambda place: rows[place].entrant.submission):
        plain = _key(rows[place])
        key, number = plain, 1
        while key in taken:
            number += 1
            key = f"{plain}~{number}"
        taken.add(key)
        keys[place] = key
    return tuple(keys)


def _key(row: Row) -> str:
    entrant = row.entrant
    if entrant.provenance != "reported":
        return str(entrant.submission)
    return f"{entrant.model}@{entrant.precision}" if entrant.precision else entrant.model
