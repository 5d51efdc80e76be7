"""What the script of a board's page needs to search, filter and sort by itself."""

import json
from math import isnan

from markupsafe import Markup

from bakeoff.board.table import Column, Seen, Table, View, seen


def script_data(found: Seen) -> Markup:
    """All that the script needs to search, filter and sort by itself, as JSON for a page.

    `codes` are by column each row's place in the natural order, equal ones alike, -1 where it is missing: the
    script sorts as the server does without the numbers. `kept` are the rows that a preset and `tied` leave.
    """
    table = found.table
    kept = seen(table, View(preset=found.view.preset, tied=found.view.tied)).met
    data = {
        "keys": table.keys,
        "models": [row.entrant.model for row in table.snapshot.rows],
        "choices": {name: [each.values, each.codes.tolist()] for name, each in table.choices.items()},
        "numbers": {
            name: [None if isnan(each) else each for each in values.tolist()]
            for name, values in table.numbers.items()
            if name in table.fronts
        },
        "since": table.seen_first,
        "ranked": [int(each) for each in table.ranked.tolist()],
        "fronts": {name: sorted(table.index[key] for key in front) for name, front in table.fronts.items()},
        "kept": None if kept.all() else [int(each) for each in kept.tolist()],
        "codes": {each.key: _codes(table, each) for each in found.columns},
    }
    # In a script element nothing is escaped; "</script>" and "<!--" can only come from a "<". All but ASCII
    # is spelt out, since among it is what deceives those who read the source.
    return Markup(json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"))  # noqa: S704


def _codes(table: Table, column: Column) -> list[int]:
    """Each row's place in the natural order of a column, equal values alike; -1 where it is missing."""
    codes, last, code = [-1] * len(table.keys), None, -1
    for number in table.order(column.key).tolist():
        value = column.value(table.snapshot.rows[number])
        if value is None:
            continue
        value = value.casefold() if isinstance(value, str) else value
        if value != last:
            code, last = code + 1, value
        codes[number] = code
    return codes
