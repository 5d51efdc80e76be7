"""Bakeoff: evaluate language models, and say what the numbers can bear.

from bakeoff import Item, Task, evaluate
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bakeoff.client import Client
    from bakeoff.comparison import Comparison, compare
    from bakeoff.errors import BakeoffError
    from bakeoff.model import Model, open_model
    from bakeoff.nouns import Item, Message, Outcome, Part, Sample
    from bakeoff.run import Result, evaluate
    from bakeoff.task import Task

__version__ = "0.1.0"

__all__ = [
    "BakeoffError",
    "Client",
    "Comparison",
    "Item",
    "Message",
    "Model",
    "Outcome",
    "Part",
    "Result",
    "Sample",
    "Task",
    "compare",
    "evaluate",
    "open_model",
]

_ROOMS = {
    "bakeoff.client": ("Client",),
    "bakeoff.comparison": ("Comparison", "compare"),
    "bakeoff.errors": ("BakeoffError",),
    "bakeoff.model": ("Model", "open_model"),
    "bakeoff.nouns": ("Item", "Message", "Outcome", "Part", "Sample"),
    "bakeoff.run": ("Result", "evaluate"),
    "bakeoff.task": ("Task",),
}


def __getattr__(name: str) -> Any:
    """Import a public name from its room when it is first used, so that `import bakeoff` stays instant."""
    for room, names in _ROOMS.items():
        if name in names:
            return getattr(import_module(room), name)
    raise AttributeError(f"module 'bakeoff' has no attribute {name!r}")
