"""What was found, on a terminal."""

from typing import TYPE_CHECKING

from bakeoff.visible import visible

if TYPE_CHECKING:
    from rich.console import Console

    from bakeoff.board.everywhere import Found


def print_found(console: "Console", found: "tuple[Found, ...]") -> None:
    """The hits, kind by kind."""
    from rich.text import Text

    if not found:
        console.print("nothing was found")
    for each in found:
        console.print(Text.assemble((f"{each.kind}s", "bold"), f", {each.total:,}"))
        for hit in each.hits:
            on = hit.board if hit.kind in ("model", "post") else ""
            more = "".join(f"  {part}" for part in (on, hit.text) if part)
            console.print(Text.assemble("  ", visible(hit.name), (visible(more), "dim")), soft_wrap=True)
        if each.total > len(each.hits):
            console.print(Text(f"  and {each.total - len(each.hits):,} more: name more words", "dim"))
