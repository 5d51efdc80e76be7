"""A function that a task names."""

import importlib
from collections.abc import Callable
from typing import Any

from bakeoff.errors import TaskError
from bakeoff.task.python_file import attribute_of, module_from_file
from bakeoff.task.spec import Place
from bakeoff.task.task import Task


def named_function(task: Task, named: Any, place: Place) -> tuple[Callable[..., Any], str]:
    """The function behind `module:function` or `file.py:function`, or a function itself; and its name.

    Raises:
        TaskError: the module, the file or the function is not there, or importing it failed.
    """
    if callable(named):
        return named, getattr(named, "__qualname__", type(named).__qualname__)
    module, _, name = named.partition(":")
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
