"""`/arenas/{arena}/matrix`: how every two models do against each other."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from bakeoff.web.middleware.kept import LIVE
from bakeoff.web.pages.arena_matrix import arena_matrix_page
from bakeoff.web.routes.request import Books, shown

router = APIRouter(include_in_schema=False)


@router.get("/arenas/{arena}/matrix")
def matrix(request: Request, arena: str, library: Books) -> HTMLResponse:
    """How every two models do against each other."""
    with library.read() as connection:
        page = arena_matrix_page(library, connection, arena)
    answer = shown(request, "arena_matrix", page, running=arena in request.app.state.arenas)
    answer.headers["cache-control"] = LIVE  # votes come in without a word in the log
    return answer
