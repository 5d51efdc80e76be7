"""People's labels of what a judge judged: one JSON object a line, each an answer or a pair."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bakeoff.errors import TaskError
from bakeoff.judging.lines import is_number, json_lines, listed
from bakeoff.judging.rubric import TIE, Criterion, Rubric

Said = int | float | str
"""What one person says by one criterion: a grade from 1, the share of units at the best level, or the answer
of a pair that is better, 0, 1 or `tie`."""


@dataclass(frozen=True, slots=True)
class Label:
    """What people say of one answer, or of one pair, by one criterion; one of them or several.

    `run` is the id of the run whose answer it is, where the file says so. `draw` is its place in the order in
    which answers were drawn at random, where they were, and `seed` what that order was drawn with.
    """

    item: str
    repeat: int
    run: str | None
    criterion: str
    said: tuple[Said, ...]
    draw: int | None = None
    seed: int | None = None


def read_labels(paths: Sequence[Path], rubric: Rubric) -> list[Label]:
    """The labels in files such as `bakeoff judge sample` writes, by this rubric.

    A line has `item` and `people`: what is said by each criterion (by the only one it may stand alone), or a
    list with what each of several people says, or null where nobody has said anything yet. Of a pair people
    name the place in `answers`; where the line has an `order`, that is where the answers were put. All other
    keys are for people to read.

    Raises:
        StoreError: a file cannot be read.
        TaskError: a line that is no label by this rubric, with its number and field, or that is there twice.
    """
    found: list[Label] = []
    places: dict[tuple[str | None, str, int], str] = {}
    for path in paths:
        for place, row in json_lines(path):
            key = (_optional(row, "run", str, place), _item(row, place), row.get("repeat", 0))
            if key in places:
                raise TaskError(f"{place}: the item {key[1]!r:.80} is labelled in {places[key]} too")
            places[key] = place
            for criterion, said in _people(row, rubric, place).items():
                found.append(
                    Label(
                        key[1],
                        _optional(row, "repeat", int, place) or 0,
                        key[0],
                        criterion,
                        said,
                        _optional(row, "draw", int, place),
                        _optional(row, "seed", int, place),
                    )
                )
    return found


def label_value(said: Said, criterion: Criterion, rubric: Rubric) -> float:
    """What a label is worth as a score in [0, 1], as the same from a judge would be."""
    if rubric.kind == "grades":
        return criterion.value(int(said))
    if rubric.kind == "units":
        return float(said)
    return {0: 1.0, 1: 0.0, TIE: 0.5}[said]


def _people(row: Mapping[str, Any], rubric: Rubric, place: str) -> dict[str, tuple[Said, ...]]:
    if "people" not in row:
        raise TaskError(f"{place}: people: is missing", "what people say, or null where they have not yet")
    names = [each.name for each in rubric.criteria]
    given = row["people"]
    if not isinstance(given, dict):
        if len(names) > 1 and given is not None:
            raise TaskError(
                f"{place}: people: must say by which criterion, got {given!r:.40}",
                f"the criteria of the rubric are {', '.join(names)}",
            )
        given = {names[0]: given}
    if unknown := [name for name in given if name not in names]:
        raise TaskError(
            f"{place}: people: there is no criterion {unknown[0]!r:.40}",
            f"the criteria of the rubric are {', '.join(names)}",
        )
    order = row.get("order", [0, 1])
    if order not in ([0, 1], [1, 0]):
        raise TaskError(f"{place}: order: must be [0, 1] or [1, 0], got {order!r:.40}")
    return {
        each.name: tuple(
            _said(value, each, rubric, order, f"{place}: people.{each.name}")
            for value in listed(given.get(each.name))
            if value is not None
        )
        for each in rubric.criteria
    }


def _said(value: Any, criterion: Criterion, rubric: Rubric, order: list[int], place: str) -> Said:
    if rubric.kind == "pairwise":
        if type(value) is int and value in (0, 1):
            return order[value]
        if value == TIE and rubric.ties:
            return TIE
        ties = f" or {TIE}" if rubric.ties else ""
        raise TaskError(
            f"{place}: must be 0, 1{ties}, got {value!r:.40}", "the place in `answers` of the better one"
        )
    if rubric.kind == "units":
        if is_number(value) and 0 <= value <= 1:
            return float(value)
        raise TaskError(
            f"{place}: must be a share from 0 to 1, got {value!r:.40}", "of the units at the best level"
        )
    levels = len(criterion.levels)
    if type(value) is int and 1 <= value <= levels:
        return value
    raise TaskError(f"{place}: must be a grade from 1 to {levels}, got {value!r:.40}", "1 is the worst level")


def _item(row: Mapping[str, Any], place: str) -> str:
    item = row.get("item")
    if not isinstance(item, str):
        raise TaskError(f"{place}: item: must be a text, got {item!r:.40}")
    return item


def _optional(row: Mapping[str, Any], key: str, kind: type, place: str) -> Any:
    value = row.get(key)
    if value is not None and type(value) is not kind:
        names = {str: "a text", int: "a whole number"}
        raise TaskError(f"{place}: {key}: must be {names[kind]}, got {value!r:.40}")
    return value
