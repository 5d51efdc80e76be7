"""The tasks there are: those that models were asked here, and all of the catalog."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from bakeoff.run.index import Listed
from bakeoff.task.catalog import catalog_by_capability


@dataclass(frozen=True, slots=True)
class Entry:
    """A task, with how many runs of it there are here, of how many models, and when the newest was made."""

    name: str
    description: str
    runs: int = 0
    models: int = 0
    newest: str = ""


@dataclass(frozen=True, slots=True)
class TasksPage:
    """`asked` are tasks with runs, those with the most models first; `groups` the whole catalog."""

    asked: tuple[Entry, ...]
    groups: Mapping[str, tuple[Entry, ...]]


def tasks_page(runs: Sequence[Listed]) -> TasksPage:
    """The page's data, from the runs there are."""
    by_task: defaultdict[str, list[Listed]] = defaultdict(list)
    for run in runs:
        by_task[run.task].append(run)
    catalog = {name: told for group in _catalog().values() for name, told in group.items()}
    found = {
        name: Entry(
            name,
            catalog.get(name, ""),
            len(of_task),
            len({run.model for run in of_task}),
            max(run.created for run in of_task),
        )
        for name, of_task in by_task.items()
    }
    groups = {
        capability: tuple(found.get(name, Entry(name, told)) for name, told in group.items())
        for capability, group in _catalog().items()
    }
    return TasksPage(tuple(sorted(found.values(), key=lambda each: (-each.models, each.name))), groups)


@cache
def _catalog() -> Mapping[str, Mapping[str, str]]:
    return catalog_by_capability()
