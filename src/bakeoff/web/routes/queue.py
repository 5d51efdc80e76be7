"""`/boards/{board}/queue`, as a page and as a stream that says when it changed."""

from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated

from anyio.to_thread import run_sync
from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, StreamingResponse

from bakeoff.web.middleware.kept import LIVE
from bakeoff.web.pages.queue import Pulse, pulse, queue
from bakeoff.web.reading import Library
from bakeoff.web.routes.form import said
from bakeoff.web.routes.request import Books, shown
from bakeoff.web.routes.signing import Viewer
from bakeoff.web.streams import PERIOD_S, Streams, Told, streams

router = APIRouter(include_in_schema=False)


@router.get("/boards/{board}/queue")
def waiting(
    request: Request,
    board: str,
    library: Books,
    viewer: Viewer,
    ended: Annotated[str, Query(max_length=10)] = "",
) -> HTMLResponse:
    """What waits, runs, is to be reviewed, and ended."""
    with library.read() as connection:
        page = queue(library, connection, board, viewer, all_ended=ended == "all")
    answer = shown(request, "queue", page, said=said(request), stamp=pulse(page).stamp)
    answer.headers["cache-control"] = LIVE  # jobs get further without a word in the log
    return answer


@router.get("/boards/{board}/queue/events")
async def moving(
    request: Request, board: str, library: Books, seen: Annotated[str, Query(max_length=64)] = ""
) -> StreamingResponse:
    """When the queue says something else than with the stamp that was `seen`, and how far jobs are."""
    await run_sync(_pulse, library, board)  # a board that is not there is said before anything else
    there = streams(request.app)
    return there.answer(_told(there, library, board, seen))


async def _told(there: Streams, library: Library, board: str, seen: str) -> AsyncIterator[Told]:
    progress = None
    going_on = True
    while going_on:
        now: Pulse = await there.latest(("queue", board), partial(_pulse, library, board))
        if now.stamp != seen:
            seen = now.stamp
            yield "changed", {"stamp": seen}
        if now.progress != progress:
            progress = now.progress
            yield "progress", progress
        going_on = await there.pause(PERIOD_S)


def _pulse(library: Library, board: str) -> Pulse:
    with library.read() as connection:
        return pulse(queue(library, connection, board, None))
