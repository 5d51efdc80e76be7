"""`bakeoff board vote`."""

from typing import Annotated

from cyclopts import Parameter

from bakeoff.cli.board_database import opened, user


def vote(
    submission: int,
    *,
    database: str | None = None,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """Vote for a submission that waits, so that it is evaluated sooner. Scores and ranks know no votes.

    Example: bakeoff board vote 3

    Parameters
    ----------
    submission:
        Its number.
    database:
        The address of the database.
    json:
        Print JSON.
    """
    from bakeoff.board.community.votes import vote as voted
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.database import writing

    with opened(database) as engine, writing(engine) as connection:
        votes = voted(connection, submission, voter=user())
    if json:
        print_json({"submission": submission, "votes": votes})
    else:
        stdout().print(f"submission {submission} has {votes} vote{'' if votes == 1 else 's'}")
