"""What was given out, in the terminal."""

from pathlib import Path

from rich.console import Console

from bakeoff.arena.sharing.export import Manifest
from bakeoff.visible import visible


def print_manifest(out: Console, made: Manifest, folder: Path) -> None:
    """What is in the file, and what is not and why: the numbers add up to all votes there are."""
    out.print(f"{folder / made.file}: {made.given:,} of {made.total:,} votes", soft_wrap=True)
    left = {
        f"before {made.since}": made.earlier,
        f"after {made.until}, too young": made.too_young,
        "held back, never given out": made.held_back,
        "on a variant under test": made.under_test,
        f"not among the {100 * made.share:g} % that are given out": made.not_drawn,
    }
    for reason, number in left.items():
        if number:
            out.print(f"  left out, {reason}: {number:,}", soft_wrap=True)
    if made.without_texts:
        out.print(f"  given without texts, which were erased: {made.without_texts:,}", soft_wrap=True)
    for kind, number in made.removed.items():
        out.print(f"  personal details taken out, {kind}: {number:,}", soft_wrap=True)
    out.print(
        f"Registered: {visible(made.provider)} is given {100 * made.share:g} % of {made.since} to "
        f"{made.until}, {made.data}",
        soft_wrap=True,
    )
