"""What somebody does to a submission, by the page or by the API: the same checks, the same steps."""

from fastapi import HTTPException

from bakeoff.accounts import Account
from bakeoff.board.community.flags import raise_flag
from bakeoff.board.community.people import reasoned
from bakeoff.board.community.votes import vote
from bakeoff.board.life import State
from bakeoff.board.registry import known
from bakeoff.board.submissions import get, move, publish
from bakeoff.board.work.settling import retry, settle
from bakeoff.jobs import cancel
from bakeoff.web.pages.acts import Act, entitled
from bakeoff.web.reading import Library


def act_on(
    library: Library, number: int, act: Act, viewer: Account, *, reason: str = "", rule: str = ""
) -> None:
    """Do that to a submission. To reject, withdraw and flag one gives a `reason`, and flags under a `rule`.

    Raises:
        HTTPException: 403, that is not this person's to do.
        BakeoffError: there is no such submission, its state does not allow it, or the reason is missing.
    """
    with library.write() as connection:
        if act == "retry":
            settle(connection)
        found = get(connection, number)
        if not entitled(viewer, known(connection, found.board), found, act):
            raise HTTPException(403, f"{viewer.name} may not {act} submission {number}")
        match act:
            case "vote":
                vote(connection, number, voter=viewer.name)
            case "publish":
                publish(connection, number, actor=viewer.name)
            case "reject":
                move(connection, number, State.REJECTED, actor=viewer.name, reason=reasoned(reason))
            case "withdraw":
                move(connection, number, State.WITHDRAWN, actor=viewer.name, reason=reasoned(reason))
            case "retry":
                retry(
                    connection, number, actor=viewer.name, reason=reasoned(reason) if reason.strip() else ""
                )
            case "flag":
                raise_flag(connection, number, rule, reason, actor=viewer.name)
    if act == "withdraw" and found.job is not None:
        cancel(library.engine, found.job, actor=viewer.name, reason=reasoned(reason))
