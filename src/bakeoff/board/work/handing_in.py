"""The way in: a submission, the key lent with it, and the job that looks at it; all of them or none."""

from collections.abc import Mapping

from sqlalchemy import Connection

from bakeoff.board.definition import Board
from bakeoff.board.entry.eligible import check_stated
from bakeoff.board.entry.keys import Lent, lend
from bakeoff.board.entry.predictions import named, revision
from bakeoff.board.submissions import Model, Submission, Way, get, submit
from bakeoff.board.work.evaluating import enqueue


def hand_in(
    connection: Connection,
    board: Board,
    ref: str,
    stated: Model,
    *,
    way: Way,
    organisation: str,
    submitter: str,
    settings: Mapping[str, str],
    lent: Lent | None = None,
    supersedes: int | None = None,
    priority: int = 0,
) -> tuple[Submission, str]:
    """Hand in the model that `ref` names and `stated` describes. Returns what was made, and what a worker
    must offer to open the key that was lent; "" for none.

    Raises:
        BakeoffError: the board does not take the model, or the organisation's quota is used up (`submit`).
    """
    check_stated(board, ref, stated, way)
    made = submit(
        connection,
        board,
        stated,
        organisation=organisation,
        submitter=submitter,
        way=way,
        supersedes=supersedes,
    )
    offer = lend(connection, made.id, lent, actor=submitter) if lent else ""
    enqueue(
        connection,
        board,
        made,
        model=ref,
        settings=settings,
        actor=submitter,
        priority=priority,
        lent=offer,
    )
    return get(connection, made.id), offer


def name_of(ref: str, way: Way) -> tuple[str, str]:
    """What the model of a reference is called, and its revision, which a worker finds unless it is a file."""
    if way == "predictions":
        return named(ref), revision(ref)
    return ref.partition(":")[2], ""
