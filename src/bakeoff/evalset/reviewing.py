"""A named person says of each proposed case whether it enters the set."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from bakeoff.errors import BakeoffError
from bakeoff.evalset.freezing import now
from bakeoff.evalset.pending import Case, Pending, read_pending, write_pending
from bakeoff.evalset.reading import ItemSet
from bakeoff.task import item_digest

Decision = Literal["accepted", "rejected"]


def review(
    found: ItemSet,
    ids: Sequence[str],
    decision: Decision,
    *,
    reviewer: str,
    reason: str,
    target: Any = None,
) -> tuple[Case, ...]:
    """Accept or reject proposed cases, by id; an earlier review of a case is replaced until the release.

    `target` is what is right, for one case that came without, or with the wrong one. Returns the cases as
    they are now.

    Raises:
        BakeoffError: no name or no reason, an id that is not proposed, a case without a target to accept, or
            a `target` for several.
        StoreError: the pending file cannot be read or written.
    """
    _check(reviewer, reason, ids, target)
    pending = read_pending(found.file)
    known = {case.id: case for case in pending.cases}
    for unknown in (name for name in ids if name not in known):
        waiting = ", ".join(case.id for case in pending.of("pending")[:8]) or "none"
        raise BakeoffError(f"no case {unknown!r} was proposed for {found.file}", f"waiting: {waiting}")
    changed = {
        name: _reviewed(found, known[name], decision, reviewer.strip(), reason.strip(), target)
        for name in ids
    }
    write_pending(found.file, Pending(cases=tuple(changed.get(case.id, case) for case in pending.cases)))
    return tuple(changed[name] for name in ids)


def waiting(items: Path) -> tuple[Case, ...]:
    """The cases nobody has reviewed yet."""
    return read_pending(items).of("pending")


def _check(reviewer: str, reason: str, ids: Sequence[str], target: Any) -> None:
    if not reviewer.strip():
        raise BakeoffError("a review needs the name of who reviewed", "add --by NAME")
    if not reason.strip():
        raise BakeoffError("a review needs its reason", "add --reason TEXT")
    if not ids:
        raise BakeoffError("no case named", "give the ids of the cases, as `bakeoff set review` lists them")
    if target is not None and len(ids) > 1:
        raise BakeoffError("a target is for one case", "review them one by one")


def _reviewed(
    found: ItemSet, case: Case, decision: Decision, reviewer: str, reason: str, target: Any
) -> Case:
    row = case.row if target is None else case.row | {found.fields.target or "target": target}
    item = found.item(row)
    if decision == "accepted" and item.target == ():
        raise BakeoffError(
            f"the case {case.id} says nothing of what is right", "accept it with --target ANSWER"
        )
    return case.model_copy(
        update={
            "row": row,
            "digest": item_digest(item),
            "state": decision,
            "reviewer": reviewer,
            "reason": reason,
            "reviewed": now(),
        }
    )
