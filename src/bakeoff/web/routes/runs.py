"""`/runs`: the runs there are."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from bakeoff.web.middleware.kept import LIVE
from bakeoff.web.pages.runs import runs_page
from bakeoff.web.routes.request import shown
from bakeoff.web.runs import Shelf

router = APIRouter(include_in_schema=False)


@router.get("/runs")
def runs(
    request: Request,
    shelf: Shelf,
    q: Annotated[str, Query(max_length=200)] = "",
    status: str = "",
    page: int = 1,
) -> HTMLResponse:
    """A page of the runs."""
    response = shown(request, "runs", runs_page(shelf.index, words=q, status=status, page=page))
    response.headers["cache-control"] = LIVE  # runs come and go without a line in the log
    return response
