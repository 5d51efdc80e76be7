"""Rows of a data set's own layout, made into items."""

import traceback
from collections.abc import Iterator, Mapping

from bakeoff.errors import TaskError
from bakeoff.nouns import Item
from bakeoff.task.data import Data
from bakeoff.task.rows.function import named_function
from bakeoff.task.rows.source import Row
from bakeoff.task.spec import Place
from bakeoff.task.task import Task


def converted_rows(task: Task, data: Data, at: Place, rows: Iterator[Row]) -> Iterator[Row]:
    """Each row as `data.convert` makes it. Nothing is dropped: that is for `where`.

    Raises:
        TaskError: the function cannot be found, fails on a row, or gives no row, with the row.
    """
    place: Place = (*at, "convert")
    function, name = named_function(task, data.convert, place)
    for row in rows:
        if isinstance(row.columns, Item):
            raise task.error(place, "has no meaning for Item objects")
        try:
            columns = function(row.columns)
        except TaskError:
            raise
        except KeyError as error:
            raise task.error(
                place,
                f"{row.place}: {name} needs the column {error}",
                f"the columns are {', '.join(row.columns)}; a file of items is given with --data",
            ) from error
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            raise task.error(
                place,
                f"{row.place}: {name} failed: {type(error).__name__}: {error} "
                f"({last.filename}:{last.lineno})",
            ) from error
        if not isinstance(columns, Mapping):
            raise task.error(place, f"{row.place}: {name} gives a mapping of columns, got {columns!r:.60}")
        yield Row(row.place, columns)
