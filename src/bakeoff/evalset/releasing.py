"""A new version of a set: the accepted cases enter it, and the lock tells of them."""

import orjson

from bakeoff.errors import BakeoffError
from bakeoff.evalset.freezing import check, check_version, now, user
from bakeoff.evalset.lock import Changes, Lock, Release, Review, changes, items_digest, write_lock
from bakeoff.evalset.pending import Case, Pending, read_pending, write_pending
from bakeoff.evalset.reading import ItemSet, file_bytes
from bakeoff.store import write_atomically


def release(found: ItemSet, version: str, *, by: str = "", reason: str = "") -> Release:
    """Add the accepted cases to the end of the file, and write the lock of the new version with its history.

    What was changed in the file by hand needs `by`, who reviewed it, and a `reason`. Pending cases wait for
    the next release. Killed at any point, it does the rest when it is called again.

    Raises:
        BakeoffError: nothing to release, a version there was before, changes by hand without a reviewer, or
            a file that is not JSONL.
        StoreError: the set is not frozen, or a file cannot be written.
    """
    lock, since = check(found)
    check_version(version, tuple(each.version for each in lock.history))
    pending = read_pending(found.file)
    accepted = pending.of("accepted")
    by_hand = _by_hand(since, accepted, found)
    _check(found, since, accepted, by_hand, by, reason)
    _append(found, [case for case in accepted if case.id not in since.added])
    digests, digest = found.digests(), found.file_digest()
    moved = changes(lock.items, digests, same_bytes=True)
    made = Release(
        version=version,
        released=now(),
        by=by or user(),
        count=len(digests),
        file_digest=digest,
        items_digest=items_digest(digests),
        added=moved.added,
        removed=moved.removed,
        changed=moved.changed,
        reviews=(
            *(
                Review(
                    id=case.id,
                    reviewer=case.reviewer,
                    reason=case.reason,
                    reviewed=case.reviewed,
                    source=case.source,
                )
                for case in accepted
            ),
            *(Review(id=item, reviewer=by, reason=reason, reviewed=now()) for item in by_hand),
        ),
    )
    write_lock(
        found.file,
        Lock(
            file=found.file.name,
            version=version,
            count=len(digests),
            file_digest=digest,
            items=dict(sorted(digests.items())),
            history=(*lock.history, made),
        ),
    )
    write_pending(found.file, Pending(cases=tuple(c for c in pending.cases if c.state != "accepted")))
    return made


def _by_hand(since: Changes, accepted: tuple[Case, ...], found: ItemSet) -> list[str]:
    """Items that were added, removed or changed without a review of a case."""
    reviewed = {case.id: case.digest for case in accepted}
    digests = found.digests()
    added = [item for item in since.added if reviewed.get(item) != digests[item]]
    return [*added, *since.removed, *since.changed]


def _check(
    found: ItemSet, since: Changes, accepted: tuple[Case, ...], by_hand: list[str], by: str, reason: str
) -> None:
    if not accepted and not since.items and not since.other_bytes:
        raise BakeoffError(
            f"{found.file} is as it was, and no case is accepted: there is nothing to release",
            "bakeoff set review lists the cases that wait",
        )
    unreviewed = by_hand or (since.other_bytes and not since.items and not accepted)
    if unreviewed and not (by.strip() and reason.strip()):
        what = ", ".join(by_hand[:8]) or "other columns, or the order"
        raise BakeoffError(
            f"{found.file} was changed by hand ({what}), and nobody reviewed that",
            "name who did: --by NAME --reason TEXT; or undo it and use bakeoff set propose",
        )
    taken = [case.id for case in accepted if case.id in by_hand]
    if taken:
        raise BakeoffError(
            f"{found.file} holds other items by the ids of accepted cases: {', '.join(taken[:8])}",
            "give one of the two another id",
        )


def _append(found: ItemSet, cases: list[Case]) -> None:
    if not cases:
        return
    if found.file.suffix != ".jsonl":
        raise BakeoffError(
            f"cases are added to JSONL files, and {found.file} is none",
            "add them by hand, then release with --by NAME --reason TEXT",
        )
    data = file_bytes(found.file)
    if data and not data.endswith(b"\n"):
        data += b"\n"
    lines = b"".join(orjson.dumps(case.row, option=orjson.OPT_APPEND_NEWLINE) for case in cases)
    write_atomically(found.file, data + lines)
