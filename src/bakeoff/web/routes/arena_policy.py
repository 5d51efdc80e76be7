"""`/arenas/{arena}/policy`: the rules of an arena, whether they are kept, and its log."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from bakeoff.web.pages.arena_policy import arena_policy_page
from bakeoff.web.routes.request import Books, shown

router = APIRouter(include_in_schema=False)


@router.get("/arenas/{arena}/policy")
def rules(
    request: Request,
    arena: str,
    library: Books,
    before: Annotated[int | None, Query(ge=0, lt=2**63)] = None,
) -> HTMLResponse:
    """The rules in words, the report, what a check found, and what happened."""
    with library.read() as connection:
        page = arena_policy_page(library, connection, arena, before=before)
    return shown(request, "arena_policy", page, running=arena in request.app.state.arenas)
