"""`bakeoff board site`."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from bakeoff.cli.board_database import opened
from bakeoff.errors import BakeoffError

Json = Annotated[bool, Parameter(negative=())]


def site(
    board: str,
    out: Path | None = None,
    *,
    single: Path | None = None,
    at: str = "",
    version: int | None = None,
    database: str | None = None,
    json: Json = False,
) -> None:
    """Write a board as plain files, for any host or to be opened from the disk.

    Example: bakeoff board site small-models public/

    Parameters
    ----------
    board:
        The board's name.
    out:
        The folder of the site: the board, its models, its tasks, its history. A site that was written there
        before is replaced.
    single:
        The file to write the board alone to, whole.
    at:
        As of a date, or the beginning of a snapshot's digest; the newest otherwise.
    version:
        Of this version of the board.
    database:
        The address of the database.
    json:
        Print JSON.
    """
    from importlib.util import find_spec

    if not all(map(find_spec, ("fastapi", "nh3"))):
        raise BakeoffError("pages need the packages of the web app", "pip install 'bakeoff[web]'")
    if out is None and single is None:
        raise BakeoffError("where to write the site was not said", "name a folder, or --single FILE")
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from bakeoff.cli.output import print_json, stderr, stdout
    from bakeoff.store.files import write_atomically
    from bakeoff.web.export.site import exported, single_page, write_site

    with opened(database) as engine:
        found = exported(engine, board, as_of=at, version=version)
    written: dict[str, object] = {"board": board, "state": found.state.digest, "made": found.state.made}
    if single is not None:
        write_atomically(single, single_page(found).encode())
        written["single"] = str(single)
    if out is not None:
        console = stderr()
        bar = (TextColumn("pages"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*bar, console=console, transient=True, disable=not console.is_terminal) as drawn:
            task = drawn.add_task("", total=None)

            def told(done: int, total: int) -> None:
                drawn.update(task, completed=done, total=total)

            written |= {"folder": str(out), "pages": write_site(found, out, progress=told)}
    if json:
        print_json(written)
        return
    where = " and ".join(str(each) for each in (out, single) if each is not None)
    stdout().print(f"{board} as of {found.state.made[:10]} is in {where}", soft_wrap=True)
