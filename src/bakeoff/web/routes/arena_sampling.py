"""`/arenas/{arena}/sampling`: whom the arena shows how often, and by which rule."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from bakeoff.web.middleware.kept import LIVE
from bakeoff.web.pages.arena_sampling import arena_sampling_page
from bakeoff.web.routes.request import Books, shown

router = APIRouter(include_in_schema=False)


@router.get("/arenas/{arena}/sampling")
def sampling(request: Request, arena: str, library: Books) -> HTMLResponse:
    """Whom the arena shows how often, and by which rule."""
    with library.read() as connection:
        page = arena_sampling_page(library, connection, arena)
    answer = shown(request, "arena_sampling", page, running=arena in request.app.state.arenas)
    answer.headers["cache-control"] = LIVE  # votes come in without a word in the log
    return answer
