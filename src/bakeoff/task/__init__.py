"""What is asked: tasks, their data and their prompts.

Names are imported on first use, so that listing the catalog does not load what reading a task needs.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bakeoff.task.card import Card
    from bakeoff.task.catalog import catalog_index, catalog_names
    from bakeoff.task.content import item_digest
    from bakeoff.task.data import Data
    from bakeoff.task.fields import Fields
    from bakeoff.task.generation import GenerationSettings
    from bakeoff.task.linting import Finding, lint
    from bakeoff.task.load import load_task
    from bakeoff.task.parts import differences, digest_of_parts
    from bakeoff.task.prepared import Prepared, prepare
    from bakeoff.task.prompt import Prompt
    from bakeoff.task.render import Rendered
    from bakeoff.task.shots import Shots
    from bakeoff.task.starters import starter, starter_kinds
    from bakeoff.task.task import Task
    from bakeoff.task.variant import DataOverlay, Variant

_HOMES = {
    "Card": "card",
    "Data": "data",
    "DataOverlay": "variant",
    "Fields": "fields",
    "Finding": "linting",
    "GenerationSettings": "generation",
    "Prepared": "prepared",
    "Prompt": "prompt",
    "Rendered": "render",
    "Shots": "shots",
    "Task": "task",
    "Variant": "variant",
    "catalog_index": "catalog",
    "catalog_names": "catalog",
    "differences": "parts",
    "digest_of_parts": "parts",
    "item_digest": "content",
    "lint": "linting",
    "load_task": "load",
    "prepare": "prepared",
    "starter": "starters",
    "starter_kinds": "starters",
}

__all__ = [
    "Card",
    "Data",
    "DataOverlay",
    "Fields",
    "Finding",
    "GenerationSettings",
    "Prepared",
    "Prompt",
    "Rendered",
    "Shots",
    "Task",
    "Variant",
    "catalog_index",
    "catalog_names",
    "differences",
    "digest_of_parts",
    "item_digest",
    "lint",
    "load_task",
    "prepare",
    "starter",
    "starter_kinds",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
