"""From what a task says about its data to rows."""

from collections.abc import Iterator

import orjson

from bakeoff.errors import TaskError
from bakeoff.nouns import Item
from bakeoff.task.data import Data
from bakeoff.task.rows.convert import converted_rows
from bakeoff.task.rows.generator import generator_function, generator_rows
from bakeoff.task.rows.jsonl import json_rows, jsonl_rows
from bakeoff.task.rows.source import ABSENT, Row, Source, column
from bakeoff.task.rows.table import csv_rows
from bakeoff.task.rows.where import as_text, keeps
from bakeoff.task.spec import Place, nearest
from bakeoff.task.task import Task

_READERS = {".jsonl": jsonl_rows, ".json": json_rows, ".csv": csv_rows}


def open_source(task: Task, data: Data, at: Place) -> Source:
    """The rows `data` selects; `at` is where in the task it stands.

    Raises:
        TaskError: the file is not there or of no known kind, the hub does not give the data set, the
            generator cannot be imported. While reading: a broken row, or none at all that `where` keeps.
    """
    if data.args and data.generator is None:
        raise task.error((*at, "args"), "are for a generator, and these items are not generated")
    source = _opened(task, data, at)

    def read() -> Iterator[Row]:
        rows = source.read()
        if data.convert is not None:
            rows = converted_rows(task, data, at, rows)
        if data.json_columns:
            rows = _decoded(task, data, at, rows)
        return _kept(task, data, at, rows)

    return Source(source.name, read, source.facts, source.folder, source.typed)


def _opened(task: Task, data: Data, at: Place) -> Source:
    if data.file is not None:
        return _file_source(task, data.file, at)
    if data.hub is not None:
        from bakeoff.task.rows.hub import hub_source

        return hub_source(task, data, at)
    if data.generator is not None:
        function, name = generator_function(task, data, at)
        facts = {"generator": name, "seed": data.seed, "n": data.n}
        if data.args:
            facts["args"] = data.args
        return Source(name, lambda: generator_rows(task, data, at, function), facts, task.origin.folder)
    rows = data.items or ()
    origin = task.origin

    def inline() -> Iterator[Row]:
        for index, row in enumerate(rows):
            mark = origin.marks.get((*at, "items", index))
            yield Row(f"{origin.file}:{mark.line}" if mark else f"row {index + 1}", row)

    return Source("the items", inline, {"items": len(rows)}, origin.folder)


def _file_source(task: Task, file: str, at: Place) -> Source:
    path = task.origin.folder / file
    suffix = path.suffix.lower()
    if suffix not in (*_READERS, ".parquet"):
        raise task.error(
            (*at, "file"), f"cannot tell how to read {file!r}", "files end in .jsonl, .json, .csv or .parquet"
        )
    if not path.is_file():
        beside = sorted(each.name for each in path.parent.glob(f"*{suffix}"))[:8]
        hint = f"beside it there are {', '.join(beside)}" if beside else "the path starts from the task file"
        raise task.error((*at, "file"), f"there is no file {path}", hint)
    facts = {"file": path.name}
    if suffix == ".parquet":
        from bakeoff.task.rows.parquet import parquet_rows

        return Source(str(path), lambda: parquet_rows([path]), facts, path.parent)
    reader = _READERS[suffix]
    return Source(str(path), lambda: reader(path), facts, path.parent, typed=suffix != ".csv")


def _decoded(task: Task, data: Data, at: Place, rows: Iterator[Row]) -> Iterator[Row]:
    """JSON text to values. What is not a text has been decoded already, as in a JSONL copy of the data."""
    for number, row in enumerate(rows):
        if isinstance(row.columns, Item):
            raise task.error((*at, "json_columns"), "has no meaning for Item objects")
        columns = dict(row.columns)
        for name in data.json_columns:
            if name not in columns:
                if number == 0:
                    raise missing_column(task, (*at, "json_columns"), name, row)
                continue
            if isinstance(columns[name], str):
                try:
                    columns[name] = orjson.loads(columns[name])
                except orjson.JSONDecodeError as error:
                    raise TaskError(
                        f"{row.place}: column {name!r} is not JSON text ({error.msg}): {columns[name]!r:.60}",
                        "take it out of data.json_columns, or mend the row",
                    ) from None
        yield Row(row.place, columns)


def _kept(task: Task, data: Data, at: Place, rows: Iterator[Row]) -> Iterator[Row]:
    """The rows that `where` keeps, of which there must be one."""
    seen: dict[str, set[str]] = {name: set() for name in data.where}
    known: list[str] = []
    kept = total = 0
    for row in rows:
        total += 1
        if data.where:
            columns = row.columns.fields if isinstance(row.columns, Item) else row.columns
            known = known or list(columns)
            values = {name: column(columns, name) for name in data.where}
            for name, value in values.items():
                if value is not ABSENT and len(seen[name]) < 8:
                    seen[name].add(as_text(value))
            if not all(keeps(values[name], wanted) for name, wanted in data.where.items()):
                continue
        kept += 1
        yield row
    if not total:
        raise task.error(at, "the data is empty", "a task needs at least one row")
    if not kept:
        names = [name for name, values in seen.items() if not values]
        if names:
            place = (*at, "where", names[0])
            raise task.error(
                place, f"no row has a column {names[0]!r}", f"the columns are {', '.join(known)}"
            )
        found = "; ".join(f"{name} is {', '.join(sorted(values))}" for name, values in seen.items())
        wanted = ", ".join(f"{name} = {as_text(value)}" for name, value in data.where.items())
        raise task.error((*at, "where"), f"none of the {total} rows has {wanted}", f"among the rows, {found}")


def missing_column(task: Task, place: Place, name: str, row: Row) -> TaskError:
    """A column that a row does not have, with the ones it has."""
    columns = row.columns.fields if isinstance(row.columns, Item) else row.columns
    return task.error(
        place,
        f"there is no column {name!r} at {row.place}",
        nearest(name, [str(key) for key in columns], "the columns are"),
    )
