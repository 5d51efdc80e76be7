"""An audit of a judge: what its recorded verdicts on pairs say about it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from bakeoff.errors import StoreError, TaskError
from bakeoff.judging.agreement import WithPeople, with_people
from bakeoff.judging.consistency import Consistency, consistency
from bakeoff.judging.position import PositionBias, Winner, position_bias
from bakeoff.judging.prompt import orders
from bakeoff.judging.verbosity import VerbosityBias, verbosity_bias

_KEYS = {"item", "order", "winner", "better", "lengths"}


@dataclass(frozen=True, slots=True)
class Judgement:
    """One verdict on a pair.

    `swapped` says that answer 1 was read first. `winner` is the answer that won, `better` the one people
    prefer, each 0 or 1 whichever was read first, or None. `lengths` are those of both answers, in any unit.
    """

    item: str
    swapped: bool
    winner: Winner
    better: Winner = None
    lengths: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Audit:
    """What can be said of a judge; None where its verdicts do not tell.

    `without_winner` counts verdicts that were ties or unreadable. `people` is from one verdict on each pair,
    in an order drawn by item; `position` from the first in either order; `verbosity` from all of a pair;
    `repeats` from several in one order.
    """

    pairs: int
    verdicts: int
    without_winner: int
    people: WithPeople | None
    position: PositionBias | None
    verbosity: VerbosityBias | None
    repeats: Consistency | None


def audit(judgements: Iterable[Judgement], *, level: float = 0.95, seed: int = 0) -> Audit:
    """Agreement with people, position and verbosity bias, and self-consistency of one judge.

    Raises:
        TaskError: no verdict, or a pair whose verdicts name different preferences or lengths.
        ValueError: level outside (0, 1).
    """
    pairs: dict[str, list[Judgement]] = defaultdict(list)
    for each in judgements:
        known = pairs[each.item]
        if known and (known[0].better, known[0].lengths) != (each.better, each.lengths):
            raise TaskError(f"item {each.item!r:.80}: its verdicts name different `better` or `lengths`")
        known.append(each)
    if not pairs:
        raise TaskError("there is no verdict to audit", "one JSON object a line: docs/guide/judges.md")
    all_verdicts = list(pairs.values())
    measured = [
        (verdicts, verdicts[0].lengths) for verdicts in all_verdicts if verdicts[0].lengths is not None
    ]
    in_both = [
        (_in_order(verdicts, swapped=False)[0].winner, _in_order(verdicts, swapped=True)[0].winner)
        for verdicts in all_verdicts
        if len({each.swapped for each in verdicts}) == 2
    ]
    return Audit(
        pairs=len(pairs),
        verdicts=sum(map(len, all_verdicts)),
        without_winner=sum(each.winner is None for verdicts in all_verdicts for each in verdicts),
        people=with_people(
            [_drawn(item, verdicts, seed).winner for item, verdicts in pairs.items()],
            [verdicts[0].better for verdicts in all_verdicts],
            (0, 1),
            level=level,
            seed=seed,
        ),
        position=position_bias(*zip(*in_both, strict=True), level=level) if in_both else None,
        verbosity=verbosity_bias(
            [[each.winner for each in verdicts] for verdicts, _ in measured],
            [verdicts[0].better for verdicts, _ in measured],
            [lengths for _, lengths in measured],
            level=level,
        ),
        repeats=consistency(list(map(_longest, all_verdicts)), (0, 1), level=level, seed=seed),
    )


def read_judgements(path: Path) -> list[Judgement]:
    """The verdicts in a file of one JSON object a line: `item`, `order`, `winner`, and `better` and `lengths`
    where they are known.

    Raises:
        StoreError: the file cannot be read.
        TaskError: a line that is no verdict, with its number and field.
    """
    try:
        lines = path.read_bytes().removeprefix(b"\xef\xbb\xbf").splitlines()
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror or error}") from None
    return [_judgement(line, f"{path}:{number}") for number, line in enumerate(lines, 1) if line.strip()]


def _judgement(line: bytes, place: str) -> Judgement:
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise TaskError(f"{place}: this is not JSON: {error.msg}", "one JSON object a line") from None
    if not isinstance(row, dict):
        raise TaskError(f"{place}: a verdict is a JSON object, got {type(row).__name__}")
    if unknown := [key for key in row if key not in _KEYS]:
        known = ", ".join(sorted(_KEYS))
        raise TaskError(f"{place}: there is no key {unknown[0]!r:.40}", f"the keys are {known}")
    if not isinstance(row.get("item"), str):
        raise TaskError(f"{place}: item: must be a text, got {row.get('item')!r:.40}")
    if row.get("order") not in ([0, 1], [1, 0]):
        raise TaskError(
            f"{place}: order: must be [0, 1] or [1, 0], got {row.get('order')!r:.40}",
            "the answers, numbered from 0, as the judge read them",
        )
    return Judgement(
        row["item"],
        row["order"] == [1, 0],
        _winner(row, "winner", place),
        _winner(row, "better", place),
        _lengths(row, place),
    )


def _winner(row: Mapping[str, Any], key: str, place: str) -> Winner:
    value = row.get(key)
    if value is None or (type(value) is int and value in (0, 1)):
        return value
    raise TaskError(f"{place}: {key}: must be 0, 1 or null, got {value!r:.40}", "null: a tie, or unreadable")


def _lengths(row: Mapping[str, Any], place: str) -> tuple[float, float] | None:
    match row.get("lengths"):
        case None:
            return None
        case [one, other] if all(type(each) in (int, float) and each >= 0 for each in (one, other)):
            return float(one), float(other)
        case value:
            raise TaskError(f"{place}: lengths: must be two numbers from 0, got {value!r:.40}")


def _in_order(verdicts: list[Judgement], *, swapped: bool) -> list[Judgement]:
    return [each for each in verdicts if each.swapped is swapped]


def _drawn(item: str, verdicts: list[Judgement], seed: int) -> Judgement:
    """The first verdict in the order drawn for the pair, so that a lean to a place favours neither answer."""
    swapped = orders(seed, "judge audit", item)[0] == (1, 0)
    return (_in_order(verdicts, swapped=swapped) or verdicts)[0]


def _longest(verdicts: list[Judgement]) -> list[Winner]:
    """The winners in the order with more verdicts: the pair's other order is not independent of it."""
    both = (_in_order(verdicts, swapped=swapped) for swapped in (False, True))
    return [each.winner for each in max(both, key=len)]
