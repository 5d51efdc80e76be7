"""`/compare`: runs side by side."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from bakeoff.web.answers import links_of
from bakeoff.web.pages.compare import Wanted, compare_page
from bakeoff.web.routes.request import shown
from bakeoff.web.runs import Shelf

router = APIRouter(include_in_schema=False)


@router.get("/compare")
def compare(
    request: Request,
    shelf: Shelf,
    run: Annotated[tuple[str, ...], Query(max_length=20)] = (),
    against: str = "",
    first: str = "",
    second: str = "",
    show: str = "differ",
    page: int = 1,
) -> HTMLResponse:
    """Two to eight runs of one task."""
    wanted = Wanted(run, against, first, second, show or "differ", page)
    links = links_of(request)
    return shown(request, "compare", compare_page(shelf, wanted, links))
