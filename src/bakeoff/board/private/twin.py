"""The public twin of a board with private answers: what one develops on.

It asks in the same forms, and shares no item, so that whoever studies it learns how the private board asks
and nothing of what.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bakeoff.board.definition import Board
from bakeoff.digest import digest
from bakeoff.errors import BakeoffError
from bakeoff.task import Prepared, differences, load_task, prepare
from bakeoff.task.content import content_key
from bakeoff.task.suite import load_suite

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Place:
    """Where the items of a task are: a file, a hub data set, a generator, or the task file itself."""

    task: str
    where: str


def check_twin(board: Board, twin: Board) -> None:
    """Whether `twin` may be named as the public twin of `board`. Reads the items of both.

    The same question in other words is not found, nor by another picture: only what is equal but for case,
    white space and the order of choices (`content_key`), among the items and the examples that are shown.

    Raises:
        BakeoffError: `board` is not private, `twin` or a task of it is, a form of asking is on one alone, or
            they share an item.
    """
    if not board.policy.private:
        raise BakeoffError(
            f"{board.name} names a twin and keeps no private answers",
            "leave `twin` out, or set policy.private",
        )
    if twin.name == board.name or twin.policy.private:
        raise BakeoffError(f"{twin.name} is private, and no public twin", "name a board of public tasks")
    if twin.source:
        raise BakeoffError(f"{twin.name} keeps scores that others report", "name a board of public tasks")
    own, public = list(_prepared(board)), list(_prepared(twin))
    for each in public:
        if each.task.private:
            raise BakeoffError(
                f"the task {each.task.name} of {twin.name} is private", "its answers are not told"
            )
    _check_forms(board, own, twin, public)
    _check_forms(twin, public, board, own)
    _check_items(board, own, twin, public)


def places(board: Board) -> list[Place]:
    """Where the items of the tasks of a public board are, in the order of its suites.

    Raises:
        BakeoffError: it keeps private answers.
    """
    if board.policy.private:
        raise BakeoffError(f"the answers of {board.name} do not leave the server")
    return [Place(ref, _where(file)) for ref, file in _refs(board).items()]


def _refs(board: Board) -> dict[str, str]:
    """The tasks of a board by name, and where each is loaded from."""
    suites = [load_suite(each.suite) for each in board.suites]
    return {ref: file for suite in suites for ref, file in zip(suite.refs, suite.asked, strict=True)}


def _prepared(board: Board) -> Iterator[Prepared]:
    for file in _refs(board).values():
        task, variant = load_task(file)
        yield prepare(task, variant)


def _where(ref: str) -> str:
    task, variant = load_task(ref)
    data = task.with_variant(variant).data
    if data.file is not None:
        return str(task.origin.folder / data.file)
    if data.hub is not None:
        revision = f"@{data.revision}" if data.revision else ""
        return f"hub:{data.hub}{revision}, split {data.split}"
    return task.origin.file if data.items is not None else f"{data.generator}, seed {data.seed}, n {data.n}"


def _form(parts: Mapping[str, Any]) -> dict[str, Any]:
    """What a task is made of but for its items: how they are asked and judged."""
    shots = {name: value for name, value in parts["shots"].items() if name not in ("pool", "seed", "task")}
    options = {**parts["options"], "shuffled": bool(parts["options"]["shuffled"])}
    generation = dict(parts["generation"] or {})
    if "constrain" in generation:
        generation["constrain"] = {
            name: value for name, value in generation["constrain"].items() if name != "schemas"
        }
    kept = {name: value for name, value in parts.items() if name not in ("data", "chance")}
    return kept | {"shots": shots, "options": options, "generation": generation}


def _check_forms(one: Board, ones: list[Prepared], other: Board, others: list[Prepared]) -> None:
    forms = [_form(each.parts) for each in others]
    known = {digest(form) for form in forms}
    for each in ones:
        form = _form(each.parts)
        if digest(form) not in known:
            nearest = min((differences(form, there) for there in forms), key=len)
            raise BakeoffError(
                f"no task of {other.name} asks and judges as {each.task.name} of {one.name} does: "
                f"{'; '.join(nearest[:_SHOWN])}",
                "a twin has the same prompts, settings and scorers, with other items",
            )


def _check_items(board: Board, own: list[Prepared], twin: Board, public: list[Prepared]) -> None:
    told = {content_key(item) for each in public for item in each.items()}
    told |= {candidate.key for each in public for group in each.pool.groups.values() for candidate in group}
    shared = [
        f"{each.task.name} {item.id}" for each in own for item in each.items() if content_key(item) in told
    ]
    if shared:
        named = ", ".join(shared[:_SHOWN]) + (" …" if len(shared) > _SHOWN else "")
        raise BakeoffError(
            f"{len(shared):,} items of {board.name} are on {twin.name} too: {named}",
            "take them out of one of the two",
        )
