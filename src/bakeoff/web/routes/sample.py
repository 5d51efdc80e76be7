"""`/runs/{run_id}/samples/{item}`: one sample."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from bakeoff.store.selection import Selection
from bakeoff.web.pages.sample import sample_page
from bakeoff.web.routes.request import shown
from bakeoff.web.runs import Shelf

router = APIRouter(include_in_schema=False)


@router.get("/runs/{run_id}/samples/{item:path}")
def sample(
    request: Request,
    shelf: Shelf,
    run_id: str,
    item: str,
    repeat: int = 0,
    show: str = "",
    q: Annotated[str, Query(max_length=200)] = "",
    sort: str = "item",
) -> HTMLResponse:
    """A sample; the rest says which samples come before and after it."""
    page = sample_page(shelf, run_id, item, repeat, Selection(show, q, sort or "item"))
    return shown(request, "sample", page)
