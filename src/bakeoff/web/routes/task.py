"""`/tasks/{name}`: a task."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from bakeoff.web.answers import links_of
from bakeoff.web.middleware.kept import LIVE
from bakeoff.web.pages.task import Wanted, task_page
from bakeoff.web.routes.request import shown
from bakeoff.web.runs import Shelf

router = APIRouter(include_in_schema=False)


@router.get("/tasks/{name}")
def task(
    request: Request,
    shelf: Shelf,
    name: str,
    edition: str = "",
    flag: str = "",
    order: str = "hardest",
    page: int = 1,
) -> HTMLResponse:
    """A task and a page of its items."""
    links = links_of(request)
    found = task_page(shelf, name, Wanted(edition, flag, order or "hardest", page), links)
    response = shown(request, "task", found)
    response.headers["cache-control"] = LIVE  # runs come and go without a line in the log
    return response
