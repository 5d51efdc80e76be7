"""A scorer's options: checked where a task names them, and part of its id where they move a score."""

import difflib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import lru_cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from bakeoff.errors import TaskError


def check_options(name: str, scorer_class: type[Any], options: Mapping[str, Any]) -> None:
    """Whether `options` fit the fields of the dataclass `scorer_class`.

    Raises:
        TaskError: an unknown option, a value of the wrong type, or a required option that is absent.
    """
    types = get_type_hints(scorer_class)
    known = {field.name: types[field.name] for field in fields(scorer_class)}
    valid = ", ".join(f"{option} ({_describe(kind)})" for option, kind in known.items()) or "none"
    for option, value in options.items():
        if option not in known:
            near = difflib.get_close_matches(option, known, n=1)
            did_you_mean = f"Did you mean `{near[0]}`? " if near else ""
            raise TaskError(
                f"scorer {name}: it has no option {option!r:.80}",
                f"{did_you_mean}Its options are: {valid}.",
            )
        if not _fits(value, known[option]):
            raise TaskError(
                f"scorer {name}: option `{option}` cannot be {value!r:.80}",
                f"It must be {_describe(known[option])}.",
            )
    for field in fields(scorer_class):
        if field.default is MISSING and field.default_factory is MISSING and field.name not in options:
            raise TaskError(
                f"scorer {name}: option `{field.name}` is missing",
                f"Write `scorer: {{name: {name}, {field.name}: …}}`. Its options are: {valid}.",
            )


@lru_cache(maxsize=256)
def identifier(scorer: Any) -> str:
    """`name@version`, with the options that differ from their defaults, sorted: `number@1(take=first)`.

    `scorer` is a frozen dataclass whose class has `name` and `version`.
    """
    moved = sorted(
        f"{field.name}={_written(getattr(scorer, field.name))}"
        for field in fields(scorer)
        if getattr(scorer, field.name) != field.default
    )
    base = f"{scorer.name}@{scorer.version}"
    return f"{base}({','.join(moved)})" if moved else base


def _written(value: object) -> str:
    if isinstance(value, str) and re.fullmatch(r"[\w.+-]+", value):
        return value
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _fits(value: object, kind: Any) -> bool:
    if get_origin(kind) is Literal:
        # YAML reads 1 and true; neither is the text "1" or "true".
        return any(value == choice and type(value) is type(choice) for choice in get_args(kind))
    if _is_union(kind):
        return any(_fits(value, part) for part in get_args(kind))
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return type(value) is kind


def _is_union(kind: Any) -> bool:
    """Whether it is `int | None`, or `Literal["a"] | None`, which is a union of another type."""
    return isinstance(kind, UnionType) or get_origin(kind) is Union


def _describe(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return " | ".join(map(str, get_args(kind)))
    if _is_union(kind):
        return " | ".join(_describe(part) for part in get_args(kind))
    words = {bool: "true | false", float: "a number", int: "a whole number", str: "a text", dict: "a mapping"}
    return words.get(kind, str(kind))
