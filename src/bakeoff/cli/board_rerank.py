"""`bakeoff board rerank`."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from bakeoff.cli.board_database import opened, user

Json = Annotated[bool, Parameter(negative=())]


def rerank(board: str, *, out: Path = Path("runs"), database: str | None = None, json: Json = False) -> None:
    """After a change of the rule: rank what is there under the new version and the one before, side by side.

    Nothing is asked again; the kept runs are scored by both rules, and a snapshot of each is published.

    Example: bakeoff board rerank small-models

    Parameters
    ----------
    board:
        The board's name.
    out:
        Where the workers' runs are.
    database:
        The address of the database.
    json:
        Print JSON.
    """
    from bakeoff.board.ranking.difference import differences
    from bakeoff.board.ranking.reranking import rerank as reranked
    from bakeoff.board.registry import known
    from bakeoff.cli.board_view import print_changes, print_snapshot
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.database import writing

    with opened(database) as engine, writing(engine) as connection:
        second = known(connection, board)
        made = reranked(connection, second, out, actor=user())
    changes = differences(made.old, made.new)
    if json:
        print_json({"old": made.old.digest, "new": made.new.digest, "changes": changes})
        return
    for each in (made.old, made.new):
        print_snapshot(stdout(), each, columns=second.columns)
    print_changes(stdout(), changes)
