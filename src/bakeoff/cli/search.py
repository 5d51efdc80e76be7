"""`bakeoff search`."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from bakeoff.cli.board_database import opened
from bakeoff.errors import BakeoffError

Json = Annotated[bool, Parameter(negative=())]


def search(*words: str, out: Path = Path("runs"), database: str | None = None, json: Json = False) -> None:
    """Boards, models on them, tasks, runs and posts that hold all of these words.

    Example: bakeoff search llama 8b

    Parameters
    ----------
    words:
        What to look for, whatever its case.
    out:
        The folder of runs.
    database:
        The address of the database of boards.
    json:
        Print JSON.
    """
    from bakeoff.board.everywhere import everywhere
    from bakeoff.board.ranking.publishing import latest
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.cli.search_view import print_found
    from bakeoff.database import reading
    from bakeoff.run.index import RunIndex

    if not " ".join(words).strip():
        raise BakeoffError("nothing to look for was given", "bakeoff search llama")
    runs = [(run.id, run.title, run.model) for run in RunIndex(out).runs()]
    with opened(database) as engine, reading(engine) as connection:
        found = everywhere(
            connection, " ".join(words), newest=lambda board: latest(connection, board), runs=runs
        )
    if json:
        print_json(found)
    else:
        print_found(stdout(), found)
