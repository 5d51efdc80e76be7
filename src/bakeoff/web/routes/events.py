"""`/runs/{run_id}/events`: how far a run is, as it goes on."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated

import orjson
from fastapi import APIRouter, Header, Request, Response
from fastapi.responses import StreamingResponse

from bakeoff.run.index import Listed
from bakeoff.web.following import Sight
from bakeoff.web.runs import Runs, Shelf
from bakeoff.web.streams import Streams, streams

router = APIRouter(include_in_schema=False)

_EACH = 1.0
"""Seconds between two looks."""
_HEARTBEAT = 15
"""Looks without news after which a line keeps the connection open, and finds out whether it still is."""
_QUIET = 600
"""Looks without news after which a stream ends: the run was killed, perhaps."""


@router.get("/runs/{run_id}/events")
async def events(
    request: Request, shelf: Shelf, run_id: str, last_event_id: Annotated[str, Header()] = ""
) -> Response:
    """Server-sent events: `progress` whenever there is news, `end` when the run ended, `quiet` when there has
    been no news for long. Each says all there is, so that one who comes back has missed nothing.
    """
    run = await asyncio.to_thread(shelf.index.find, run_id)
    if run.status != "running":
        return Response(status_code=204)  # tells a browser not to come back
    there = streams(request.app)
    there.check()
    return StreamingResponse(
        _told(there, shelf, run, last_event_id),
        media_type="text/event-stream",
        headers={"cache-control": "no-store", "x-accel-buffering": "no"},
    )


async def _told(there: Streams, shelf: Runs, run: Listed, last: str) -> AsyncIterator[bytes]:
    quiet = 0
    with there.one():
        going_on = True
        while going_on:
            sight, status = await asyncio.to_thread(_look, shelf, run)
            if status != "running":
                yield b"event: end\ndata: {}\n\n"
                return
            quiet = quiet + 1 if str(sight.seen) == last else 0
            last = str(sight.seen)
            if not quiet:
                yield _event(sight)
            elif quiet >= _QUIET:
                yield b"event: quiet\ndata: {}\n\n"
                return
            elif quiet % _HEARTBEAT == 0:
                yield b": still here\n\n"
            going_on = await there.pause(_EACH)


def _look(shelf: Runs, run: Listed) -> tuple[Sight, str]:
    return shelf.following(run).look(), shelf.index.find(run.id).status


def _event(sight: Sight) -> bytes:
    data = {"done": sight.done, "total": sight.total, "outcomes": sight.outcomes, "said": sight.said}
    return b"id: %d\nevent: progress\ndata: %s\n\n" % (sight.seen, orjson.dumps(data))
