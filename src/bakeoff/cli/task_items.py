"""`bakeoff task items`."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter


def items(
    task: str,
    *,
    digest: str = "",
    limit: int = 20,
    flagged: Annotated[bool, Parameter(negative=())] = False,
    out: Path = Path("runs"),
    json: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """A task's items over the runs there are: how hard each is, and whether they still tell models apart.

    Example: bakeoff task items arithmetic --flagged

    Parameters
    ----------
    task:
        The name of a task that was run, with `:VARIANT` for a variant.
    digest:
        The beginning of the task's digest, where runs are of several; without it, the one most models ran.
    limit:
        How many items to list, the hardest first.
    flagged:
        Only items with a flag: all right, all wrong, or harder for strong models than for weak ones.
    out:
        Where the runs lie.
    json:
        Print JSON.
    """
    from bakeoff.cli.output import percent, print_json, stdout
    from bakeoff.cli.report import interval_text
    from bakeoff.comparison.items import editions, items_look
    from bakeoff.errors import BakeoffError
    from bakeoff.run.index import RunIndex
    from bakeoff.visible import visible

    runs = [run for run in RunIndex(out).runs() if run.title == task and run.digest_begins(digest)]
    if not runs:
        raise BakeoffError(
            f"there are no runs of {task!r} under {out}", "bakeoff show lists the runs there are"
        )
    found = items_look(editions(runs)[0])
    listed = [item for item in found.items if item.flags or not flagged][:limit]
    if json:
        print_json(
            {
                "task": found.task,
                "digest": found.digest,
                "runs": [run.id for run in found.runs],
                "left_out": [run.id for run in found.left_out],
                "alpha": found.alpha,
                "all_right": found.all_right,
                "all_wrong": found.all_wrong,
                "negative": found.negative,
                "first": found.first,
                "items": [asdict(item) for item in listed],
            }
        )
        return
    from rich.table import Table

    console = stdout()
    n, best = len(found.items), found.standings[0]
    console.print(f"{visible(found.task)}: {n:,} items over the runs of {len(found.runs)} models")
    console.print(
        f"right for all {found.all_right:,} ({percent(found.all_right / n)} %), "
        f"for none {found.all_wrong:,}, harder for strong models {found.negative:,}"
    )
    console.print(
        f"best {visible(best.label)}: {percent(best.score.value)} % {interval_text(best.score.interval)}; "
        + (f"{len(found.first)} may be the best" if len(found.first) != 1 else "told apart from all others")
    )
    table = Table(box=None)
    for name in ("item", "mean %", "with the rest", "flags"):
        table.add_column(name, justify="right" if name in ("mean %", "with the rest") else "left")
    for item in listed:
        rest = "–" if item.item_rest is None else f"{item.item_rest:+.2f}"
        table.add_row(visible(item.item_id), percent(item.mean), rest, ", ".join(item.flags))
    console.print(table)
