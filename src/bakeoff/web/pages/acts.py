"""What somebody may do to a submission and to the flags on it, as things stand."""

from collections.abc import Iterator
from typing import Literal

from sqlalchemy import Connection

from bakeoff.accounts import Account, Action, may, speaks_for
from bakeoff.board.community.flags import Flag
from bakeoff.board.community.people import members
from bakeoff.board.community.votes import WAITING
from bakeoff.board.definition import Board
from bakeoff.board.life import FOLLOWING, State
from bakeoff.board.submissions import Submission
from bakeoff.board.work.progress import Work
from bakeoff.jobs import Fault

Act = Literal["vote", "publish", "reject", "retry", "withdraw", "flag"]


def own(viewer: Account | None, submission: Submission) -> bool:
    """Whether a submission is somebody's own: handed in by them, or for an organisation they speak for."""
    if viewer is None:
        return False
    return submission.submitter == viewer.name or speaks_for(viewer, submission.organisation)


def entitled(viewer: Account | None, board: Board, submission: Submission, act: Act) -> bool:
    """Whether that is somebody's to do at all, whatever state the submission is in."""
    action = Action(act)
    return may(viewer, action, board) and (action is not Action.WITHDRAW or own(viewer, submission))


def acts(
    viewer: Account | None, board: Board, submission: Submission, work: Work | None, *, voted: bool
) -> tuple[Act, ...]:
    """What somebody may do to a submission now, what is likely first."""
    return tuple(
        act for act in _possible(board, submission, work, voted) if entitled(viewer, board, submission, act)
    )


def may_reply(connection: Connection, viewer: Account | None, submission: Submission, flag: Flag) -> bool:
    """Whether somebody may reply to a flag now: for the organisation, for which they had handed something in
    before it was raised.
    """
    return (
        viewer is not None
        and may(viewer, Action.REPLY)
        and speaks_for(viewer, submission.organisation)
        and flag.reply is None
        and flag.state != "dismissed"
        and viewer.name != flag.raised_by
        and viewer.name in members(connection, submission.organisation, before=flag.created)
    )


def may_rule(viewer: Account | None, board: Board, submission: Submission, flag: Flag) -> bool:
    """Whether somebody may rule on a flag now: a moderator who is no party to it."""
    parties = (flag.replied_by, flag.raised_by, submission.submitter)
    return (
        viewer is not None
        and may(viewer, Action.RULE, board)
        and flag.state != "dismissed"
        and viewer.name not in parties
    )


def _possible(board: Board, submission: Submission, work: Work | None, voted: bool) -> Iterator[Act]:
    state = submission.state
    failed = work is not None and work.ended and State.FAILED in (state, *FOLLOWING[state])
    if state in WAITING and not voted:
        yield "vote"
    if state is State.REVIEW:
        yield from ("publish", "reject")
    if failed and work and work.fault in (None, Fault.OURS):
        yield "retry"
    if State.WITHDRAWN in FOLLOWING[state]:
        yield "withdraw"
    if board.policy.removal:
        yield "flag"
