"""The benchmarks that come with the package: their names, without loading them."""

import re
from collections.abc import Iterable, Iterator
from importlib import resources
from pathlib import Path

from bakeoff.errors import TaskError

_SUITES = "suites"


def catalog_names() -> tuple[str, ...]:
    """The names of the tasks in the catalog, sorted."""
    return tuple(sorted(_files()))


def catalog_index() -> dict[str, str]:
    """Each task's one-line description, by name.

    Reads the first lines of each file only; a listing needs no validation and no data.
    """
    files = _files()
    return {name: _description(files[name]) for name in sorted(files)}


def catalog_by_capability() -> dict[str, dict[str, str]]:
    """The same, by the capability that the tasks are about: the name of their folder."""
    found: dict[str, dict[str, str]] = {}
    for name, path in sorted(_files().items(), key=lambda each: (each[1].parent.name, each[0])):
        found.setdefault(path.parent.name.replace("_", " "), {})[name] = _description(path)
    return found


def catalog_path(name: str) -> Path:
    """The file of a task in the catalog.

    Raises:
        TaskError: there is none of that name.
    """
    files = _files()
    if name not in files:
        import difflib

        near = difflib.get_close_matches(name, files, n=3, cutoff=0.5)
        did_you_mean = f"did you mean {' or '.join(near)}? " if near else ""
        raise TaskError(
            f"there is no task {name!r} in the catalog",
            f"{did_you_mean}`bakeoff task list` shows them; your own task is a path ending in .yaml or .py",
        )
    return files[name]


def suite_index() -> dict[str, str]:
    """The description of each suite of the catalog, by name, sorted."""
    return {path.stem: _description(path) for path in sorted(suite_folder().glob("*.yaml"))}


def suite_folder() -> Path:
    """Where the suites of the catalog lie."""
    return _folder() / _SUITES


def _files() -> dict[str, Path]:
    """Name to file: `catalog/<capability>/<name>.yaml`."""
    return {path.stem: path for path in _folder().rglob("*.yaml") if path.parent.name != _SUITES}


def _folder() -> Path:
    return Path(str(resources.files("bakeoff"))) / "catalog"


def _description(path: Path) -> str:
    import yaml

    with path.open(encoding="utf-8") as lines:
        block = "".join(_block("description", lines))
    value = yaml.safe_load(block) if block else None
    return " ".join(str(value["description"]).split()) if value else ""


def _block(key: str, lines: Iterable[str]) -> Iterator[str]:
    """The lines of one top-level key."""
    inside = False
    for line in lines:
        if re.match(r"[A-Za-z_]+:", line):
            if inside:
                return
            inside = line.startswith(f"{key}:")
        if inside:
            yield line
