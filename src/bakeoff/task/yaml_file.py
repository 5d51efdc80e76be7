"""Read a task file, and remember on which line each key stands."""

import re
from pathlib import Path
from typing import Any

import yaml

from bakeoff.errors import TaskError
from bakeoff.task.origin import Mark, Origin
from bakeoff.task.spec import Place, dotted


def read_yaml(
    path: Path,
    *,
    what: str = "a task file holds `key: value` lines, starting with `name`",
    hint: str = "`bakeoff task new` writes one to start from.",
) -> tuple[dict[str, Any], Origin]:
    """The mapping in a YAML file, and its origin. `what` and `hint` are for a file that is no mapping.

    Plain words are read as in YAML 1.2: only `true` and `false` are booleans, so a choice `no` stays a
    text, and so do dates, `12:30` and `007`.

    Raises:
        TaskError: not readable, not UTF-8, not YAML, not a mapping, or a key that is there twice.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise TaskError(f"{path} cannot be read: {error}") from None
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        marks: dict[Place, Mark] = {}
        if node is not None:
            _mark(node, (), marks, str(path))
        value = None if node is None else loader.construct_document(node)
    except yaml.YAMLError as error:
        raise TaskError(f"{path}{_line_of(error)}: this is not YAML: {_problem(error)}") from None
    if not isinstance(value, dict):
        raise TaskError(f"{path}: {what}", hint)
    return value, Origin(str(path), path.parent, marks)


def read_scalar(text: str) -> Any:
    """The value of one plain word as in a task file: `32000` is a number, `true` a boolean, `no` a text.

    What is no scalar stays the text it is.
    """
    try:
        value = yaml.load(text, Loader=_Loader)  # noqa: S506 (a safe loader)
    except yaml.YAMLError:
        return text
    return text if isinstance(value, dict | list) else value


_Safe: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Safe):  # type: ignore[misc]
    """The safe loader with the plain words of the YAML 1.2 core schema."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 (yaml's own name)


for _tag, _pattern, _first in (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?(?:0|[1-9][0-9]*)", "-+0123456789"),
    (
        "float",
        r"[-+]?(?:(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+)",
        "-+.0123456789",
    ),
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("merge", r"<<", "<"),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(f"^(?:{_pattern})$"), list(_first))


def _mark(
    node: yaml.Node, place: Place, marks: dict[Place, Mark], file: str, line: int | None = None
) -> None:
    start: int = node.start_mark.line + 1
    block = isinstance(node, yaml.ScalarNode) and node.style in ("|", ">")
    marks[place] = Mark(line or start, start if block else start - 1)
    if isinstance(node, yaml.SequenceNode):
        for index, child in enumerate(node.value):
            _mark(child, (*place, index), marks, file)
    elif isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, child in node.value:
            key_line = key.start_mark.line + 1
            if key.tag == "tag:yaml.org,2002:merge":
                continue
            if key.tag != "tag:yaml.org,2002:str":
                raise TaskError(
                    f"{file}:{key_line}: the key {key.value!r} must be a text", "put it in quotes"
                )
            if key.value in seen:
                raise TaskError(f"{file}:{key_line}: {dotted((*place, key.value))}: the key is there twice")
            seen.add(key.value)
            _mark(child, (*place, key.value), marks, file, key_line)


def _line_of(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    return f":{mark.line + 1}" if mark else ""


def _problem(error: yaml.YAMLError) -> str:
    parts = [getattr(error, "context", None), getattr(error, "problem", None)]
    return ", ".join(part for part in parts if part) or str(error)
