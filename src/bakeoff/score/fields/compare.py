"""Two JSON values compared field by field."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from bakeoff.score.fields.scalars import Exact, Scalar
from bakeoff.score.fields.shapes import Ignored, ListOf, ObjectOf, Shape, Typed

Verdict = Literal["right", "wrong", "missing", "hallucinated", "absent"]
"""Of one field: `missing` where the target alone gives it, `hallucinated` where the answer alone does,
`absent` where neither does. Null, a blank text, and objects and lists of nothing else are not given."""
VERDICTS: tuple[Verdict, ...] = ("right", "wrong", "missing", "hallucinated", "absent")

MOST_VALUES = 10_000
"""Single values in an answer or a target."""
MOST_PAIRS = 250_000
"""Pairs of a value of one list and one of the other, where the lists are aligned by similarity."""
_DEEPEST = 30
"""Levels of a target."""


class Judged(NamedTuple):
    """A field and its verdict.

    `path` is `lines[0].sku`, counting from 0 in the target; `lines[+0].sku` is of an element that only the
    answer has, counting in the answer.
    """

    path: str
    verdict: Verdict


class TooManyError(ValueError):
    """Lists too long to be aligned."""


class GoldError(ValueError):
    """A target that cannot be compared: where, and why."""


def compare(shape: Shape, said: Any, gold: Any, path: str = "") -> list[Judged]:
    """The verdict on every field of `gold`, then on those that `shape` names, then on what only `said` has.

    `gold` has gone through `check_gold`. Of a field whose answer has another structure than the target, an
    object say that was answered by a text, every single value of the target is wrong.

    Raises:
        TooManyError: two lists of so many values that they are not aligned by similarity.
    """
    return list(_compare(shape, said, gold, path))


def check_gold(shape: Shape, gold: Any, path: str = "", depth: int = 0) -> None:
    """Whether a target can be compared by `shape`.

    Raises:
        GoldError: it cannot.
    """
    if depth > _DEEPEST:
        raise GoldError(f"{path} is nested deeper than {_DEEPEST}")
    shape = _resolved(shape, gold)
    if isinstance(shape, Ignored) or not (_given(gold) or isinstance(gold, dict | list)):
        return
    if isinstance(shape, ObjectOf):
        if not isinstance(gold, dict):
            raise GoldError(f"{path or 'it'} must be an object, got {gold!r:.40}")
        for name, value in gold.items():
            if not shape.open and name not in shape.fields:
                raise GoldError(f"{_under(path, name)} is not named in `fields`: name it, or write `ignore`")
            check_gold(shape.shape(name), value, _under(path, name), depth + 1)
    elif isinstance(shape, ListOf):
        if not isinstance(gold, list):
            raise GoldError(f"{path} must be a list, got {gold!r:.40}")
        for index, value in enumerate(gold):
            check_gold(shape.element, value, f"{path}[{index}]", depth + 1)
        _check_list(shape, gold, path)
    elif _given(gold) and (flaw := shape.flaw(gold)):
        raise GoldError(f"{path} {flaw}, got {gold!r:.40}")


def leaves(shape: Shape, value: Any, path: str = "") -> Iterator[str]:
    """The paths of the single values that are given in `value`."""
    if isinstance(shape, Ignored) or not _given(value):
        return
    shape = _resolved(shape, value)
    if isinstance(shape, ObjectOf) and isinstance(value, dict):
        for name, each in value.items():
            yield from leaves(shape.shape(name), each, _under(path, name))
    elif isinstance(shape, ListOf) and isinstance(value, list):
        for index, each in enumerate(value):
            yield from leaves(shape.element, each, f"{path}[{index}]")
    else:
        yield path


def kind_of(path: str) -> str:
    """The field of which `path` is one value: `lines[].sku` for `lines[0].sku`."""
    return re.sub(r"\[\+?\d+\]", "[]", path)


def _compare(shape: Shape, said: Any, gold: Any, path: str) -> Iterator[Judged]:
    shape = _resolved(shape, gold if _given(gold) else said)
    if isinstance(shape, Ignored):
        return
    if isinstance(shape, ObjectOf):
        yield from _objects(shape, said, gold, path)
    elif isinstance(shape, ListOf):
        yield from _lists(shape, said, gold, path)
    elif not _given(gold):
        yield Judged(path, "hallucinated" if _given(said) else "absent")
    elif not _given(said):
        yield Judged(path, "missing")
    else:
        yield Judged(path, "right" if shape.same(said, gold) else "wrong")


def _objects(shape: ObjectOf, said: Any, gold: Any, path: str) -> Iterator[Judged]:
    wanted = gold if isinstance(gold, dict) else {}
    found = said if _given(said) else {}
    if not isinstance(found, dict):
        yield from _another_structure(shape, gold, path)
        return
    # A name nobody asked for that gives nothing is no field.
    more = (
        name
        for name, value in found.items()
        if name not in shape.fields and next(leaves(shape.shape(name), value), None) is not None
    )
    for name in dict.fromkeys((*wanted, *shape.fields, *more)):
        yield from _compare(shape.shape(name), found.get(name), wanted.get(name), _under(path, name))


def _lists(shape: ListOf, said: Any, gold: Any, path: str) -> Iterator[Judged]:
    wanted = gold if isinstance(gold, list) else []
    found = said if _given(said) else []
    if not isinstance(found, list):
        yield from _another_structure(shape, gold, path)
        return
    pairs = _pairing(shape)(shape, found, wanted, path)
    for index, value in enumerate(wanted):
        if index in pairs:
            yield from pairs[index][1]
        else:
            yield from (Judged(each, "missing") for each in leaves(shape.element, value, f"{path}[{index}]"))
    paired = {index for index, _ in pairs.values()}
    for index, value in enumerate(found):
        if index not in paired:
            more = leaves(shape.element, value, f"{path}[+{index}]")
            yield from (Judged(each, "hallucinated") for each in more)


def _another_structure(shape: Shape, gold: Any, path: str) -> Iterator[Judged]:
    expected = list(leaves(shape, gold, path))
    yield from (Judged(each, "wrong") for each in expected)
    if not expected:
        yield Judged(path, "hallucinated")


_Pairs = Mapping[int, tuple[int, Sequence[Judged]]]
"""From an element of the target to one of the answer and the verdicts on their fields."""


def _pairing(shape: ListOf) -> Callable[[ListOf, Sequence[Any], Sequence[Any], str], _Pairs]:
    if shape.key is not None:
        return _by_key
    return _by_position if shape.in_order else _by_similarity


def _by_position(shape: ListOf, said: Sequence[Any], gold: Sequence[Any], path: str) -> _Pairs:
    """The first with the first. One element too many near the start makes all that follow wrong."""
    return {
        index: (index, compare(shape.element, each, wanted, f"{path}[{index}]"))
        for index, (each, wanted) in enumerate(zip(said, gold, strict=False))
    }


def _by_key(shape: ListOf, said: Sequence[Any], gold: Sequence[Any], path: str) -> _Pairs:
    """Elements of one key. Of several in the answer the first counts."""
    assert isinstance(shape.element, ObjectOf)
    assert shape.key is not None
    key = shape.key
    kind = shape.element.shape(key)
    left = {
        index: each[key]
        for index, each in enumerate(said)
        if isinstance(each, dict) and _given(each.get(key))
    }
    pairs: dict[int, tuple[int, Sequence[Judged]]] = {}
    for index, wanted in enumerate(gold):
        match = next((other for other, value in left.items() if _same(kind, value, wanted[key])), None)
        if match is not None:
            del left[match]
            pairs[index] = match, compare(shape.element, said[match], wanted, f"{path}[{index}]")
    return pairs


def _by_similarity(shape: ListOf, said: Sequence[Any], gold: Sequence[Any], path: str) -> _Pairs:
    """The pairing with the most right fields (Kuhn 1955); of equal ones, that which moves elements least.

    What is given and what is expected is the same under every pairing, so this one also has the highest F1.
    Elements without a right field between them stay alone.
    """
    if not said or not gold:
        return {}
    if _values(shape, said) * _values(shape, gold) > MOST_PAIRS:
        raise TooManyError(f"{path} has too many elements to be aligned by similarity")
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    compared = [
        [compare(shape.element, each, wanted, f"{path}[{index}]") for each in said]
        for index, wanted in enumerate(gold)
    ]
    right = np.array([[sum(each.verdict == "right" for each in cell) for cell in row] for row in compared])
    moved = np.abs(np.arange(len(gold))[:, None] - np.arange(len(said))[None, :])
    # Together all moves are less than one right field.
    worth = right - moved / (1 + moved.max()) / (1 + min(len(gold), len(said)))
    return {
        index: (other, compared[index][other])
        for index, other in zip(
            *(side.tolist() for side in linear_sum_assignment(worth, maximize=True)), strict=True
        )
        if right[index, other]
    }


def _check_list(shape: ListOf, gold: Sequence[Any], path: str) -> None:
    if shape.in_order:
        return
    if shape.key is None:
        if _values(shape, gold) ** 2 > MOST_PAIRS:
            raise GoldError(f"{path} is too long to be aligned by similarity: give the list a `key`")
        return
    assert isinstance(shape.element, ObjectOf)
    kind, seen = shape.element.shape(shape.key), list[Any]()
    for index, each in enumerate(gold):
        value = each.get(shape.key) if isinstance(each, dict) else None
        if not _given(value):
            raise GoldError(f"{path}[{index}] has no {shape.key}, the key of the list")
        if any(_same(kind, value, other) for other in seen):
            raise GoldError(f"{path}[{index}] has the same {shape.key} as another: {value!r:.40}")
        seen.append(value)


def _same(kind: Shape, said: Any, gold: Any) -> bool:
    single = _resolved(kind, gold)
    assert not isinstance(single, Ignored | ObjectOf | ListOf)
    return single.same(said, gold)


def _values(shape: ListOf, elements: Sequence[Any]) -> int:
    return sum(1 for _ in leaves(shape, list(elements)))


def _resolved(shape: Shape, value: Any) -> Ignored | ObjectOf | ListOf | Scalar:
    """What `Typed` is for `value`; every other shape is itself."""
    if not isinstance(shape, Typed):
        return shape
    if isinstance(value, dict):
        return ObjectOf({}, open=True)
    return ListOf(shape) if isinstance(value, list) else Exact()


def _given(value: Any) -> bool:
    """Whether there is anything in it: neither null, a blank text, nor an object or list of nothing else."""
    if isinstance(value, dict):
        return any(map(_given, value.values()))
    if isinstance(value, list):
        return any(map(_given, value))
    return bool(value.strip()) if isinstance(value, str) else value is not None


def _under(path: str, name: str) -> str:
    step = _step(name)
    return f"{path}.{step}" if path and not step.startswith("[") else f"{path}{step}"


@lru_cache(maxsize=4096)
def _step(name: str) -> str:
    return name if re.fullmatch(r"[\w-]{1,40}", name) else f"[{name[:40]!r}]"
