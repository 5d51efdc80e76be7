"""`bakeoff set`: freeze, check, propose, review, release, moved."""

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from bakeoff.errors import BakeoffError

Json = Annotated[bool, Parameter(negative=())]
Flag = Annotated[bool, Parameter(negative=())]

app = App(
    name="set",
    help="Sets of items: freeze a version, grow it by reviewed cases, and see what that moved.",
    help_format="plaintext",
    result_action="return_value",
)


@app.command
def freeze(items: Path, *, version: str, by: str = "", task: str | None = None, json: Json = False) -> None:
    """Write the lock of a set: the digest of each item, no text.

    Example: bakeoff set freeze items.jsonl --version 1

    Parameters
    ----------
    items:
        The file of items. The lock lies beside it: items.lock.json.
    version:
        The name of this first version.
    by:
        Who froze it; by default the user's name on this machine.
    task:
        A task whose `fields` name the columns, where they are not the usual ones.
    json:
        Print JSON.
    """
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.evalset.freezing import freeze as frozen
    from bakeoff.evalset.lock import lock_path
    from bakeoff.evalset.reading import open_set

    lock = frozen(open_set(items, task), version, by=by)
    if json:
        print_json(lock)
        return
    stdout().print(f"version {lock.version}: {lock.count:,} items, in {lock_path(items)}", soft_wrap=True)


@app.command
def check(items: Path, *, task: str | None = None, json: Json = False) -> int:
    """What changed in a set since it was frozen. Exits with 1 if anything did.

    Example: bakeoff set check items.jsonl

    Parameters
    ----------
    items:
        The file of items.
    task:
        A task whose `fields` name the columns.
    json:
        Print JSON.
    """
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.cli.set_view import print_check
    from bakeoff.evalset.freezing import check as checked
    from bakeoff.evalset.pending import read_pending
    from bakeoff.evalset.reading import open_set

    lock, changes = checked(open_set(items, task))
    pending = read_pending(items)
    if json:
        print_json({"version": lock.version, "count": lock.count, "changes": changes})
    else:
        print_check(stdout(), lock, changes, pending)
    return 1 if changes.items or changes.other_bytes else 0


@app.command
def propose(
    items: Path,
    *,
    from_: Annotated[Path, Parameter(name="--from")],
    near: float = 90.0,
    task: str | None = None,
    json: Json = False,
) -> None:
    """Stage new cases for a set. They wait in items.pending.json for a review; the set stays as it is.

    Example: bakeoff set propose items.jsonl --from production.jsonl

    Parameters
    ----------
    items:
        The file of items.
    from_:
        A file of new cases, with the same columns; those without a target get theirs in the review.
    near:
        Cases whose input is so much like another, of 100, are marked with it.
    task:
        A task whose `fields` name the columns.
    json:
        Print JSON.
    """
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.cli.set_view import print_proposal
    from bakeoff.evalset.proposing import propose as proposed
    from bakeoff.evalset.reading import open_set

    found = proposed(open_set(items, task), from_, near=near)
    if json:
        print_json({"staged": [_without_text(each) for each in found.staged], "left_out": found.left_out})
        return
    print_proposal(stdout(), items, found)


@app.command
def review(
    items: Path,
    *ids: str,
    accept: Flag = False,
    reject: Flag = False,
    by: str = "",
    reason: str = "",
    target: str | None = None,
    task: str | None = None,
    json: Json = False,
) -> None:
    """The cases that wait for a review; with ids, accept or reject them. A name and a reason are needed.

    Without ids, but with --by on a terminal, asks about each case in turn.

    Examples:
      bakeoff set review items.jsonl
      bakeoff set review items.jsonl t41 t42 --accept --by "Ada L." --reason "common since May"

    Parameters
    ----------
    items:
        The file of items.
    ids:
        The cases to accept or to reject.
    accept:
        Let them into the next version.
    reject:
        Keep them out; they are not proposed again.
    by:
        Who reviewed.
    reason:
        Why.
    target:
        What is right, for one case that came without it.
    task:
        A task whose `fields` name the columns.
    json:
        Print JSON.
    """
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.cli.set_view import ask_each, print_cases
    from bakeoff.evalset.pending import read_pending
    from bakeoff.evalset.reading import open_set
    from bakeoff.evalset.reviewing import review as reviewed

    found = open_set(items, task)
    if accept and reject:
        raise BakeoffError("a case is accepted or rejected, not both", "give one of --accept and --reject")
    if ids or accept or reject:
        if not (accept or reject):
            raise BakeoffError("say what becomes of the cases", "add --accept or --reject")
        decision = "accepted" if accept else "rejected"
        cases = reviewed(
            found, ids, "accepted" if accept else "rejected", reviewer=by, reason=reason, target=target
        )
        if json:
            print_json([_without_text(case) for case in cases])
        else:
            stdout().print(f"{decision} by {cases[0].reviewer}: {', '.join(case.id for case in cases)}")
        return
    if json:
        print_json([_without_text(case) for case in read_pending(items).cases])
        return
    if by and sys.stdin.isatty():
        ask_each(stdout(), found, by)
        return
    print_cases(stdout(), items, read_pending(items).cases)


@app.command
def release(
    items: Path,
    *,
    version: str,
    by: str = "",
    reason: str = "",
    task: str | None = None,
    json: Json = False,
) -> None:
    """Make a new version: accepted cases are added to the file, and the lock says who let them in and why.

    Example: bakeoff set release items.jsonl --version 2

    Parameters
    ----------
    items:
        The file of items.
    version:
        The name of the new version.
    by:
        Who releases; for changes made in the file by hand, who reviewed them.
    reason:
        Why the file was changed by hand.
    task:
        A task whose `fields` name the columns.
    json:
        Print JSON.
    """
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.cli.set_view import print_release
    from bakeoff.evalset.reading import open_set
    from bakeoff.evalset.releasing import release as released

    made = released(open_set(items, task), version, by=by, reason=reason)
    if json:
        print_json(made)
        return
    print_release(stdout(), items, made)


@app.command
def moved(
    old: str,
    new: str,
    *,
    set_: Annotated[Path | None, Parameter(name="--set")] = None,
    level: float = 0.95,
    out: Path = Path("runs"),
    json: Json = False,
) -> None:
    """How a score moved from one run to the next: what the model did, and what the set did.

    Example: bakeoff set moved 1a2b3c 4d5e6f

    Parameters
    ----------
    old:
        A run on the set as it was: a folder, the end of a run's id, or `last`.
    new:
        A run of the same task on the set as it is.
    set_:
        The file of items, whose lock then names the version that each run was asked.
    level:
        Confidence level of the intervals.
    out:
        Where the runs lie.
    json:
        Print JSON.
    """
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.cli.set_view import print_moved
    from bakeoff.evalset.lock import read_lock
    from bakeoff.evalset.moved import moved as split
    from bakeoff.store import find_run

    lock = None if set_ is None else read_lock(set_)
    found = split(find_run(old, out), find_run(new, out), level=level, lock=lock)
    if json:
        print_json(found)
        return
    print_moved(stdout(), found)


def _without_text(case: object) -> dict[str, object]:
    """A case for machines: its ids, digest and review; its texts stay in the pending file."""
    from bakeoff.evalset.pending import Case

    assert isinstance(case, Case)
    return case.model_dump(mode="json", exclude={"row"})
