"""The instructions an item gives, with their arguments checked."""

import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

from bakeoff.errors import TaskError
from bakeoff.nouns import Item
from bakeoff.score.instructions.table import CHECKERS


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction: its id (`punctuation:no_comma`), its rule and the rule's arguments."""

    id: str
    check: Callable[..., bool]
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def holds(self, text: str) -> bool:
        """Whether `text` follows it."""
        return self.check(text, **self.arguments)


def given_instructions(item: Item) -> tuple[Instruction, ...]:
    """The instructions that are the item's target, as JSON, or in its metadata.

    Raises:
        TaskError: none, one that is not known, or arguments that are missing, unknown or of the wrong kind.
            Never a default or a random draw: an instruction whose arguments are unknown was not given.
    """
    return tuple(instruction(item.id, name, arguments) for name, arguments in _listed(item))


def instruction(item_id: str, name: object, arguments: object) -> Instruction:
    """One instruction by name; `arguments` that are None count as absent, as in the published files."""
    if not isinstance(name, str) or name not in CHECKERS:
        raise TaskError(
            f"item {item_id}: there is no instruction {name!r:.80}",
            f"The instructions are {', '.join(CHECKERS)}.",
        )
    if not isinstance(arguments, Mapping | None):
        raise TaskError(f"item {item_id}, {name}: kwargs must be a mapping, got {arguments!r:.80}")
    check = CHECKERS[name]
    # IFBench writes `N` where Python names arguments in small letters.
    given = {str(key).lower(): value for key, value in (arguments or {}).items() if value is not None}
    return Instruction(name, check, _fitted(f"item {item_id}, {name}", check, given))


def _listed(item: Item) -> list[tuple[object, object]]:
    listed, names = item.metadata.get("instructions"), item.metadata.get("instruction_id_list")
    if listed is None:
        listed = _in_target(item)
    if listed is None and isinstance(names, list | tuple):
        arguments = item.metadata.get("kwargs")
        if not isinstance(arguments, list | tuple) or len(arguments) != len(names):
            raise TaskError(
                f"item {item.id}: metadata.kwargs must be a list as long as metadata.instruction_id_list",
                f"It has {len(names)} instructions, kwargs is {arguments!r:.80}.",
            )
        listed = [
            {"instruction_id": name, "kwargs": given} for name, given in zip(names, arguments, strict=True)
        ]
    if (
        not isinstance(listed, list | tuple)
        or not listed
        or not all(isinstance(one, Mapping) for one in listed)
    ):
        raise TaskError(
            f"item {item.id}: the ifeval scorer needs instructions as target or in metadata.instructions, "
            f"got {listed!r:.80}",
            "Write a list of {instruction_id: …, kwargs: {…}}, at least one.",
        )
    return [(one.get("instruction_id"), one.get("kwargs")) for one in listed]


def _in_target(item: Item) -> object:
    """The list that the target is in JSON; None where it is anything else."""
    if isinstance(item.target, int) or len(item.target) != 1:
        return None
    try:
        value = json.loads(item.target[0])
    except ValueError:
        return None
    return value if isinstance(value, list) else None


def _fitted(where: str, check: Callable[..., bool], given: Mapping[str, Any]) -> dict[str, Any]:
    kinds = _parameters(check)
    for name in (*given, *kinds):
        if name not in kinds or name not in given:
            what = "is missing" if name in kinds else "is not one of its arguments"
            raise TaskError(f"{where}: `{name}` {what}", f"It takes {', '.join(kinds) or 'no arguments'}.")
    fitted = {name: _as(kind, given[name]) for name, kind in kinds.items()}
    for name, value in fitted.items():
        if value is None:
            raise TaskError(
                f"{where}: `{name}` cannot be {given[name]!r:.80}", f"It must be {_described(kinds[name])}."
            )
    return fitted


@cache
def _parameters(check: Callable[..., bool]) -> dict[str, Any]:
    """A checker's arguments beyond the text, by name, with their types."""
    types = get_type_hints(check)
    return {name: types[name] for name in list(inspect.signature(check).parameters)[1:]}


def _as(kind: Any, value: object) -> Any:
    """`value` as `kind`, or None where it is none."""
    if get_origin(kind) is Literal:
        return value if value in get_args(kind) else None
    if kind is int:
        # Tables that also hold nulls turn whole numbers into floats.
        whole = isinstance(value, int | float) and not isinstance(value, bool) and value == value // 1
        return int(value) if whole and value >= 0 else None  # type: ignore[call-overload, operator]
    if kind is str:
        return value if isinstance(value, str) and value.strip() else None
    if not isinstance(value, list | tuple) or not value:
        return None
    texts = tuple(_as(str, one) for one in value)
    return None if None in texts else texts


def _described(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return " or ".join(repr(choice) for choice in get_args(kind))
    words = {int: "a whole number, 0 or more", str: "a text that is not blank"}
    return words.get(kind, "a list of texts, none of them blank")
