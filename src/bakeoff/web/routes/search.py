"""`/search`: over everything."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from bakeoff.web.pages.search import search
from bakeoff.web.routes.request import Books, shown

router = APIRouter(include_in_schema=False)


@router.get("/search")
def searched(
    request: Request, library: Books, q: Annotated[str, Query(max_length=1000)] = ""
) -> HTMLResponse:
    """What is found for these words."""
    with library.read() as connection:
        page = search(library, connection, q)
    return shown(request, "search", page)
