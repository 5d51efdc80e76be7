"""The variants of an arena, and a publication of their ratings, for people."""

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Column, Table

from bakeoff.arena.policy.variant import Rating, Variant
from bakeoff.visible import visible


def print_variants(console: Console, found: Sequence[Variant]) -> None:
    """A row for each, whatever its state."""
    if not found:
        console.print("no variant was registered yet")
        return
    table = _table("variant", "provider", "family", "licence", "tested as", "state", *_RATED, "artefact")
    for each in found:
        facts = (each.name, each.provider, each.family, each.licence, each.access, each.state)
        table.add_row(*map(visible, facts), *_cells(each.rating), each.artefact.digest[7:19])
    console.print(table, crop=False)
    console.print("Rows of one artefact are the same model under the same conditions.", soft_wrap=True)


def print_rated(
    console: Console, ratings: Mapping[str, Rating], unrated: Mapping[str, str], data: str
) -> None:
    """Who was rated, who was not and why, and by which votes."""
    table = _table("variant", *_RATED)
    for name, each in sorted(ratings.items(), key=lambda named: -named[1].score):
        table.add_row(visible(name), *_cells(each))
    console.print(table, crop=False)
    for name, why in unrated.items():
        console.print(f"not rated: {visible(name)}: {why}", soft_wrap=True)
    console.print(f"{len(ratings)} ratings are published, of the votes {data}", soft_wrap=True)


_RATED = ("score", "95 % interval", "votes")


def _cells(found: Rating | None) -> tuple[str, str, str]:
    if found is None:
        return ("–", "", "")
    return (f"{found.score:.1f}", f"[{found.low:.1f}, {found.high:.1f}]", f"{found.votes:,}")


def _table(*heads: str) -> Table:
    columns = (Column(each, overflow="fold", justify="right" if each in _RATED else "left") for each in heads)
    return Table(*columns, box=None, pad_edge=False, header_style="")
