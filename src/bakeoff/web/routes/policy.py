"""`/boards/{board}/policy` and `/changes`: the rules, the log, the snapshots."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from bakeoff.web.pages.changes import changes_page
from bakeoff.web.pages.policy import policy_page
from bakeoff.web.routes.request import Books, shown

router = APIRouter(include_in_schema=False)


@router.get("/boards/{board}/policy")
def rules(
    request: Request,
    board: str,
    library: Books,
    topic: Annotated[str, Query(max_length=40)] = "",
    before: Annotated[int | None, Query(ge=0, lt=2**63)] = None,
) -> HTMLResponse:
    """The rules in words, the versions, and what happened."""
    with library.read() as connection:
        page = policy_page(library, connection, board, topic=topic, before=before)
    return shown(request, "policy", page)


@router.get("/boards/{board}/changes")
def changes(
    request: Request,
    board: str,
    library: Books,
    old: Annotated[str, Query(alias="from", max_length=80)] = "",
    new: Annotated[str, Query(alias="to", max_length=80)] = "",
    all_: Annotated[str, Query(alias="all", max_length=5)] = "",
) -> HTMLResponse:
    """The snapshots, and what changed between two of them."""
    with library.read() as connection:
        page = changes_page(library, connection, board, old=old, new=new, whole=all_ == "yes")
    return shown(request, "changes", page)
