"""`/tasks`: the tasks there are."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from bakeoff.web.middleware.kept import LIVE
from bakeoff.web.pages.tasks import tasks_page
from bakeoff.web.routes.request import shown
from bakeoff.web.runs import Shelf

router = APIRouter(include_in_schema=False)


@router.get("/tasks")
def tasks(request: Request, shelf: Shelf) -> HTMLResponse:
    """Those that were asked here, and the catalog."""
    response = shown(request, "tasks", tasks_page(shelf.index.runs()))
    response.headers["cache-control"] = LIVE  # runs come and go without a line in the log
    return response
