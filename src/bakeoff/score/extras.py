"""Packages that only some scorers need."""

from importlib import import_module
from types import ModuleType

from bakeoff.errors import TaskError


def extra(module: str, scorer: str) -> ModuleType:
    """The module, imported when it is first needed.

    Raises:
        TaskError: it is not installed.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise TaskError(
            f"scorer {scorer}: the package {error.name} is not installed",
            "Install the scorers' packages: pip install 'bakeoff[score]'.",
        ) from error
