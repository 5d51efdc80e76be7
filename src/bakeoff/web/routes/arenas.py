"""`/arenas`: the arenas there are."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from bakeoff.web.pages.arenas import arenas_page
from bakeoff.web.routes.request import Books, shown

router = APIRouter(include_in_schema=False)


@router.get("/arenas")
def arenas(request: Request, library: Books) -> HTMLResponse:
    """All arenas."""
    live = {name: each.arena for name, each in request.app.state.arenas.items()}
    with library.read() as connection:
        page = arenas_page(connection, live)
    return shown(request, "arenas", page)
