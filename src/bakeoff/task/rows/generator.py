"""Rows that a function writes."""

import difflib
import inspect
import traceback
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

from bakeoff.errors import TaskError
from bakeoff.task.data import Data
from bakeoff.task.rows.function import named_function
from bakeoff.task.rows.source import Row
from bakeoff.task.spec import Place
from bakeoff.task.task import Task

Function = Callable[..., Any]
"""`f(seed, n, **args)` yields n rows. Row i depends on (seed, i, args) alone: a larger n only adds rows."""


def generator_function(task: Task, data: Data, at: Place) -> tuple[Function, str]:
    """The function a task names, and its name.

    Raises:
        TaskError: the module, the file or the function is not there, importing it failed, or it does not
            take the arguments in `data.args`.
    """
    function, name = named_function(task, data.generator, (*at, "generator"))
    _check_args(task, data, at, function, name)
    return function, name


def generator_rows(task: Task, data: Data, at: Place, function: Function) -> Iterator[Row]:
    """The n rows of the generator.

    Raises:
        TaskError: it failed, yielded something that is no row, or not n rows.
    """
    place: Place = (*at, "generator")
    assert data.n is not None
    number = 0
    try:
        for number, row in enumerate(islice(function(data.seed, data.n, **data.args), data.n + 1), 1):
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


def _check_args(task: Task, data: Data, at: Place, function: Function, name: str) -> None:
    """Whether `function` takes the arguments by name, and a number where its default is one."""
    if not data.args:
        return
    parameters = list(inspect.signature(function).parameters.values())
    if any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters):
        return
    # The first two are the seed and n, whatever they are called.
    known = {each.name: each for each in parameters[2:] if each.kind is not inspect.Parameter.VAR_POSITIONAL}
    there = ", ".join(_shown(each) for each in known.values())
    for key, value in data.args.items():
        place: Place = (*at, "args", key)
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1)
            did_you_mean = f"did you mean {near[0]!r}? " if near else ""
            hint = f"{did_you_mean}it takes {there or 'no arguments'}"
            raise task.error(place, f"{name} has no argument {key!r}", hint)
        default = known[key].default
        if type(default) in _KINDS and not _fits(value, type(default)):
            raise task.error(
                place, f"must be {_KINDS[type(default)]}, got {value!r:.60}", f"{name} takes {there}"
            )


_KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}


def _fits(value: Any, kind: type) -> bool:
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return type(value) is kind


def _shown(parameter: inspect.Parameter) -> str:
    """`tokens=4000`, or the bare name of one that must be given."""
    if parameter.default is inspect.Parameter.empty:
        return parameter.name
    return f"{parameter.name}={parameter.default!r}"
