"""A judge's calibration, for people."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bakeoff.cli.output import percent
from bakeoff.judging.calibration import Calibration, Coefficient, Measured, Share
from bakeoff.visible import visible


def print_calibration(console: Console, found: Calibration, file: Path, applied: Sequence[Path]) -> None:
    """What it is of and what it says by each criterion, then where it is."""
    name = found.judge.get("name") or found.judge.get("engine") or "?"
    until = f"made {found.made[:10]}, expires {found.expires[:10]}"
    console.print(f"calibration {found.id} of {visible(str(name))}, {until}\n", soft_wrap=True)
    for each in found.criteria:
        if len(found.criteria) > 1:
            console.print(visible(each.criterion), style="bold")
        console.print(_table(each))
    console.print(f"written to {file}", soft_wrap=True)
    for folder in applied:
        console.print(f"and into the manifest of {folder}", soft_wrap=True)


def _table(found: Measured) -> Table:
    table = Table(box=None)
    table.add_column("")
    table.add_column("value", justify="right")
    table.add_column("interval")
    table.add_column("items", justify="right")
    table.add_column("", overflow="fold")
    left = f"{found.unreadable:,} more without a verdict" if found.unreadable else ""
    rows = (
        ("agrees with people, %", found.agreement, left),
        ("two people agree, %", found.ceiling, "the ceiling"),
        ("passes what passes, %", found.sensitivity, "sensitivity"),
        ("fails what fails, %", found.specificity, "specificity"),
    )
    for name, share, why in rows:
        table.add_row(name, *_share(share), why if share is not None else "not told")
    table.add_row("always the commonest, %", percent(found.floor), "", "", "the floor")
    for name, coefficient in (
        ("Gwet's AC1", found.ac1),
        ("Cohen's κ", found.kappa),
        ("Krippendorff's α", found.alpha),
    ):
        table.add_row(name, *_coefficient(coefficient), "", "")
    return table


def _share(share: Share | None) -> tuple[str, str, str]:
    if share is None:
        return "–", "", "0"
    return percent(share.value), f"[{percent(share.low)}, {percent(share.high)}]", f"{share.of:,}"


def _coefficient(found: Coefficient | None) -> tuple[str, str]:
    if found is None:
        return "–", "all choices are the same"
    if found.low is None or found.high is None:
        return f"{found.value:.2f}", "[not estimable]"
    return f"{found.value:.2f}", f"[{found.low:.2f}, {found.high:.2f}]"
