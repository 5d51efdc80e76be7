"""Stage new cases for a set: what it holds already is left out, what is much like it is marked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bakeoff.errors import BakeoffError
from bakeoff.evalset.freezing import now
from bakeoff.evalset.lock import read_lock
from bakeoff.evalset.pending import Case, Near, Pending, read_pending, write_pending
from bakeoff.evalset.reading import ItemSet
from bakeoff.nouns import Item
from bakeoff.task import item_digest
from bakeoff.task.content import content_key

NEAR = 90.0
_NAMED = 3


@dataclass(frozen=True, slots=True)
class Proposal:
    """What became of the rows of a file: `staged` cases, and ids left out by the reason."""

    staged: tuple[Case, ...]
    left_out: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def propose(found: ItemSet, source: Path, *, near: float = NEAR) -> Proposal:
    """Put the cases of `source`, whose columns are those of the set, into the set's pending file.

    Left out are cases that the set holds, that are pending, and that were rejected: the same input, choices
    and target; and those whose id is taken by something else. A case whose input is at least `near`, in
    [0, 100], like that of another is staged with the names of up to three. The set itself is not touched.

    Raises:
        BakeoffError: `near` is out of its range, or rapidfuzz is not installed.
        StoreError: the set is not frozen.
        TaskError: the items, or a row of `source`, cannot be read.
    """
    if not 0 < near <= 100:
        raise BakeoffError(f"near is a similarity above 0 and up to 100, got {near}", "90 is the default")
    read_lock(found.file)
    before = read_pending(found.file)
    known = _Known(near)
    for item in found.items():
        known.add(item, "in the set")
    for case in before.cases:
        known.add(found.item(case.row), "rejected before" if case.state == "rejected" else case.state)
    staged: list[Case] = []
    left_out: dict[str, list[str]] = {}
    for number, item in enumerate(found.items(source), 1):
        digest = item_digest(item)
        if reason := known.reason(item, digest):
            left_out.setdefault(reason, []).append(item.id)
            continue
        row = dict(item.fields)
        row = row if found.fields.id or "id" in row else {"id": item.id} | row
        staged.append(
            Case(
                id=item.id,
                digest=digest,
                row=row,
                source=f"{source.name}:{number}",
                proposed=now(),
                near=known.near(item),
            )
        )
        known.add(item, "proposed twice")
    write_pending(found.file, Pending(cases=(*before.cases, *staged)))
    return Proposal(tuple(staged), {reason: tuple(ids) for reason, ids in left_out.items()})


class _Known:
    """What there is already: by digest, by id, by what is asked, and by the words of the input."""

    def __init__(self, near: float) -> None:
        self._near = near
        self._digests: dict[str, str] = {}
        self._ids: set[str] = set()
        self._asked: dict[bytes, list[str]] = {}
        self._inputs: dict[str, str] = {}

    def add(self, item: Item, where: str) -> None:
        self._digests.setdefault(item_digest(item), where)
        self._ids.add(item.id)
        self._asked.setdefault(content_key(item), []).append(item.id)
        self._inputs[item.id] = _words(item)

    def reason(self, item: Item, digest: str) -> str:
        """Why a case is left out; empty for one that is new."""
        if digest in self._digests:
            return self._digests[digest]
        return "its id is taken" if item.id in self._ids else ""

    def near(self, item: Item) -> tuple[Near, ...]:
        fuzz, process = _similarity()
        same = self._asked.get(content_key(item), [])
        found = [Near(id=other, score=100.0, other_target=True) for other in same]
        alike = process.extract(
            _words(item), self._inputs, scorer=fuzz.ratio, score_cutoff=self._near, limit=_NAMED + len(same)
        )
        found += [Near(id=other, score=round(score, 1)) for _, score, other in alike if other not in same]
        return tuple(found[:_NAMED])


def _similarity() -> tuple[Any, Any]:
    try:
        from rapidfuzz import fuzz, process
    except ModuleNotFoundError:
        raise BakeoffError(
            "near duplicates are found with rapidfuzz, which is not installed", "pip install 'bakeoff[score]'"
        ) from None
    return fuzz, process


def _words(item: Item) -> str:
    text = item.input if isinstance(item.input, str) else "\n".join(each.text for each in item.input)
    return " ".join(text.split()).casefold()
