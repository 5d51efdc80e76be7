"""`/arenas/{arena}/battles`: battles that are given out, to read."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from bakeoff.web.pages.arena_battles import RESULTS, SHORT, Result, Wanted, arena_battles_page
from bakeoff.web.routes.request import Books, shown
from bakeoff.web.voters import check_reader

router = APIRouter(include_in_schema=False)


@router.get("/arenas/{arena}/battles")
def battles(
    request: Request,
    arena: str,
    library: Books,
    model: Annotated[str, Query(max_length=200)] = "",
    result: Result = "",
    words: Annotated[str, Query(max_length=200)] = "",
    skip: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
) -> HTMLResponse:
    """Those with a model, a result for it, and words in their prompts."""
    with library.read() as connection:
        check_reader(request, connection, arena)
        page = arena_battles_page(connection, arena, Wanted(model, result, words, skip))
    return shown(
        request,
        "arena_battles",
        page,
        running=arena in request.app.state.arenas,
        results=RESULTS,
        short=SHORT,
    )
