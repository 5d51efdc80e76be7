"""Rubrics by name or from a file."""

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from bakeoff.errors import TaskError
from bakeoff.judging.rubric import Rubric, rubric_of


def read_rubric(ref: str) -> Rubric:
    """The rubric in a YAML or JSON file, or one that comes with bakeoff, by its name: `rag/groundedness`.

    A file of that name comes first.

    Raises:
        TaskError: neither there, not readable, or no rubric.
    """
    path = Path(ref)
    if path.is_file():
        return rubric_of(_mapping(path, ref), place=f"{ref}: rubric")
    known = built_in_rubrics()
    if ref not in known:
        raise TaskError(
            f"there is no rubric {ref}: no such file, and none of that name comes with bakeoff",
            f"name a YAML or JSON file, or one of {', '.join(known)}",
        )
    room, _, name = ref.partition("/")
    return rubric_of(_mapping(_folder() / room / f"{name}.yaml", ref), place=f"{ref}: rubric")


@cache
def built_in_rubrics() -> tuple[str, ...]:
    """The names of the rubrics that come with bakeoff, in alphabetical order."""
    rooms = [room for room in _folder().iterdir() if room.is_dir()]
    found = (f"{room.name}/{file.name}" for room in rooms for file in room.iterdir())
    return tuple(sorted(name.removesuffix(".yaml") for name in found if name.endswith(".yaml")))


def _folder() -> Traversable:
    return files("bakeoff.judging") / "rubrics"


def _mapping(file: Traversable | Path, ref: str) -> dict[str, Any]:
    import yaml

    try:
        value = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise TaskError(f"the rubric {ref} cannot be read: {error}") from None
    except yaml.YAMLError as error:
        raise TaskError(f"the rubric {ref} is neither YAML nor JSON: {error}") from None
    if not isinstance(value, dict):
        raise TaskError(
            f"the rubric {ref} holds no `key: value` lines, and must start with `kind`",
            "docs/guide/judges.md has a rubric of each kind to start from",
        )
    return value
