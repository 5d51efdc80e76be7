"""Rows that a function writes."""

import importlib
import traceback
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

from bakeoff.errors import TaskError
from bakeoff.task.data import Data
from bakeoff.task.python_file import attribute_of, module_from_file
from bakeoff.task.rows.source import Row
from bakeoff.task.spec import Place
from bakeoff.task.task import Task

Function = Callable[[int, int], Any]
"""`f(seed, n)` yields n rows. Row i depends on (seed, i) alone, so that a larger n only adds rows."""


def generator_function(task: Task, data: Data, at: Place) -> tuple[Function, str]:
    """The function a task names, and its name.

    Raises:
        TaskError: the module, the file or the function is not there, or importing it failed.
    """
    named = data.generator
    if callable(named):
        return named, getattr(named, "__qualname__", type(named).__qualname__)
    module, _, name = named.partition(":")
    place: Place = (*at, "generator")
    if module.endswith(".py"):
        try:
            loaded = module_from_file(task.origin.folder / module)
        except TaskError as error:
            raise task.error(place, error.message, error.hint) from error
    else:
        try:
            loaded = importlib.import_module(module)
        except ImportError as error:
            hint = "write module:function, or file.py:function for a file beside the task"
            raise task.error(place, f"cannot import {module}: {error}", hint) from error
    try:
        function = attribute_of(loaded, name, named)
    except TaskError as error:
        raise task.error(place, error.message, error.hint) from None
    if not callable(function):
        raise task.error(place, f"{named} is no function but {type(function).__name__}")
    return function, named


def generator_rows(task: Task, data: Data, at: Place, function: Function) -> Iterator[Row]:
    """The n rows of the generator.

    Raises:
        TaskError: it failed, yielded something that is no row, or not n rows.
    """
    place: Place = (*at, "generator")
    assert data.n is not None
    number = 0
    try:
        for number, row in enumerate(islice(function(data.seed, data.n), data.n + 1), 1):
            if not isinstance(row, Mapping):
                raise task.error(place, f"row {number}: a row is a mapping of columns, got {row!r:.60}")
            if number > data.n:
                raise task.error(place, f"yielded more than n={data.n} rows", "stop after n rows")
            yield Row(f"row {number} of the generator", row)
    except TaskError:
        raise
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        raise task.error(
            place,
            f"failed after {number} rows: {type(error).__name__}: {error} ({last.filename}:{last.lineno})",
        ) from error
    if number < data.n:
        raise task.error(place, f"yielded {number} rows instead of n={data.n}")
