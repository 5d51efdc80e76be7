"""Sets of items for people."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bakeoff.cli.output import percent
from bakeoff.cli.report import interval_text
from bakeoff.errors import BakeoffError
from bakeoff.evalset.lock import Changes, Lock, Release
from bakeoff.evalset.moved import Move, Moved
from bakeoff.evalset.pending import Case, Near, Pending
from bakeoff.evalset.proposing import Proposal
from bakeoff.evalset.reading import ItemSet
from bakeoff.evalset.reviewing import Decision, review, waiting
from bakeoff.visible import visible

_NAMED = 8


def print_check(console: Console, lock: Lock, changes: Changes, pending: Pending) -> None:
    """What changed since the set was frozen, and which cases wait."""
    head = f"{lock.file}: version {lock.version}, {lock.count:,} items"
    if not changes.items and not changes.other_bytes:
        console.print(f"{visible(head)}: as it was")
    elif not changes.items:
        console.print(f"{visible(head)}: the items are as they were; other columns or their order differ")
    else:
        console.print(visible(head))
        for name in ("added", "removed", "changed"):
            ids: tuple[str, ...] = getattr(changes, name)
            if ids:
                console.print(f"  {name:<8} {len(ids):>5,}  {_named(ids)}")
        console.print("a new version is released with the name of who reviewed this: bakeoff set release")
    if pending.of("pending") or pending.of("accepted"):
        console.print(
            f"{len(pending.of('pending')):,} cases wait for a review, "
            f"{len(pending.of('accepted')):,} accepted for the next version"
        )


def print_proposal(console: Console, items: Path, found: Proposal) -> None:
    """What was staged, what is much like something, and what was left out and why."""
    console.print(f"{len(found.staged):,} cases staged")
    for reason, ids in found.left_out.items():
        console.print(f"left out, {reason}: {len(ids):,}  {_named(ids)}")
    near = [case for case in found.staged if case.near]
    if near:
        console.print(f"{len(near):,} much like another:")
        for case in near:
            console.print(f"  {visible(case.id)}  {_near(case.near)}")
    if found.staged:
        console.print(f"bakeoff set review {items}", soft_wrap=True)


def print_cases(console: Console, items: Path, cases: Sequence[Case]) -> None:
    """The cases that wait, whole; those reviewed, by id."""
    open_ = [case for case in cases if case.state == "pending"]
    for case in open_:
        _print_case(console, case)
    for state in ("accepted", "rejected"):
        done = [case for case in cases if case.state == state]
        for case in done:
            said = f"{state} by {case.reviewer}: {case.reason}"
            console.print(f"{visible(case.id)}  {visible(said)}", style="dim")
    if not open_:
        console.print("no case waits for a review")
        return
    console.print(
        f"bakeoff set review {items} {open_[0].id} --accept --by NAME --reason TEXT", soft_wrap=True
    )


def ask_each(console: Console, found: ItemSet, reviewer: str) -> None:
    """Ask about each case that waits: accept, reject, later or stop."""
    decisions: dict[str, Decision] = {"a": "accepted", "r": "rejected"}
    for case in waiting(found.file):
        _print_case(console, case)
        answer = console.input("accept, reject, skip, quit [a/r/s/q] ").strip().casefold()[:1]
        if answer == "q":
            return
        if answer not in decisions:
            continue
        reason = console.input("why? ")
        target = None
        if answer == "a" and found.item(case.row).target == ():
            target = console.input("what is right? ") or None
        try:
            review(found, [case.id], decisions[answer], reviewer=reviewer, reason=reason, target=target)
        except BakeoffError as error:
            console.print(f"{visible(error.message)}; the case still waits", style="yellow")


def print_release(console: Console, items: Path, made: Release) -> None:
    """What is in the new version."""
    parts = [
        f"{len(ids):,} {name}"
        for name, ids in (("added", made.added), ("removed", made.removed), ("changed", made.changed))
        if ids
    ]
    console.print(f"version {made.version}: {made.count:,} items; {', '.join(parts) or 'the same items'}")
    console.print(f"commit {items} and its lock", soft_wrap=True)


def print_moved(console: Console, found: Moved) -> None:
    """Both scores, their difference, and its two parts."""
    kinds = {kind.name: kind for kind in found.kinds}
    counts = ", ".join(f"{kinds[name].n:,} {name}" for name in kinds)
    console.print(Text.assemble((visible(found.task), "bold"), f"  {counts}"))
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("run", overflow="fold")
    table.add_column("version")
    table.add_column("items", justify="right")
    table.add_column("score %", justify="right")
    table.add_column(f"{100 * found.level:g} % interval")
    for name, model, version, score in (
        ("old", found.old_model, found.old_version, found.old),
        ("new", found.new_model, found.new_version, found.new),
    ):
        label, asked = f"{name}: {visible(model)}", version or "–"
        table.add_row(label, asked, f"{score.n:,}", percent(score.value), interval_text(score.interval))
    console.print(table)
    console.print()
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("moved by", overflow="fold")
    table.add_column("points", justify="right")
    table.add_column(f"{100 * found.level:g} % interval")
    same = kinds["unchanged"].n
    table.add_row(f"the model, on the {same:,} items that are the same", *_move(found.model))
    table.add_row("the set", *_move(found.set))
    table.add_row(Text("both", style="bold"), *_move(found.total))
    console.print(table)
    console.print()
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in ("items", "number", "old score %", "new score %"):
        table.add_column(column, justify="left" if column == "items" else "right")
    for kind in found.kinds:
        if kind.n:
            table.add_row(kind.name, f"{kind.n:,}", percent(kind.old), percent(kind.new))
    console.print(table)
    for note in found.notes:
        console.print(f"note: {visible(note)}", style="dim")


def _move(move: Move) -> tuple[str, str]:
    if move.interval is None:
        return f"{100 * move.value:+.1f}", "[not estimable]"
    return f"{100 * move.value:+.1f}", f"[{100 * move.interval.low:+.1f}, {100 * move.interval.high:+.1f}]"


def _print_case(console: Console, case: Case) -> None:
    console.print(Text(visible(case.id), style="bold"), Text(f"from {visible(case.source)}", style="dim"))
    for name, value in case.row.items():
        console.print(Text(f"  {visible(name)}: {visible(str(value))}"))
    if case.near:
        console.print(f"  much like {_near(case.near)}", style="yellow")
    console.print()


def _near(near: Sequence[Near]) -> str:
    return ", ".join(
        f"{visible(each.id)} (asks the same, another answer is right)"
        if each.other_target
        else f"{visible(each.id)} ({each.score:.1f} of 100)"
        for each in near
    )


def _named(ids: Sequence[str]) -> str:
    shown = visible(", ".join(ids[:_NAMED]))
    return f"{shown} and {len(ids) - _NAMED:,} more" if len(ids) > _NAMED else shown
