"""`/`: the boards there are."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from bakeoff.web.pages.boards import boards
from bakeoff.web.routes.request import Books, shown

router = APIRouter(include_in_schema=False)


@router.get("/")
def home(request: Request, library: Books) -> HTMLResponse:
    """All boards."""
    with library.read() as connection:
        page = boards(library, connection)
    return shown(request, "boards", page)
